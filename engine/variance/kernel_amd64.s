#include "textflag.h"

// func squareLanes(sums *[16]float64, a, b *float64, stride, n int)
//
// Y0..Y3 are the partial sums of the four rows, Y4 four numbers of a, Y5..Y8 their differences.
TEXT ·squareLanes(SB), NOSPLIT, $0-40
	MOVQ   sums+0(FP), DI
	MOVQ   a+8(FP), SI
	MOVQ   b+16(FP), R8
	MOVQ   stride+24(FP), DX
	MOVQ   n+32(FP), CX
	LEAQ   (R8)(DX*8), R9
	LEAQ   (R9)(DX*8), R10
	LEAQ   (R10)(DX*8), R11
	XORQ   AX, AX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3

loop:
	CMPQ    AX, CX
	JGE     done
	VMOVUPD (SI)(AX*8), Y4
	VSUBPD  (R8)(AX*8), Y4, Y5
	VSUBPD  (R9)(AX*8), Y4, Y6
	VSUBPD  (R10)(AX*8), Y4, Y7
	VSUBPD  (R11)(AX*8), Y4, Y8
	VMULPD  Y5, Y5, Y5
	VMULPD  Y6, Y6, Y6
	VMULPD  Y7, Y7, Y7
	VMULPD  Y8, Y8, Y8
	VADDPD  Y5, Y0, Y0
	VADDPD  Y6, Y1, Y1
	VADDPD  Y7, Y2, Y2
	VADDPD  Y8, Y3, Y3
	ADDQ    $4, AX
	JMP     loop

done:
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VZEROUPPER
	RET
