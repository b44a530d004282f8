//go:build !windows

package onnx

import "os/exec"

// hideChild has nothing to hide where programs open no consoles.
func hideChild(*exec.Cmd) {}
