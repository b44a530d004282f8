//go:build unix

package outside

import "syscall"

// neverWait is for opening what may be a pipe without a writer.
const neverWait = syscall.O_NONBLOCK
