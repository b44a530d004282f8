//go:build unix

package cluster

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/internal/testdata"
)

// TestCacheFollowsNoLinks: what lies in a file's place and is none is replaced by the file, and
// not opened either.
func TestCacheFollowsNoLinks(t *testing.T) {
	blob := wire.Blob{SHA256: certHash([]byte("model a")), Size: int64(len("model a"))}
	dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	must(t, os.WriteFile(victim, []byte("MODEL A"), 0o600))
	kept := testdata.Must(newCache(dir, 1<<20))(t)
	link := filepath.Join(dir, blob.SHA256)
	must(t, os.Symlink(victim, link))
	testdata.Refused(t, "a link is opened", testdata.Err((&workUnit{worker: &worker{}}).open(link)))
	path, done, err := kept.get(t.Context(), blob, func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, "model a")
		return err
	})
	must(t, err)
	defer done()
	info := testdata.Must(os.Lstat(path))(t)
	text := testdata.Must(os.ReadFile(path))(t)
	if !info.Mode().IsRegular() || string(text) != "model a" {
		t.Errorf("%v, %q", info.Mode(), text)
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "MODEL A" {
		t.Errorf("%q, %v", text, err)
	}
}
