package app

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// leaveConsole starts this program anew without a console where Windows has opened one for it
// alone, as it does after a click, and tells whether it has: then there is nothing left to do
// here. A console in which a command was typed stays.
func leaveConsole() bool {
	if !ownsConsole() {
		return false
	}
	executable, err := os.Executable()
	if err != nil {
		return false
	}
	again := exec.Command(executable, os.Args[1:]...)
	again.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS}
	return again.Start() == nil
}

// ownsConsole tells whether this process has a console that no other one uses.
func ownsConsole() bool {
	var processes [2]uint32
	list := windows.NewLazySystemDLL("kernel32.dll").NewProc("GetConsoleProcessList")
	n, _, _ := list.Call(uintptr(unsafe.Pointer(&processes)), uintptr(len(processes))) // 0 without a console
	return n == 1
}
