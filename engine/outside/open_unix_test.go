//go:build unix

package outside

import (
	"errors"
	"net"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestOpenNeverWaits: a pipe that nobody writes into would wait for ever.
func TestOpenNeverWaits(t *testing.T) {
	folder := t.TempDir()
	pipe, socket := filepath.Join(folder, "pipe"), filepath.Join(folder, "socket")
	testdata.OK(t, syscall.Mkfifo(pipe, 0o644))
	listener := testdata.Must(net.Listen("unix", socket))(t)
	defer listener.Close()
	for path, want := range map[string]string{
		pipe: "a pipe", socket: "a socket", "/dev/zero": "a device",
		folder: "a folder",
	} {
		_, err := Open(path, Table)
		if got := Sentence(err); !errors.Is(err, ErrNoFile) ||
			got != path+": it is "+want+", not a file; choose a table" {
			t.Errorf("%s", got)
		}
	}
}
