package model

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Arrays that are in memory as in files are written and read to the same bytes and values as those that are converted.
func TestArraysAsStored(t *testing.T) {
	if !memory.LittleEndian {
		t.Skip("arrays are converted on this processor")
	}
	defer func() { asStored = true }()
	numbers := make([]float64, 3*blockSize/8+5)
	for i := range numbers {
		numbers[i] = math.Sqrt(float64(i)) - 7
	}
	for _, data := range []any{
		[]uint8{1, 2, 255}, []int32{-1, 0, math.MaxInt32}, []uint64{1, 1 << 63}, []float64{}, numbers,
	} {
		var files [2]bytes.Buffer
		for converted := range files {
			asStored = converted == 0
			entries, err := layOut([]stringkernel.Array{{Name: "a", Data: data}})
			if err == nil {
				err = writeValues(&files[converted], data, width(entries[0].Type))
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, asStored = range []bool{true, false} {
				in := &source{r: bytes.NewReader(files[converted].Bytes()), left: int64(files[converted].Len())}
				read, err := entries[0].read(in)
				if err != nil || in.left > 0 || !reflect.DeepEqual(read, data) {
					t.Errorf("%T: other values, %v, %d bytes left", data, err, in.left)
				}
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Errorf("%T: other bytes", data)
		}
	}
}
