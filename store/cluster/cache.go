package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/variscope/variscope/engine/wire"
	"github.com/variscope/variscope/store/durable"
)

// cache keeps files by their hash in a folder, up to a size; those not used for longest go first.
// Several processes may share the folder. It is safe for many goroutines.
type cache struct {
	dir   string
	limit int64 // bytes
	one   singleflight.Group

	mu    sync.Mutex
	inUse map[string]int // by hash, as often as it was got and is not done with
}

// newCache uses a folder, which is made.
func newCache(dir string, limit int64) (*cache, error) {
	return &cache{dir: dir, limit: limit, inUse: map[string]int{}}, durable.Folders(dir)
}

// get returns the file of a blob, which pull fetches where it is not there; other content is an
// error, and is not kept. The file stays until done is called.
func (c *cache) get(
	ctx context.Context, blob wire.Blob, pull func(context.Context, io.Writer) error,
) (path string, done func(), err error) {
	c.use(blob.SHA256, 1)
	done = sync.OnceFunc(func() { c.use(blob.SHA256, -1) })
	path = filepath.Join(c.dir, blob.SHA256)
	_, err, _ = c.one.Do(blob.SHA256, func() (any, error) {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.Size() == blob.Size {
			return nil, durable.SetTime(path, time.Now())
		}
		if err := c.makeRoom(blob.Size); err != nil {
			return nil, err
		}
		return nil, c.fetch(ctx, blob, pull)
	})
	if err != nil {
		done()
		return "", nil, err
	}
	return path, done, nil
}

func (c *cache) use(name string, more int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inUse[name] += more; c.inUse[name] == 0 {
		delete(c.inUse, name)
	}
}

// errTampered says that an object does not have the content that its name promises.
var errTampered = errors.New("its content is not what its name promises")

func (c *cache) fetch(ctx context.Context, blob wire.Blob, pull func(context.Context, io.Writer) error) error {
	sum := sha256.New()
	err := durable.WriteFile(filepath.Join(c.dir, blob.SHA256), func(w io.Writer) error {
		err := pull(ctx, io.MultiWriter(w, sum))
		if errors.Is(err, errOversized) || err == nil && hex.EncodeToString(sum.Sum(nil)) != blob.SHA256 {
			return errTampered
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("file %.12s: %w", blob.SHA256, err)
	}
	return nil
}

// makeRoom removes what was not used for longest until so many bytes fit.
func (c *cache) makeRoom(bytes int64) error {
	if bytes > c.limit {
		return fmt.Errorf("a file of %d bytes is larger than this worker's cache of %d; allow it more", bytes, c.limit)
	}
	c.mu.Lock() // nobody begins to use what is removed
	defer c.mu.Unlock()
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return fmt.Errorf("look into the cache %s: %w", c.dir, err)
	}
	var files []fs.FileInfo
	total := bytes
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
			total += info.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if total <= c.limit {
			break
		}
		if c.inUse[f.Name()] > 0 || durable.Delete(filepath.Join(c.dir, f.Name())) != nil {
			continue // in use, here or, where that forbids to remove it, by another process
		}
		total -= f.Size()
	}
	return nil
}
