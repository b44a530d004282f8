//go:build unix

package cluster

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine/wire"
)

// TestCacheFollowsNoLinks: what lies in a file's place and is none is replaced by the file, and
// not opened either.
func TestCacheFollowsNoLinks(t *testing.T) {
	blob := wire.Blob{SHA256: certHash([]byte("model a")), Size: int64(len("model a"))}
	dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	must(t, os.WriteFile(victim, []byte("MODEL A"), 0o600))
	kept, err := newCache(dir, 1<<20)
	must(t, err)
	link := filepath.Join(dir, blob.SHA256)
	must(t, os.Symlink(victim, link))
	if _, err := (&workUnit{worker: &worker{}}).open(link); err == nil {
		t.Error("a link is opened")
	}
	path, done, err := kept.get(t.Context(), blob, func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, "model a")
		return err
	})
	must(t, err)
	defer done()
	info, err := os.Lstat(path)
	must(t, err)
	text, err := os.ReadFile(path)
	must(t, err)
	if !info.Mode().IsRegular() || string(text) != "model a" {
		t.Errorf("%v, %q", info.Mode(), text)
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "MODEL A" {
		t.Errorf("%q, %v", text, err)
	}
}
