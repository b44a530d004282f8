// Package app is the program: package command's command line, and the window with what it keeps on
// this computer: its preferences and its log.
package app

import (
	"io"

	"github.com/variscope/variscope/app/command"
)

// Run carries out one command line (without the program's name) and returns the exit code.
func Run(args []string, stdout, stderr io.Writer) int {
	return command.Run(args, stdout, stderr, openWindow)
}
