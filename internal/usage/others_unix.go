//go:build unix && !linux

package usage

import "runtime"

func now() Usage {
	u, most := resources()
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		most <<= 10 // only Apple's systems count bytes
	}
	u.Peak = most
	return u
}
