//go:build unix

package outside

import (
	"errors"
	"net"
	"path/filepath"
	"syscall"
	"testing"
)

// TestOpenNeverWaits: a pipe that nobody writes into would wait for ever.
func TestOpenNeverWaits(t *testing.T) {
	folder := t.TempDir()
	pipe, socket := filepath.Join(folder, "pipe"), filepath.Join(folder, "socket")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for path, want := range map[string]string{pipe: "a pipe", socket: "a socket", "/dev/zero": "a device", folder: "a folder"} {
		_, err := Open(path, Table)
		if got := Sentence(err); !errors.Is(err, ErrNoFile) || got != path+": it is "+want+", not a file; choose a table" {
			t.Errorf("%s", got)
		}
	}
}
