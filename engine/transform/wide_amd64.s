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
	VMOVUPS X9, 16(DI)
	VMOVUPS X10, 32(DI)
	VMOVUPS X11, 48(DI)
	ADDQ    $64, DI
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
	VMOVUPS 16(SI), X1
	VMOVUPS 32(SI), X2
	VMOVUPS 48(SI), X3
	TRANSPOSE
	VMOVUPS X8, (R8)(AX*4)
	VMOVUPS X9, (R9)(AX*4)
	VMOVUPS X10, (R10)(AX*4)
	VMOVUPS X11, (R11)(AX*4)
	ADDQ    $64, SI
	ADDQ    $4, AX
	JMP     loop

done:
	VZEROUPPER
	RET

// func squareLanes(dst, src *float32, squares *square, count, width int)
//
// R8 is the row below src. A square is 24 bytes: dst, src, w00, w01, w10, w11; a pixel of the four planes is 16.
TEXT ·squareLanes(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ squares+16(FP), BX
	MOVQ count+24(FP), CX
	MOVQ width+32(FP), DX
	SHLQ $4, DX
	LEAQ (SI)(DX*1), R8

loop:
	TESTQ        CX, CX
	JZ           done
	MOVLQSX      0(BX), R9
	MOVLQSX      4(BX), R10
	SHLQ         $4, R9
	SHLQ         $4, R10
	VBROADCASTSS 8(BX), X0
	VBROADCASTSS 12(BX), X1
	VBROADCASTSS 16(BX), X2
	VBROADCASTSS 20(BX), X3
	VMULPS       (SI)(R10*1), X0, X0
	VMULPS       16(SI)(R10*1), X1, X1
	VMULPS       (R8)(R10*1), X2, X2
	VMULPS       16(R8)(R10*1), X3, X3
	VADDPS       X1, X0, X0
	VADDPS       X2, X0, X0
	VADDPS       X3, X0, X0
	VMOVUPS      X0, (DI)(R9*1)
	ADDQ         $24, BX
	DECQ         CX
	JMP          loop

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
