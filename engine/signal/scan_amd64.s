#include "textflag.h"

// ORDERED makes integers of the floats in r that are ordered as they are (function ordered), and floats again of such integers; t is
// overwritten.
#define ORDERED(r, t) \
	VPSRAD $31, r, t; \
	VPSRLD $1, t, t;  \
	VPXOR  t, r, r

// func scanLanes(x *float32, channels, size int, state *lanesState)
//
// Y15 is the shift, Y14 the sums of squares, Y11 those of absolute values, X13 the least entries, Y12 the mask of lane 0, Y10 that of all
// bits but the sign; per channel Y0 is the sum and X1 the largest entries. X6 to X9 are the channelTotals.
TEXT ·scanLanes(SB), NOSPLIT, $0-32
	MOVQ         x+0(FP), SI
	MOVQ         channels+8(FP), CX
	MOVQ         size+16(FP), DX
	MOVQ         state+24(FP), R9
	MOVQ         CX, R8
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
	VPSHUFD      $0x4E, X1, X2
	VPMAXSD      X2, X1, X1
	VPSHUFD      $0xB1, X1, X2
	VPMAXSD      X2, X1, X1
	ORDERED(X1, X2)
	VCVTSS2SD    X1, X1, X1
	VUNPCKLPD    X1, X0, X2
	CMPQ         CX, R8
	JNE          next
	VMOVUPD      X2, X6
	VXORPD       X7, X7, X7
	VXORPD       X8, X8, X8
	VPCMPEQQ     X9, X9, X9
	VPSLLQ       $52, X9, X9 // minus infinity

next:
	VSUBPD X6, X2, X3
	VADDPD X3, X7, X7
	VMULPD X3, X3, X3
	VADDPD X3, X8, X8
	VMAXPD X9, X2, X9 // the old one where neither is larger
	DECQ   CX
	JMP    channel

done:
	VMOVUPD X6, 88(R9)
	VMOVUPD X7, 104(R9)
	VMOVUPD X8, 120(R9)
	VMOVUPD X9, 136(R9)
	VMOVUPD Y14, 8(R9)
	VMOVUPD Y11, 40(R9)
	VMOVDQU X13, 72(R9)
	VZEROUPPER
	RET
