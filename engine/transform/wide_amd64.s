#include "textflag.h"

// TRANSPOSE turns the rows X0..X3 of a 4 x 4 matrix into its columns X8..X11.
#define TRANSPOSE \
	VUNPCKLPS X1, X0, X4;  \
	VUNPCKHPS X1, X0, X5;  \
	VUNPCKLPS X3, X2, X6;  \
	VUNPCKHPS X3, X2, X7;  \
	VUNPCKLPD X6, X4, X8;  \
	VUNPCKHPD X6, X4, X9;  \
	VUNPCKLPD X7, X5, X10; \
	VUNPCKHPD X7, X5, X11

// func interleave(dst, p0, p1, p2, p3 *float32, n int)
TEXT ·interleave(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ p0+8(FP), R8
	MOVQ p1+16(FP), R9
	MOVQ p2+24(FP), R10
	MOVQ p3+32(FP), R11
	MOVQ n+40(FP), CX
	XORQ AX, AX

loop:
	CMPQ    AX, CX
	JGE     done
	VMOVUPS (R8)(AX*4), X0
	VMOVUPS (R9)(AX*4), X1
	VMOVUPS (R10)(AX*4), X2
	VMOVUPS (R11)(AX*4), X3
	TRANSPOSE
	VMOVUPS X8, (DI)
	VMOVUPS X9, 32(DI)
	VMOVUPS X10, 64(DI)
	VMOVUPS X11, 96(DI)
	ADDQ    $128, DI
	ADDQ    $4, AX
	JMP     loop

done:
	VZEROUPPER
	RET

// func separate(p0, p1, p2, p3, src *float32, n int)
TEXT ·separate(SB), NOSPLIT, $0-48
	MOVQ p0+0(FP), R8
	MOVQ p1+8(FP), R9
	MOVQ p2+16(FP), R10
	MOVQ p3+24(FP), R11
	MOVQ src+32(FP), SI
	MOVQ n+40(FP), CX
	XORQ AX, AX

loop:
	CMPQ    AX, CX
	JGE     done
	VMOVUPS (SI), X0
	VMOVUPS 32(SI), X1
	VMOVUPS 64(SI), X2
	VMOVUPS 96(SI), X3
	TRANSPOSE
	VMOVUPS X8, (R8)(AX*4)
	VMOVUPS X9, (R9)(AX*4)
	VMOVUPS X10, (R10)(AX*4)
	VMOVUPS X11, (R11)(AX*4)
	ADDQ    $128, SI
	ADDQ    $4, AX
	JMP     loop

done:
	VZEROUPPER
	RET

// func squareLanes(dst, src *float32, squares *square, count, width int)
//
// R8 is the row below src. A square is 24 bytes: dst, src, w00, w01, w10, w11; a pixel of the eight planes is 32.
TEXT ·squareLanes(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ squares+16(FP), BX
	MOVQ count+24(FP), CX
	MOVQ width+32(FP), DX
	SHLQ $5, DX
	LEAQ (SI)(DX*1), R8

loop:
	TESTQ        CX, CX
	JZ           done
	MOVLQSX      0(BX), R9
	MOVLQSX      4(BX), R10
	SHLQ         $5, R9
	SHLQ         $5, R10
	VBROADCASTSS 8(BX), Y0
	VBROADCASTSS 12(BX), Y1
	VBROADCASTSS 16(BX), Y2
	VBROADCASTSS 20(BX), Y3
	VMULPS       (SI)(R10*1), Y0, Y0
	VMULPS       32(SI)(R10*1), Y1, Y1
	VMULPS       (R8)(R10*1), Y2, Y2
	VMULPS       32(R8)(R10*1), Y3, Y3
	VADDPS       Y1, Y0, Y0
	VADDPS       Y2, Y0, Y0
	VADDPS       Y3, Y0, Y0
	VMOVUPS      Y0, (DI)(R9*1)
	ADDQ         $24, BX
	DECQ         CX
	JMP          loop

done:
	VZEROUPPER
	RET

// func rimLanes(dst, src *float32, to, first *int32, taps *tap, count int)
//
// A tap is 8 bytes: src, weight; a pixel of the eight planes is 32.
TEXT ·rimLanes(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ to+16(FP), R8
	MOVQ first+24(FP), R9
	MOVQ taps+32(FP), BX
	MOVQ count+40(FP), CX
	MOVLQSX (R9), R10

pixel:
	TESTQ   CX, CX
	JZ      done
	ADDQ    $4, R9
	MOVLQSX (R9), R11
	VXORPS  Y0, Y0, Y0

tap:
	CMPQ         R10, R11
	JGE          sum
	MOVLQSX      0(BX)(R10*8), R12
	SHLQ         $5, R12
	VBROADCASTSS 4(BX)(R10*8), Y1
	VMULPS       (SI)(R12*1), Y1, Y1
	VADDPS       Y1, Y0, Y0
	INCQ         R10
	JMP          tap

sum:
	MOVLQSX (R8), R12
	SHLQ    $5, R12
	VMOVUPS Y0, (DI)(R12*1)
	ADDQ    $4, R8
	DECQ    CX
	JMP     pixel

done:
	VZEROUPPER
	RET

// func scaleLanes(dst, src *float32, n int, mul, off float32)
TEXT ·scaleLanes(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSS mul+24(FP), Y0
	VBROADCASTSS off+28(FP), Y1
	XORQ         AX, AX

loop:
	CMPQ    AX, CX
	JGE     done
	VMULPS  (SI)(AX*4), Y0, Y2
	VADDPS  Y1, Y2, Y2
	VMOVUPS Y2, (DI)(AX*4)
	ADDQ    $8, AX
	JMP     loop

done:
	VZEROUPPER
	RET
