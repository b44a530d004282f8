//go:build unix

package cluster

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/wire"
)

// TestCacheFollowsNoLinks: what lies in a file's place and is none is replaced by the file, and not opened either.
func TestCacheFollowsNoLinks(t *testing.T) {
	d := newDesk(t, images(t, 10), "a", engine.NoWorkers)
	c := d.served()
	objects, err := c.js.ObjectStore(t.Context(), c.modelObjects())
	d.must(err)
	blob := wire.Blob{SHA256: certHash([]byte("model a")), Size: int64(len("model a"))}
	_, err = objects.PutString(t.Context(), blob.SHA256, "model a")
	d.must(err)
	dir, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	d.must(os.WriteFile(victim, []byte("MODEL A"), 0o600))
	kept, err := newCache(dir, 1<<20)
	d.must(err)
	link := filepath.Join(dir, blob.SHA256)
	d.must(os.Symlink(victim, link))
	if _, err := (&course{worker: &worker{}}).open(link); err == nil {
		t.Error("a link is opened")
	}
	path, done, err := kept.get(t.Context(), c.bus, c.modelObjects(), blob)
	d.must(err)
	defer done()
	info, err := os.Lstat(path)
	d.must(err)
	text, err := os.ReadFile(path)
	d.must(err)
	if !info.Mode().IsRegular() || string(text) != "model a" {
		t.Errorf("%v, %q", info.Mode(), text)
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "MODEL A" {
		t.Errorf("%q, %v", text, err)
	}
}
