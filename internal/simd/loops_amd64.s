//go:build amd64 && !purego

#include "textflag.h"

// The loops of haar.go and transpose.go, four numbers to a register. Sums, differences and products round one by one,
// as in Go: nothing is fused. These loops wait for the caches, so that one digit takes as long in registers of eight
// numbers (AVX-512); two digits take less, since there are registers for all sixteen rows.

// HAAR is Haar of four registers in place, with one to spare: s, t, a, b arrive in x0, x2, x1, x3. The lines compute
// u, a, v, b, t, s.
#define HAAR(x0, x1, x2, x3, spare) \
	VADDPD x1, x0, spare \
	VSUBPD x1, x0, x1    \
	VADDPD x3, x2, x0    \
	VSUBPD x3, x2, x3    \
	VSUBPD x0, spare, x2 \
	VADDPD x0, spare, x0

// UNHAAR is Unhaar of four registers in place, with one to spare: x0 … x3 arrive where s, t, a, b were. The lines
// compute v, u, x1, x0, x2, x3.
#define UNHAAR(s, t, a, b, spare) \
	VSUBPD t, s, spare \
	VADDPD t, s, s     \
	VSUBPD a, s, t     \
	VADDPD a, s, s     \
	VADDPD b, spare, a \
	VSUBPD b, spare, b

// ROWS loads the arguments of the loops over rows: DI the first row, R8 the stride in bytes, R9 three times that, DX
// the number of parts.
#define ROWS \
	MOVQ x+0(FP), DI       \
	MOVQ stride+8(FP), R8  \
	MOVQ parts+24(FP), DX  \
	SHLQ $3, R8            \
	LEAQ (R8)(R8*2), R9

// PART loads the number of columns of a part and moves SI to its first row, DI to the next part.
#define PART \
	MOVQ columns+16(FP), CX \
	MOVQ DI, SI             \
	LEAQ (DI)(R8*4), DI

// LOAD loads eight columns of the rows at SI: Y0 … Y3 and Y5 … Y8.
#define LOAD \
	VMOVUPD (SI), Y0         \
	VMOVUPD (SI)(R8*1), Y1   \
	VMOVUPD (SI)(R8*2), Y2   \
	VMOVUPD (SI)(R9*1), Y3   \
	VMOVUPD 32(SI), Y5       \
	VMOVUPD 32(SI)(R8*1), Y6 \
	VMOVUPD 32(SI)(R8*2), Y7 \
	VMOVUPD 32(SI)(R9*1), Y8

// func forwardAVX2(x *float64, stride, columns, parts int)
TEXT ·forwardAVX2(SB), NOSPLIT, $0-32
	ROWS

part:
	PART

eight:
	LOAD
	HAAR(Y0, Y1, Y2, Y3, Y4)
	HAAR(Y5, Y6, Y7, Y8, Y9)
	VMOVUPD Y0, (SI)
	VMOVUPD Y5, 32(SI)
	VMOVUPD Y2, (SI)(R8*1)
	VMOVUPD Y7, 32(SI)(R8*1)
	VMOVUPD Y1, (SI)(R8*2)
	VMOVUPD Y6, 32(SI)(R8*2)
	VMOVUPD Y3, (SI)(R9*1)
	VMOVUPD Y8, 32(SI)(R9*1)
	ADDQ    $64, SI
	SUBQ    $8, CX
	JNE     eight
	DECQ    DX
	JNE     part
	VZEROUPPER
	RET

// func backwardAVX2(x *float64, stride, columns, parts int)
TEXT ·backwardAVX2(SB), NOSPLIT, $0-32
	ROWS

part:
	PART

eight:
	LOAD
	UNHAAR(Y0, Y1, Y2, Y3, Y4)
	UNHAAR(Y5, Y6, Y7, Y8, Y9)
	VMOVUPD Y0, (SI)
	VMOVUPD Y5, 32(SI)
	VMOVUPD Y1, (SI)(R8*1)
	VMOVUPD Y6, 32(SI)(R8*1)
	VMOVUPD Y2, (SI)(R8*2)
	VMOVUPD Y7, 32(SI)(R8*2)
	VMOVUPD Y3, (SI)(R9*1)
	VMOVUPD Y8, 32(SI)(R9*1)
	ADDQ    $64, SI
	SUBQ    $8, CX
	JNE     eight
	DECQ    DX
	JNE     part
	VZEROUPPER
	RET

// TURN transposes the 4 × 4 numbers of x0 … x3, with four registers to spare.
#define TURN(x0, x1, x2, x3, s0, s1, s2, s3) \
	VUNPCKLPD  x1, x0, s0        \
	VUNPCKHPD  x1, x0, s1        \
	VUNPCKLPD  x3, x2, s2        \
	VUNPCKHPD  x3, x2, s3        \
	VPERM2F128 $0x20, s2, s0, x0 \
	VPERM2F128 $0x20, s3, s1, x1 \
	VPERM2F128 $0x31, s2, s0, x2 \
	VPERM2F128 $0x31, s3, s1, x3

// func scaleAVX2(x *float64, class *uint8, n int, factors *Factors)
TEXT ·scaleAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), DI
	MOVQ class+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ factors+24(FP), DX
	ADDQ SI, CX

next:
	MOVBLZX (SI), AX
	LEAQ    (AX)(AX*2), AX  // 12 factors take 3 · 32 bytes
	SHLQ    $5, AX
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
	VMOVUPD 64(DI), Y2
	VMOVUPD 96(DI), Y3
	HAAR(Y0, Y1, Y2, Y3, Y4)
	TURN(Y0, Y2, Y1, Y3, Y4, Y5, Y6, Y7)
	HAAR(Y0, Y2, Y1, Y3, Y4)
	VMULPD  (DX)(AX*1), Y0, Y0
	VMULPD  32(DX)(AX*1), Y1, Y1
	VMULPD  64(DX)(AX*1), Y2, Y2
	VMULPD  64(DX)(AX*1), Y3, Y3
	UNHAAR(Y0, Y1, Y2, Y3, Y4)
	TURN(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7)
	UNHAAR(Y0, Y1, Y2, Y3, Y4)
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	ADDQ    $128, DI
	INCQ    SI
	CMPQ    SI, CX
	JNE     next
	VZEROUPPER
	RET

// func transpose64AVX2(dst, src *float64)
//
// Rows have 512 bytes. Tiles of 4 × 4 are taken in the order of src, where SI points to one; CX counts rows of tiles,
// R8 the tiles of a row, which are a column of tiles in dst, R9 points to the first of these and DI to the current one.
TEXT ·transpose64AVX2(SB), NOSPLIT, $0-16
	MOVQ dst+0(FP), R9
	MOVQ src+8(FP), SI
	MOVQ $16, CX

row:
	MOVQ R9, DI
	MOVQ $16, R8

tile:
	VMOVUPD (SI), Y0
	VMOVUPD 512(SI), Y1
	VMOVUPD 1024(SI), Y2
	VMOVUPD 1536(SI), Y3
	TURN(Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7)
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 512(DI)
	VMOVUPD Y2, 1024(DI)
	VMOVUPD Y3, 1536(DI)
	ADDQ    $32, SI
	ADDQ    $2048, DI
	DECQ    R8
	JNE     tile
	ADDQ    $1536, SI
	ADDQ    $32, R9
	DECQ    CX
	JNE     row
	VZEROUPPER
	RET

// Rows of a table: DI points to the numbers of all columns, DX is the number of registers that hold them, SI points to
// the table, R8 is its stride in bytes, R9 points to the rows' numbers, R10 to their values, CX counts them, AX is the
// place of a row.

// NEXTROW loads a row's place and its value, four times, into Y8.
#define NEXTROW \
	MOVL         (R9), AX   \
	IMULQ        R8, AX     \
	VBROADCASTSD (R10), Y8  \
	ADDQ         $4, R9     \
	ADDQ         $8, R10

// ADDTERM adds to a register the numbers of a row at an offset times its value.
#define ADDTERM(offset, sum) \
	VMULPD offset(SI)(AX*1), Y8, Y9 \
	VADDPD Y9, sum, sum

// ADDBACK adds to the numbers of a row at an offset its value times a register.
#define ADDBACK(offset, by) \
	VMULPD  by, Y8, Y9                 \
	VADDPD  offset(SI)(AX*1), Y9, Y9   \
	VMOVUPD Y9, offset(SI)(AX*1)

// LAST jumps to a label if a column is the last one.
#define LAST(n, label) \
	CMPQ DX, $n \
	JEQ  label

// func gatherRowsAVX2(dst *float64, registers int, table *float64, stride int, ids *uint32, values *float64, n int)
TEXT ·gatherRowsAVX2(SB), NOSPLIT, $0-56
	MOVQ   dst+0(FP), DI
	MOVQ   registers+8(FP), DX
	MOVQ   table+16(FP), SI
	MOVQ   stride+24(FP), R8
	MOVQ   ids+32(FP), R9
	MOVQ   values+40(FP), R10
	MOVQ   n+48(FP), CX
	SHLQ   $3, R8
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7

term:
	NEXTROW
	ADDTERM(0, Y0)
	LAST(1, added)
	ADDTERM(32, Y1)
	LAST(2, added)
	ADDTERM(64, Y2)
	LAST(3, added)
	ADDTERM(96, Y3)
	LAST(4, added)
	ADDTERM(128, Y4)
	LAST(5, added)
	ADDTERM(160, Y5)
	LAST(6, added)
	ADDTERM(192, Y6)
	LAST(7, added)
	ADDTERM(224, Y7)

added:
	DECQ    CX
	JNE     term
	VMOVUPD Y0, (DI)
	LAST(1, stored)
	VMOVUPD Y1, 32(DI)
	LAST(2, stored)
	VMOVUPD Y2, 64(DI)
	LAST(3, stored)
	VMOVUPD Y3, 96(DI)
	LAST(4, stored)
	VMOVUPD Y4, 128(DI)
	LAST(5, stored)
	VMOVUPD Y5, 160(DI)
	LAST(6, stored)
	VMOVUPD Y6, 192(DI)
	LAST(7, stored)
	VMOVUPD Y7, 224(DI)

stored:
	VZEROUPPER
	RET

// func scatterRowsAVX2(table *float64, stride int, ids *uint32, values *float64, n int, by *float64, registers int)
TEXT ·scatterRowsAVX2(SB), NOSPLIT, $0-56
	MOVQ    table+0(FP), SI
	MOVQ    stride+8(FP), R8
	MOVQ    ids+16(FP), R9
	MOVQ    values+24(FP), R10
	MOVQ    n+32(FP), CX
	MOVQ    by+40(FP), DI
	MOVQ    registers+48(FP), DX
	SHLQ    $3, R8
	VMOVUPD (DI), Y0
	LAST(1, row)
	VMOVUPD 32(DI), Y1
	LAST(2, row)
	VMOVUPD 64(DI), Y2
	LAST(3, row)
	VMOVUPD 96(DI), Y3
	LAST(4, row)
	VMOVUPD 128(DI), Y4
	LAST(5, row)
	VMOVUPD 160(DI), Y5
	LAST(6, row)
	VMOVUPD 192(DI), Y6
	LAST(7, row)
	VMOVUPD 224(DI), Y7

row:
	NEXTROW
	ADDBACK(0, Y0)
	LAST(1, written)
	ADDBACK(32, Y1)
	LAST(2, written)
	ADDBACK(64, Y2)
	LAST(3, written)
	ADDBACK(96, Y3)
	LAST(4, written)
	ADDBACK(128, Y4)
	LAST(5, written)
	ADDBACK(160, Y5)
	LAST(6, written)
	ADDBACK(192, Y6)
	LAST(7, written)
	ADDBACK(224, Y7)

written:
	DECQ CX
	JNE  row
	VZEROUPPER
	RET

// func sumCountsAVX2(sum *Counts, table *[1 << 16]Counts, rows, times *uint16, n int)
//
// SI points to the table, R9 to the numbers of rows, R10 to how often each counts, or it is 0; CX counts them, and AX
// is the place of a row.
TEXT ·sumCountsAVX2(SB), NOSPLIT, $0-40
	MOVQ  sum+0(FP), DI
	MOVQ  table+8(FP), SI
	MOVQ  rows+16(FP), R9
	MOVQ  times+24(FP), R10
	MOVQ  n+32(FP), CX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	TESTQ R10, R10
	JNE   several

once:
	MOVWLZX (R9), AX
	SHLQ    $6, AX
	VPADDW  (SI)(AX*1), Y0, Y0
	VPADDW  32(SI)(AX*1), Y1, Y1
	ADDQ    $2, R9
	DECQ    CX
	JNE     once
	JMP     done

several:
	MOVWLZX      (R9), AX
	SHLQ         $6, AX
	VPBROADCASTW (R10), Y2
	VPMULLW      (SI)(AX*1), Y2, Y3
	VPADDW       Y3, Y0, Y0
	VPMULLW      32(SI)(AX*1), Y2, Y3
	VPADDW       Y3, Y1, Y1
	ADDQ         $2, R9
	ADDQ         $2, R10
	DECQ         CX
	JNE          several

done:
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VZEROUPPER
	RET
