package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// thumbsBudget is the size in bytes that the folder of thumbnails is kept below: room for tens of
// thousands.
const thumbsBudget = 64 << 20

// thumbnails keeps count of the folder of thumbnails, so that it is measured once and not with
// every picture.
type thumbnails struct {
	mu      sync.Mutex
	counted bool
	size    int64
	budget  int64 // 0 is thumbsBudget; tests take less
}

// thumbFile is the file of a thumbnail. The key holds everything that the picture depends on; its
// hash is the name.
func (w *Workspace) thumbFile(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(w.path, database.ThumbsFolder, hex.EncodeToString(sum[:16])+database.ThumbSuffix)
}

// Thumb returns a thumbnail that PutThumb kept under this key. A missing or damaged file is no
// error: ok is false, and the picture is to be made anew.
func (w *Workspace) Thumb(key string) (picture image.Image, ok bool) {
	picture, err := ReadThumb(w.thumbFile(key))
	return picture, err == nil
}

// ReadThumb decodes the file of a thumbnail. A workspace may come from anybody, and a picture of
// few bytes unpack to very many.
func ReadThumb(path string) (image.Image, error) {
	const most = 4 << 20 // pixels
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	config, err := png.DecodeConfig(file)
	if err != nil {
		return nil, err
	}
	if config.Width > most || config.Height > most || config.Width*config.Height > most {
		return nil, fmt.Errorf("a thumbnail of %d x %d pixels", config.Width, config.Height)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return png.Decode(file)
}

// PutThumb keeps a thumbnail under a key that names all that it depends on. It is written beside
// its place and renamed; a cache needs no fsync, because what a crash leaves damaged is made anew.
// When the folder has grown over its bound, the oldest pictures go.
func (w *Workspace) PutThumb(key string, picture image.Image) error {
	var content bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&content, picture); err != nil {
		return fmt.Errorf("keep a thumbnail: %w", err)
	}
	w.thumbs.mu.Lock() // what is being written looks like what a crash has left
	defer w.thumbs.mu.Unlock()
	if _, err := durable.Below(w.path, database.ThumbsFolder); err != nil {
		return err
	}
	if err := w.writeThumb(w.thumbFile(key), content.Bytes()); err != nil {
		return fmt.Errorf("keep a thumbnail: %w", database.Classify(err))
	}
	w.boundThumbs(int64(content.Len()))
	return nil
}

func (w *Workspace) writeThumb(path string, content []byte) error {
	part := path + database.PartSuffix
	file, err := durable.New(part)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err == nil {
		err = durable.Move(part, path)
	}
	if err != nil {
		_ = durable.Delete(part)
	}
	return err
}

// boundThumbs counts a new picture and removes the oldest ones when the folder is over its bound,
// down to three quarters of it. The caller holds the lock.
func (w *Workspace) boundThumbs(added int64) {
	t := &w.thumbs
	budget := t.budget
	if budget == 0 {
		budget = thumbsBudget
	}
	t.size += added
	if t.counted && t.size <= budget {
		return
	}
	list := w.listThumbs()
	t.size, t.counted = 0, true
	for _, f := range list {
		t.size += f.size
	}
	if t.size <= budget {
		return
	}
	slices.SortFunc(list, func(a, b thumbEntry) int { return a.modified.Compare(b.modified) })
	for _, f := range list {
		if t.size <= budget/4*3 {
			return
		}
		if durable.Delete(f.path) == nil {
			t.size -= f.size
		}
	}
}

type thumbEntry struct {
	path     string
	size     int64
	modified time.Time
}

// listThumbs lists the folder's pictures, and what a crash has left of one being written.
func (w *Workspace) listThumbs() []thumbEntry {
	folder := filepath.Join(w.path, database.ThumbsFolder)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil // no picture was kept yet
	}
	var list []thumbEntry
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() &&
			(strings.HasSuffix(e.Name(), database.ThumbSuffix) || strings.HasSuffix(e.Name(), database.PartSuffix)) {
			list = append(list, thumbEntry{filepath.Join(folder, e.Name()), info.Size(), info.ModTime()})
		}
	}
	return list
}

// RemoveThumbs removes all thumbnails and returns what was freed; they are made anew when they are
// looked at.
func (w *Workspace) RemoveThumbs() (FileUse, error) {
	w.thumbs.mu.Lock()
	defer w.thumbs.mu.Unlock()
	w.thumbs.counted = false
	w.thumbs.size = 0
	var freed FileUse
	for _, f := range w.listThumbs() {
		if err := durable.Delete(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return freed, fmt.Errorf("remove thumbnail %s: %w", filepath.Base(f.path), database.Classify(err))
		}
		freed.add(f.size)
	}
	return freed, nil
}
