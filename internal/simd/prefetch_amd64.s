//go:build !purego

#include "textflag.h"

// func prefetch(p unsafe.Pointer)
TEXT ·prefetch(SB), NOSPLIT, $0-8
	MOVQ p+0(FP), AX
	PREFETCHT0 (AX)
	RET

// func prefetchLines(p unsafe.Pointer, bytes int)
TEXT ·prefetchLines(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ bytes+8(FP), DX
	ADDQ AX, DX

lines:
	PREFETCHT0 (AX)
	ADDQ $64, AX
	CMPQ AX, DX
	JB   lines
	RET

// func prefetchRows(table *float64, bytes int, ids *uint32, n int)
TEXT ·prefetchRows(SB), NOSPLIT, $0-32
	MOVQ table+0(FP), DI
	MOVQ bytes+8(FP), R8
	MOVQ ids+16(FP), SI
	MOVQ n+24(FP), CX

rows:
	MOVL  (SI), AX
	ADDQ  $4, SI
	IMULQ R8, AX
	ADDQ  DI, AX
	LEAQ  (AX)(R8*1), DX

lines:
	PREFETCHT0 (AX)
	ADDQ $64, AX
	CMPQ AX, DX
	JB   lines
	DECQ CX
	JNZ  rows
	RET
