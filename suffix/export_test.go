package suffix

import "context"

// Sorted is what trees are built from: suffixes and the common prefixes of neighbours.
func Sorted(text *Text[byte]) error {
	_, err := sorted(context.Background(), text, 0)
	return err
}
