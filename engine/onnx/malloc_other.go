//go:build !linux

package onnx

// returnMemory has nothing to set where the C library is not glibc.
func returnMemory() {}
