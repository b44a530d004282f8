#include "textflag.h"

// ORDERED makes integers of the floats in r that are ordered as they are (function ordered), and floats again of such integers; t is
// overwritten.
#define ORDERED(r, t) \
	VPSRAD $31, r, t; \
	VPSRLD $1, t, t;  \
	VPXOR  t, r, r

// func scanLanes(sums *float64, tops *float64, x *float32, channels, size int, state *lanesState)
//
// Y15 is the shift, Y14 the sums of squares, Y11 those of absolute values, X13 the least entries, Y12 the mask of lane 0, Y10 that of all
// bits but the sign; per channel Y0 is the sum and X1 the largest entries.
TEXT ·scanLanes(SB), NOSPLIT, $0-48
	MOVQ         sums+0(FP), DI
	MOVQ         tops+8(FP), R8
	MOVQ         x+16(FP), SI
	MOVQ         channels+24(FP), CX
	MOVQ         size+32(FP), DX
	MOVQ         state+40(FP), R9
	VBROADCASTSD (R9), Y15
	VMOVUPD      8(R9), Y14
	VMOVUPD      40(R9), Y11
	VMOVDQU      72(R9), X13
	VPCMPEQQ     Y10, Y10, Y10
	VPSRLQ       $1, Y10, Y10
	VPCMPEQD     X12, X12, X12
	VPSRLDQ      $8, X12, X12

channel:
	TESTQ        CX, CX
	JZ           done
	VXORPD       Y0, Y0, Y0
	VPBROADCASTD (SI), X1
	ORDERED(X1, X2)
	MOVQ         DX, R10

group:
	CMPQ      R10, $4
	JLT       rest
	VMOVDQU   (SI), X3
	VCVTPS2PD X3, Y4
	VANDPD    Y10, Y4, Y5
	VADDPD    Y5, Y11, Y11
	VSUBPD    Y15, Y4, Y4
	VADDPD    Y4, Y0, Y0
	VMULPD    Y4, Y4, Y4
	VADDPD    Y4, Y14, Y14
	ORDERED(X3, X2)
	VPMINSD   X3, X13, X13
	VPMAXSD   X3, X1, X1
	ADDQ      $16, SI
	SUBQ      $4, R10
	JMP       group

rest:
	TESTQ        R10, R10
	JZ           sum
	VPBROADCASTD (SI), X3
	VCVTPS2PD    X3, Y4
	VANDPD       Y10, Y4, Y5
	VANDPD       Y12, Y5, Y5
	VADDPD       Y5, Y11, Y11
	VSUBPD       Y15, Y4, Y4
	VANDPD       Y12, Y4, Y4
	VADDPD       Y4, Y0, Y0
	VMULPD       Y4, Y4, Y4
	VADDPD       Y4, Y14, Y14
	ORDERED(X3, X2)
	VPMINSD      X3, X13, X13
	VPMAXSD      X3, X1, X1
	ADDQ         $4, SI
	DECQ         R10
	JMP          rest

sum:
	VHADDPD      Y0, Y0, Y0
	VEXTRACTF128 $1, Y0, X2
	VADDSD       X2, X0, X0
	VMOVSD       X0, (DI)
	VPSHUFD      $0x4E, X1, X2
	VPMAXSD      X2, X1, X1
	VPSHUFD      $0xB1, X1, X2
	VPMAXSD      X2, X1, X1
	ORDERED(X1, X2)
	VCVTSS2SD    X1, X1, X1
	VMOVSD       X1, (R8)
	ADDQ         $8, DI
	ADDQ         $8, R8
	DECQ         CX
	JMP          channel

done:
	VMOVUPD Y14, 8(R9)
	VMOVUPD Y11, 40(R9)
	VMOVDQU X13, 72(R9)
	VZEROUPPER
	RET
