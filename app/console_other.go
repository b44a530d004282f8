//go:build !windows

package app

// leaveConsole has nothing to leave where a program that is started by a click gets no console.
func leaveConsole() bool { return false }
