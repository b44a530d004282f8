//go:build unix

package remote

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAPipeIsNotWaitedFor: a window reads the memory before it opens.
func TestAPipeIsNotWaitedFor(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, memoryName)
	must(t, syscall.Mkfifo(path, 0o600))
	s, err := New(Options{Folder: folder, Engine: &attached{}})
	if err == nil || !strings.Contains(err.Error(), path) || s.State().Allowed {
		t.Errorf("%v, %+v", err, s.State())
	}
}
