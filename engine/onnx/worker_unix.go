//go:build !windows

package onnx

import (
	"fmt"
	"os"
	"os/exec"

	"golang.org/x/sys/unix"
)

// hide has nothing to hide where programs open no consoles.
func hide(*exec.Cmd) {}

// keepOutput gives frames the standard output; what the library prints goes to the standard error
// from now on.
func keepOutput() (*os.File, error) {
	fd, err := unix.Dup(1)
	if err == nil {
		unix.CloseOnExec(fd)
		err = unix.Dup2(2, 1)
	}
	if err != nil {
		return nil, fmt.Errorf("keep a worker's output: %w", err)
	}
	return os.NewFile(uintptr(fd), "orders"), nil
}
