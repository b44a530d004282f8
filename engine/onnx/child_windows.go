package onnx

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// hideChild keeps a probe child from opening a console of its own, which it would where the window has none.
func hideChild(child *exec.Cmd) {
	child.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW}
}
