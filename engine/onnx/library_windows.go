package onnx

import (
	"strings"
	"syscall"
)

// checkLibrary loads a library and looks for its entry point. It returns what is wrong with it, "" when it can be used;
// the version is checked when it is initialised.
func checkLibrary(path string) string {
	dll, err := syscall.LoadDLL(path)
	if err != nil {
		return "it cannot be loaded (" + strings.TrimSpace(err.Error()) + ")"
	}
	if _, err := dll.FindProc("OrtGetApiBase"); err != nil {
		_ = dll.Release() // not ours after all
		return "it is not ONNX Runtime"
	}
	return ""
}
