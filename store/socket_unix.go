//go:build unix

package store

import (
	"os"
	"syscall"
)

// privately keeps others from a socket from the moment on that it has a name, where the system
// lets it; elsewhere the usual rights, with which nobody else may write, do so until the rights
// are set.
func privately(_, _ string, conn syscall.RawConn) error {
	return conn.Control(func(fd uintptr) { _ = syscall.Fchmod(int(fd), 0o600) })
}

// isOwn tells whether a folder is this user's, and no link to one.
func isOwn(folder string) bool {
	info, err := os.Lstat(folder)
	if err != nil || !info.IsDir() {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
