//go:build amd64 && !purego

#include "textflag.h"

// The loops of lanes.go, a vector register for the four numbers of an entry. Products and sums round one by one, as in
// Go: nothing is fused.

// func addAtAVX(dst *Lanes, to *int32, src *Lanes, from *int32, n int)
TEXT ·addAtAVX(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ to+8(FP), SI
	MOVQ src+16(FP), DX
	MOVQ from+24(FP), R8
	MOVQ n+32(FP), CX
	LEAQ (SI)(CX*4), SI
	LEAQ (R8)(CX*4), R8
	NEGQ CX

next:
	MOVL    (SI)(CX*4), AX
	MOVL    (R8)(CX*4), BX
	SHLQ    $5, AX
	SHLQ    $5, BX
	VMOVUPD (DI)(AX*1), Y0
	VADDPD  (DX)(BX*1), Y0, Y0
	VMOVUPD Y0, (DI)(AX*1)
	INCQ    CX
	JNZ     next
	VZEROUPPER
	RET

// func addScaledAtAVX(dst *Lanes, to *int32, src *Lanes, from *int32, n int, by *float64)
TEXT ·addScaledAtAVX(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ to+8(FP), SI
	MOVQ src+16(FP), DX
	MOVQ from+24(FP), R8
	MOVQ n+32(FP), CX
	MOVQ by+40(FP), R9
	LEAQ (SI)(CX*4), SI
	LEAQ (R8)(CX*4), R8
	LEAQ (R9)(CX*8), R9
	NEGQ CX

next:
	MOVL         (SI)(CX*4), AX
	MOVL         (R8)(CX*4), BX
	SHLQ         $5, AX
	SHLQ         $5, BX
	VBROADCASTSD (R9)(CX*8), Y0
	VMULPD       (DX)(BX*1), Y0, Y0
	VADDPD       (DI)(AX*1), Y0, Y0
	VMOVUPD      Y0, (DI)(AX*1)
	INCQ         CX
	JNZ          next
	VZEROUPPER
	RET

// func pairsUpAVX(c, v *Lanes, pairs *Pair, n int)
TEXT ·pairsUpAVX(SB), NOSPLIT, $0-32
	MOVQ c+0(FP), DI
	MOVQ v+8(FP), DX
	MOVQ pairs+16(FP), SI
	MOVQ n+24(FP), CX

next:
	MOVL    (SI), AX          // parent
	MOVL    8(SI), BX         // doc1
	MOVL    12(SI), R8        // doc2
	SHLQ    $5, AX
	SHLQ    $5, BX
	SHLQ    $5, R8
	VMOVUPD (DX)(BX*1), Y0
	VADDPD  (DX)(R8*1), Y0, Y0
	VADDPD  (DI)(AX*1), Y0, Y0
	VMOVUPD Y0, (DI)(AX*1)
	ADDQ    $16, SI
	DECQ    CX
	JNZ     next
	VZEROUPPER
	RET

// func pairsDownAVX(dst, c, v *Lanes, pairs *Pair, n int, omega *float64)
TEXT ·pairsDownAVX(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ c+8(FP), R9
	MOVQ v+16(FP), DX
	MOVQ pairs+24(FP), SI
	MOVQ n+32(FP), CX
	MOVQ omega+40(FP), R10

next:
	MOVL         (SI), AX     // parent
	MOVL         4(SI), R11   // omega
	MOVL         8(SI), BX    // doc1
	MOVL         12(SI), R8   // doc2
	SHLQ         $5, AX
	SHLQ         $5, BX
	SHLQ         $5, R8
	VMOVUPD      (DX)(BX*1), Y0
	VADDPD       (DX)(R8*1), Y0, Y0
	VBROADCASTSD (R10)(R11*8), Y1
	VMULPD       Y0, Y1, Y0
	VADDPD       (R9)(AX*1), Y0, Y0
	VADDPD       (DI)(BX*1), Y0, Y1
	VMOVUPD      Y1, (DI)(BX*1)
	VADDPD       (DI)(R8*1), Y0, Y1
	VMOVUPD      Y1, (DI)(R8*1)
	ADDQ         $16, SI
	DECQ         CX
	JNZ          next
	VZEROUPPER
	RET

// func nodesUpAVX(c *Lanes, nodes *Edge, n int)
TEXT ·nodesUpAVX(SB), NOSPLIT, $0-24
	MOVQ c+0(FP), DI
	MOVQ nodes+8(FP), SI
	MOVQ n+16(FP), CX
	DECQ CX                   // the last node
	MOVQ CX, BX
	SHLQ $5, BX

next:
	MOVL    (SI)(CX*8), AX    // parent
	SHLQ    $5, AX
	VMOVUPD (DI)(BX*1), Y0
	VADDPD  (DI)(AX*1), Y0, Y0
	VMOVUPD Y0, (DI)(AX*1)
	SUBQ    $32, BX
	DECQ    CX
	JNZ     next
	VZEROUPPER
	RET

// func nodesDownAVX(c *Lanes, nodes *Edge, n int, omega *float64)
TEXT ·nodesDownAVX(SB), NOSPLIT, $0-32
	MOVQ c+0(FP), DI
	MOVQ nodes+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ omega+24(FP), R10
	DECQ CX                   // the root has none above
	LEAQ 32(DI), DX

next:
	ADDQ         $8, SI
	MOVL         (SI), AX     // parent
	MOVL         4(SI), BX    // omega
	SHLQ         $5, AX
	VBROADCASTSD (R10)(BX*8), Y0
	VMULPD       (DX), Y0, Y0
	VADDPD       (DI)(AX*1), Y0, Y0
	VMOVUPD      Y0, (DX)
	ADDQ         $32, DX
	DECQ         CX
	JNZ          next
	VZEROUPPER
	RET

// func fanUpAVX(to, v *Lanes, docs *uint16, n int, by float64)
TEXT ·fanUpAVX(SB), NOSPLIT, $0-40
	MOVQ   to+0(FP), DI
	MOVQ   v+8(FP), DX
	MOVQ   docs+16(FP), SI
	MOVQ   n+24(FP), CX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	SUBQ   $4, CX
	JLT    rest

four:
	MOVWQZX (SI), AX
	MOVWQZX 2(SI), BX
	MOVWQZX 4(SI), R8
	MOVWQZX 6(SI), R9
	SHLQ    $5, AX
	SHLQ    $5, BX
	SHLQ    $5, R8
	SHLQ    $5, R9
	VADDPD  (DX)(AX*1), Y0, Y0
	VADDPD  (DX)(BX*1), Y1, Y1
	VADDPD  (DX)(R8*1), Y2, Y2
	VADDPD  (DX)(R9*1), Y3, Y3
	ADDQ    $8, SI
	SUBQ    $4, CX
	JGE     four

rest:
	ADDQ $4, CX
	JZ   done

one:
	MOVWQZX (SI), AX
	SHLQ    $5, AX
	VADDPD  (DX)(AX*1), Y0, Y0
	ADDQ    $2, SI
	DECQ    CX
	JNZ     one

done:
	VADDPD       Y1, Y0, Y0
	VADDPD       Y3, Y2, Y2
	VADDPD       Y2, Y0, Y0
	VBROADCASTSD by+32(FP), Y1
	VMULPD       Y1, Y0, Y0
	VADDPD       (DI), Y0, Y0
	VMOVUPD      Y0, (DI)
	VZEROUPPER
	RET

// func fanDownAVX(dst *Lanes, docs *uint16, n int, val *Lanes, by float64)
TEXT ·fanDownAVX(SB), NOSPLIT, $0-40
	MOVQ         dst+0(FP), DI
	MOVQ         docs+8(FP), SI
	MOVQ         n+16(FP), CX
	MOVQ         val+24(FP), DX
	VBROADCASTSD by+32(FP), Y0
	VMULPD       (DX), Y0, Y0

next:
	MOVWQZX (SI), AX
	SHLQ    $5, AX
	VADDPD  (DI)(AX*1), Y0, Y1
	VMOVUPD Y1, (DI)(AX*1)
	ADDQ    $2, SI
	DECQ    CX
	JNZ     next
	VZEROUPPER
	RET
