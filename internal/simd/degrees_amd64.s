//go:build amd64 && !purego

#include "textflag.h"

// Numbers of bits of 0 … 15, the low four bits of a byte, and 2⁵².
DATA bits<>+0(SB)/8, $0x0302020102010100
DATA bits<>+8(SB)/8, $0x0403030203020201
DATA bits<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA bits<>+24(SB)/8, $0x4330000000000000
GLOBL bits<>(SB), RODATA|NOPTR, $32

// With AVX-512, degrees of eight windows at once, a word of each in a register. Z0 is the sum of matches, Z1 that of
// these sums, Z30 the factor, Z31 ones. The masks of windows of up to four words stay in Z2 … Z5, those of longer
// windows in memory.

// A mask begins with the positions that do not match nothing in x, and keeps in each plane those that match.
#define BEGIN(at, mask) \
	VPXORQ.BCST at(R8), Z31, mask

#define MATCH(at, mask) \
	VMOVDQU64       (8*at)(R9), Z8 \
	VPTERNLOGQ.BCST $0x90, at(DX), Z8, mask

#define BEGIN1 \
	BEGIN(0, Z2)
#define BEGIN2 \
	BEGIN1       \
	BEGIN(8, Z3)
#define BEGIN3 \
	BEGIN2        \
	BEGIN(16, Z4)
#define BEGIN4 \
	BEGIN3        \
	BEGIN(24, Z5)

#define MATCH1 \
	MATCH(0, Z2)   \
	ADDQ $8, DX    \
	ADDQ $64, R9

#define MATCH2 \
	MATCH(0, Z2)   \
	MATCH(8, Z3)   \
	ADDQ $16, DX   \
	ADDQ $128, R9

#define MATCH3 \
	MATCH(0, Z2)   \
	MATCH(8, Z3)   \
	MATCH(16, Z4)  \
	ADDQ $24, DX   \
	ADDQ $192, R9

#define MATCH4 \
	MATCH(0, Z2)   \
	MATCH(8, Z3)   \
	MATCH(16, Z4)  \
	MATCH(24, Z5)  \
	ADDQ $32, DX   \
	ADDQ $256, R9

// One length: count the matches, and go on to those of one letter more.
#define LENGTH1 \
	VPOPCNTQ Z2, Z8     \
	VPADDQ   Z8, Z0, Z0 \
	VPADDQ   Z0, Z1, Z1 \
	VPSRLQ   $1, Z2, Z8 \
	VPANDQ   Z8, Z2, Z2

#define LENGTH2 \
	VPOPCNTQ Z2, Z8     \
	VPOPCNTQ Z3, Z9     \
	VPADDQ   Z8, Z0, Z0 \
	VPADDQ   Z9, Z0, Z0 \
	VPADDQ   Z0, Z1, Z1 \
	VPSRLQ   $1, Z2, Z8 \
	VPANDQ   Z3, Z2, Z2 \
	VPANDQ   Z8, Z3, Z3

#define LENGTH3 \
	VPOPCNTQ Z2, Z8     \
	VPOPCNTQ Z3, Z9     \
	VPOPCNTQ Z4, Z10    \
	VPADDQ   Z8, Z0, Z0 \
	VPADDQ   Z9, Z10, Z9 \
	VPADDQ   Z9, Z0, Z0 \
	VPADDQ   Z0, Z1, Z1 \
	VPSRLQ   $1, Z2, Z8 \
	VPANDQ   Z3, Z2, Z2 \
	VPANDQ   Z4, Z3, Z3 \
	VPANDQ   Z8, Z4, Z4

#define LENGTH4 \
	VPOPCNTQ Z2, Z8     \
	VPOPCNTQ Z3, Z9     \
	VPOPCNTQ Z4, Z10    \
	VPOPCNTQ Z5, Z11    \
	VPADDQ   Z8, Z9, Z8 \
	VPADDQ   Z10, Z11, Z10 \
	VPADDQ   Z8, Z10, Z8 \
	VPADDQ   Z8, Z0, Z0 \
	VPADDQ   Z0, Z1, Z1 \
	VPSRLQ   $1, Z2, Z8 \
	VPANDQ   Z3, Z2, Z2 \
	VPANDQ   Z4, Z3, Z3 \
	VPANDQ   Z5, Z4, Z4 \
	VPANDQ   Z8, Z5, Z5

// What is left of matches, in Z8.
#define LEFT1 \
	VMOVDQA64 Z2, Z8
#define LEFT2 \
	VPORQ Z2, Z3, Z8
#define LEFT3 \
	VPORQ Z2, Z3, Z8 \
	VPORQ Z4, Z8, Z8
#define LEFT4 \
	VPORQ Z2, Z3, Z8 \
	VPORQ Z4, Z5, Z9 \
	VPORQ Z8, Z9, Z8

// ADD adds the sums to dst, in which what is left of d counts the last one.
#define ADD \
	VPBROADCASTQ AX, Z8        \
	VPMULLQ      Z8, Z0, Z0    \
	VPADDQ       Z0, Z1, Z1    \
	VCVTQQ2PD    Z1, Z1        \
	VMULPD       Z30, Z1, Z1   \
	VADDPD       (DI), Z1, Z1  \
	VMOVUPD      Z1, (DI)      \
	ADDQ         $64, DI

// DEGREES is the loop over blocks. Whether matches are left is asked after six lengths, and then after every two: in
// random windows the longest match of eight has five or six letters.
#define DEGREES(begin, match, length, left) \
	MOVQ         dst+0(FP), DI        \
	MOVQ         blocks+8(FP), CX     \
	MOVQ         x+16(FP), SI         \
	MOVQ         none+24(FP), R8      \
	MOVQ         windows+32(FP), R9   \
	MOVQ         planes+40(FP), R10   \
	MOVQ         d+48(FP), R11        \
	VBROADCASTSD by+56(FP), Z30       \
	VPTERNLOGQ   $0xff, Z31, Z31, Z31 \
block:                                \
	begin                                \
	MOVQ         SI, DX               \
	MOVQ         R10, BX              \
plane:                                \
	match                             \
	DECQ         BX                   \
	JNZ          plane                \
	VPXORQ       Z0, Z0, Z0           \
	VPXORQ       Z1, Z1, Z1           \
	MOVQ         R11, AX              \
	MOVQ         $3, BX               \
two:                                  \
	SUBQ         $2, AX               \
	JLT          one                  \
	length                            \
	length                            \
	DECQ         BX                   \
	JGT          two                  \
	left                              \
	VPTESTMQ     Z8, Z8, K1           \
	KORTESTW     K1, K1               \
	JNZ          two                  \
	JMP          add                  \
one:                                  \
	ADDQ         $2, AX               \
	JZ           add                  \
	length                            \
	XORQ         AX, AX               \
add:                                  \
	ADD                               \
	DECQ         CX                   \
	JNZ          block                \
	VZEROUPPER                        \
	RET

// func addDegrees1AVX512(dst *float64, blocks int, x, none, windows *uint64, planes, d int, by float64)
TEXT ·addDegrees1AVX512(SB), NOSPLIT, $0-64
	DEGREES(BEGIN1, MATCH1, LENGTH1, LEFT1)

// func addDegrees2AVX512(dst *float64, blocks int, x, none, windows *uint64, planes, d int, by float64)
TEXT ·addDegrees2AVX512(SB), NOSPLIT, $0-64
	DEGREES(BEGIN2, MATCH2, LENGTH2, LEFT2)

// func addDegrees3AVX512(dst *float64, blocks int, x, none, windows *uint64, planes, d int, by float64)
TEXT ·addDegrees3AVX512(SB), NOSPLIT, $0-64
	DEGREES(BEGIN3, MATCH3, LENGTH3, LEFT3)

// func addDegrees4AVX512(dst *float64, blocks int, x, none, windows *uint64, planes, d int, by float64)
TEXT ·addDegrees4AVX512(SB), NOSPLIT, $0-64
	DEGREES(BEGIN4, MATCH4, LENGTH4, LEFT4)

// func addDegreesAVX512(dst *float64, blocks int, x, none, windows *uint64, planes, d int, by float64,
//	masks *uint64, words int)
TEXT ·addDegreesAVX512(SB), NOSPLIT, $0-80
	MOVQ         dst+0(FP), DI
	MOVQ         windows+32(FP), R9
	VBROADCASTSD by+56(FP), Z30
	VPTERNLOGQ   $0xff, Z31, Z31, Z31
	MOVQ         masks+64(FP), R10
	MOVQ         words+72(FP), R11
	MOVQ         R11, R12
	SHLQ         $6, R12             // bytes of the masks, and of a plane
	LEAQ         (R10)(R12*1), R13   // after the masks

block:
	MOVQ none+24(FP), R8
	MOVQ x+16(FP), SI
	MOVQ R10, CX

word:
	BEGIN(0, Z2)
	MOVQ planes+40(FP), BX
	MOVQ SI, DX
	MOVQ R9, AX

plane:
	VMOVDQU64       (AX), Z8
	VPTERNLOGQ.BCST $0x90, (DX), Z8, Z2
	LEAQ            (DX)(R11*8), DX
	ADDQ            R12, AX
	DECQ            BX
	JNZ             plane
	VMOVDQU64       Z2, (CX)
	ADDQ            $8, SI
	ADDQ            $8, R8
	ADDQ            $64, R9
	ADDQ            $64, CX
	CMPQ            CX, R13
	JLT             word
	LEAQ            64(AX), R9
	SUBQ            R12, R9
	VPXORQ          Z0, Z0, Z0
	VPXORQ          Z1, Z1, Z1
	MOVQ            d+48(FP), AX
	MOVQ            $6, BX

length:
	VMOVDQU64 (R10), Z2
	VPSRLQ    $1, Z2, Z4
	VPXORQ    Z5, Z5, Z5
	LEAQ      64(R10), CX

next:
	VMOVDQU64 (CX), Z3
	VPOPCNTQ  Z2, Z8
	VPADDQ    Z8, Z0, Z0
	VPANDQ    Z3, Z2, Z2
	VMOVDQU64 Z2, -64(CX)
	VPORQ     Z2, Z5, Z5
	VMOVDQA64 Z3, Z2
	ADDQ      $64, CX
	CMPQ      CX, R13
	JLT       next
	VPOPCNTQ  Z2, Z8
	VPADDQ    Z8, Z0, Z0
	VPADDQ    Z0, Z1, Z1
	VPANDQ    Z4, Z2, Z2
	VMOVDQU64 Z2, -64(CX)
	DECQ      AX
	JZ        add
	DECQ      BX
	JGT       length
	MOVQ      $2, BX
	VPORQ     Z2, Z5, Z8
	VPTESTMQ  Z8, Z8, K1
	KORTESTW  K1, K1
	JNZ       length

add:
	ADD
	DECQ blocks+8(FP)
	JNZ  block
	VZEROUPPER
	RET

// With AVX2, degrees of half a block at once, with masks in memory. Y0 is the sum of matches, Y1 that of these sums.

// COUNT adds the bits of Y2 to Y0, by a table of those of four.
#define COUNT \
	VPAND   Y15, Y2, Y7   \
	VPSRLW  $4, Y2, Y8    \
	VPAND   Y15, Y8, Y8   \
	VPSHUFB Y7, Y14, Y7   \
	VPSHUFB Y8, Y14, Y8   \
	VPADDB  Y7, Y8, Y7    \
	VPSADBW Y13, Y7, Y7   \
	VPADDQ  Y7, Y0, Y0

// func addDegreesAVX2(dst *float64, halves int, x, none, windows *uint64, planes, d int, by float64,
//	masks *uint64, words int)
TEXT ·addDegreesAVX2(SB), NOSPLIT, $0-80
	MOVQ           dst+0(FP), DI
	MOVQ           windows+32(FP), R9
	MOVQ           masks+64(FP), R10
	MOVQ           words+72(FP), R11
	MOVQ           R11, R12
	SHLQ           $5, R12            // bytes of the masks of half a block
	LEAQ           (R10)(R12*1), R13  // after them
	SHLQ           $1, R12            // bytes of a plane
	VBROADCASTI128 bits<>(SB), Y14
	VPBROADCASTB   bits<>+16(SB), Y15
	VPBROADCASTQ   bits<>+24(SB), Y11
	VPXOR          Y13, Y13, Y13
	VPCMPEQB       Y12, Y12, Y12
	VBROADCASTSD   by+56(FP), Y10
	MOVQ           R9, R15

half:
	MOVQ none+24(FP), R8
	MOVQ x+16(FP), SI
	MOVQ R10, CX

word:
	VPBROADCASTQ (R8), Y2
	VPXOR        Y12, Y2, Y2
	MOVQ         planes+40(FP), BX
	MOVQ         SI, DX
	MOVQ         R15, AX

plane:
	VPBROADCASTQ (DX), Y3
	VPXOR        (AX), Y3, Y3
	VPANDN       Y2, Y3, Y2
	LEAQ         (DX)(R11*8), DX
	ADDQ         R12, AX
	DECQ         BX
	JNZ          plane
	VMOVDQU      Y2, (CX)
	ADDQ         $8, SI
	ADDQ         $8, R8
	ADDQ         $64, R15
	ADDQ         $32, CX
	CMPQ         CX, R13
	JLT          word
	VPXOR        Y0, Y0, Y0
	VPXOR        Y1, Y1, Y1
	MOVQ         d+48(FP), SI
	MOVQ         $5, BX

length:
	VMOVDQU (R10), Y2
	VPSRLQ  $1, Y2, Y4
	VPXOR   Y5, Y5, Y5
	LEAQ    32(R10), CX
	CMPQ    CX, R13
	JGE     last

next:
	VMOVDQU (CX), Y3
	COUNT
	VPAND   Y3, Y2, Y2
	VMOVDQU Y2, -32(CX)
	VPOR    Y2, Y5, Y5
	VMOVDQA Y3, Y2
	ADDQ    $32, CX
	CMPQ    CX, R13
	JLT     next

last:
	COUNT
	VPADDQ  Y0, Y1, Y1
	VPAND   Y4, Y2, Y2
	VMOVDQU Y2, -32(CX)
	DECQ    SI
	JZ      add
	DECQ    BX
	JGT     length
	MOVQ    $2, BX
	VPOR    Y2, Y5, Y5
	VPTEST  Y5, Y5
	JNZ     length

add:
	VMOVQ        SI, X2
	VPBROADCASTQ X2, Y2
	VPMULUDQ     Y2, Y0, Y0
	VPADDQ       Y0, Y1, Y1
	VPOR         Y11, Y1, Y1 // 2⁵² and the sum
	VSUBPD       Y11, Y1, Y1
	VMULPD       Y10, Y1, Y1
	VADDPD       (DI), Y1, Y1
	VMOVUPD      Y1, (DI)
	ADDQ         $32, DI
	DECQ         halves+8(FP)
	JZ           done
	LEAQ         32(R9), R15
	TESTQ        $1, halves+8(FP)
	JNZ          half
	LEAQ         32(AX), R9
	SUBQ         R12, R9
	MOVQ         R9, R15
	JMP          half

done:
	VZEROUPPER
	RET
