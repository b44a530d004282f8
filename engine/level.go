package engine

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// Level is the processor's instruction-set level as far as it changes the last bits of an
// inference: "avx512", "avx2", "avx", "sse4" or "sse2" on amd64, "sve" or "neon" on arm64, the
// architecture's name elsewhere. It is part of every unit's key.
func Level() string {
	switch runtime.GOARCH {
	case "amd64", "386":
		return levelX86(cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL,
			cpu.X86.HasAVX2 && cpu.X86.HasFMA, cpu.X86.HasAVX, cpu.X86.HasSSE41)
	case "arm64":
		if cpu.ARM64.HasSVE {
			return "sve"
		}
		return "neon"
	}
	return runtime.GOARCH
}

func levelX86(avx512, avx2, avx, sse4 bool) string {
	switch {
	case avx512:
		return "avx512"
	case avx2:
		return "avx2"
	case avx:
		return "avx"
	case sse4:
		return "sse4"
	}
	return "sse2"
}
