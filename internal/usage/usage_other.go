//go:build !unix && !windows

package usage

import "time"

func now() Usage { return Usage{} }

func processorTime() time.Duration { return now().CPU }
