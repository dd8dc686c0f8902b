//go:build amd64 && !purego

#include "textflag.h"

// func addScaledAVX(dst *float64, n int, vectors *[]float64, from int, weights *float64, m int)
//
// DI points to 16 sums, in Y0 … Y3; DX is their offset in the vectors, whose headers SI points to, R9 to the weights.
TEXT ·addScaledAVX(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ from+24(FP), DX
	SHLQ $3, DX

block:
	VMOVUPD (DI), Y0
	VMOVUPD 32(DI), Y1
	VMOVUPD 64(DI), Y2
	VMOVUPD 96(DI), Y3
	MOVQ    vectors+16(FP), SI
	MOVQ    weights+32(FP), R9
	MOVQ    m+40(FP), R8

vector:
	MOVQ         (SI), AX
	VBROADCASTSD (R9), Y8
	VMULPD       (AX)(DX*1), Y8, Y4
	VMULPD       32(AX)(DX*1), Y8, Y5
	VMULPD       64(AX)(DX*1), Y8, Y6
	VMULPD       96(AX)(DX*1), Y8, Y7
	VADDPD       Y4, Y0, Y0
	VADDPD       Y5, Y1, Y1
	VADDPD       Y6, Y2, Y2
	VADDPD       Y7, Y3, Y3
	ADDQ         $24, SI
	ADDQ         $8, R9
	DECQ         R8
	JNE          vector
	VMOVUPD      Y0, (DI)
	VMOVUPD      Y1, 32(DI)
	VMOVUPD      Y2, 64(DI)
	VMOVUPD      Y3, 96(DI)
	ADDQ         $128, DI
	ADDQ         $128, DX
	SUBQ         $16, CX
	JNE          block
	VZEROUPPER
	RET
