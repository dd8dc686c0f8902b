package model

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Arrays are read as they were written, in blocks.
func TestArrays(t *testing.T) {
	numbers := make([]float64, 3*blockSize/8+5)
	for i := range numbers {
		numbers[i] = math.Sqrt(float64(i)) - 7
	}
	for _, data := range []any{
		[]uint8{1, 2, 255}, []int32{-1, 0, math.MaxInt32}, []uint64{1, 1 << 63}, []float64{}, numbers,
	} {
		var file bytes.Buffer
		entries, err := layOut([]stringkernel.Array{{Name: "a", Data: data}})
		if err == nil {
			err = writeValues(&file, data, width(entries[0].Type))
		}
		if err != nil {
			t.Fatal(err)
		}
		in := &source{r: bytes.NewReader(file.Bytes()), left: int64(file.Len())}
		if read, err := entries[0].read(in); err != nil || in.left > 0 || !reflect.DeepEqual(read, data) {
			t.Errorf("%T: other values, %v, %d bytes left", data, err, in.left)
		}
	}
}
