package onnx

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// hide keeps a worker process from opening a console of its own, which it would where the window
// has none.
func hide(child *exec.Cmd) {
	child.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW}
}

// keepOutput gives frames the standard output and what the library prints the standard error.
func keepOutput() (*os.File, error) { return os.Stdout, nil }
