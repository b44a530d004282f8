package onnx

import (
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// apiBase is the first two members of OrtApiBase (onnxruntime_c_api.h), which have had this form in
// every version.
type apiBase struct{ getAPI, getVersion uintptr }

// checkLibrary loads a library and asks for its version: Windows itself has an old one in a folder
// of its PATH. It returns what is wrong with it, "" when it can be used. One that was accepted
// stays loaded.
func checkLibrary(path string) string {
	dll, err := syscall.LoadDLL(path)
	if err != nil {
		return "it cannot be loaded (" + strings.TrimSpace(err.Error()) + ")"
	}
	problem := libraryProblem(dll)
	if problem != "" {
		_ = dll.Release() // not ours after all
	}
	return problem
}

func libraryProblem(dll *syscall.DLL) string {
	const stranger = "it is not ONNX Runtime"
	proc, err := dll.FindProc("OrtGetApiBase")
	if err != nil {
		return stranger
	}
	address, _, _ := proc.Call()
	base := *(**apiBase)(unsafe.Pointer(&address))
	if base == nil {
		return stranger
	}
	text, _, _ := syscall.SyscallN(base.getVersion)
	return versionProblem(windows.BytePtrToString(*(**byte)(unsafe.Pointer(&text))))
}
