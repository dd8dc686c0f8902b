//go:build amd64 && !purego

#include "textflag.h"

// Codes of nucleotides by the low four bits of the letter, which tell A, C, G and T or U apart.
DATA codes<>+0(SB)/8, $0x0200030301000000
DATA codes<>+8(SB)/8, $0
GLOBL codes<>(SB), RODATA|NOPTR, $16

// The first byte of each of four numbers.
DATA firsts<>+0(SB)/8, $0x808080800c080400
DATA firsts<>+8(SB)/8, $0x8080808080808080
GLOBL firsts<>(SB), RODATA|NOPTR, $16

// Factors that join two codes, and two pairs of codes, the first one higher.
DATA joining<>+0(SB)/4, $0x01040104
DATA joining<>+4(SB)/4, $0x00010010
GLOBL joining<>(SB), RODATA|NOPTR, $8

// NUCLEOTIDES loads 32 letters, and goes to done unless each is the letter with its low four bits in the table Y8.
#define NUCLEOTIDES \
	CMPQ      AX, CX     \
	JGE       done       \
	VMOVDQU   (SI), Y0   \
	VPSHUFB   Y0, Y8, Y1 \
	VPCMPEQB  Y0, Y1, Y1 \
	VPMOVMSKB Y1, DX     \
	CMPL      DX, $-1    \
	JNE       done

// func packBasesAVX2(dst, x *byte, blocks int, letters *[16]byte) (packed int)
TEXT ·packBasesAVX2(SB), NOSPLIT, $0-40
	MOVQ           dst+0(FP), DI
	MOVQ           x+8(FP), SI
	MOVQ           blocks+16(FP), CX
	MOVQ           letters+24(FP), DX
	VBROADCASTI128 (DX), Y8
	VBROADCASTI128 codes<>(SB), Y9
	VPBROADCASTD   joining<>+0(SB), Y10
	VPBROADCASTD   joining<>+4(SB), Y11
	VBROADCASTI128 firsts<>(SB), Y12
	XORQ           AX, AX

block:
	NUCLEOTIDES
	VPSHUFB      Y0, Y9, Y0
	VPMADDUBSW   Y10, Y0, Y0
	VPMADDWD     Y11, Y0, Y0
	VPSHUFB      Y12, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPUNPCKLDQ   X1, X0, X0
	VMOVQ        X0, (DI)
	ADDQ         $32, SI
	ADDQ         $8, DI
	INCQ         AX
	JMP          block

done:
	VZEROUPPER
	MOVQ AX, packed+32(FP)
	RET

// func countBasesAVX2(x *byte, blocks int, letters *[16]byte) (counted int)
TEXT ·countBasesAVX2(SB), NOSPLIT, $0-32
	MOVQ           x+0(FP), SI
	MOVQ           blocks+8(FP), CX
	MOVQ           letters+16(FP), DX
	VBROADCASTI128 (DX), Y8
	XORQ           AX, AX

block:
	NUCLEOTIDES
	ADDQ $32, SI
	INCQ AX
	JMP  block

done:
	VZEROUPPER
	MOVQ AX, counted+24(FP)
	RET
