//go:build !amd64

package transform

// wideLanes is false where there are no kernels for the processor; they are then never called.
const wideLanes = false

func interleave(*float32, *float32, *float32, *float32, *float32, int) { noKernel() }

func separate(*float32, *float32, *float32, *float32, *float32, int) { noKernel() }

func squareLanes(*float32, *float32, *square, int, int) { noKernel() }

func rimLanes(*float32, *float32, *int32, *int32, *tap, int) { noKernel() }

func scaleLanes(*float32, *float32, int, float32, float32) { noKernel() }

func noKernel() { panic("transform: no kernel for this processor") }
