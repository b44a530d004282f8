package suite

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// maxMemory is the largest unpacked IDX file that is kept in memory; larger ones go to a temporary
// file.
const maxMemory = 64 << 20

// levels are the 256 values of a byte as a pixel in [0, 1].
var levels = func() (all [256]float32) {
	for i := range all {
		all[i] = float32(i) / 255
	}
	return all
}()

// Level is a byte as a pixel in [0, 1].
func Level(b byte) float32 { return levels[b] }

// reader gives the images of an opened suite. image is safe for many goroutines.
type reader interface {
	image(i int) (Image, error)
	close() error
}

// records reads images of equal size, one byte per value, from an IDX or CIFAR data file.
type records struct {
	path  string
	data  io.ReaderAt
	first int64  // where record 0 begins
	skip  int64  // bytes of a record before its pixels
	shape [3]int // channels, height, width
	done  func() error
}

func (r *records) close() error { return r.done() }

func (r *records) raw(i int) (Raw, error) {
	size := r.shape[0] * r.shape[1] * r.shape[2]
	data := make([]byte, size)
	at := r.first + int64(i)*(r.skip+int64(size)) + r.skip
	if n, err := r.data.ReadAt(data, at); n < size {
		return Raw{}, fmt.Errorf("image %d of %s: %w", i, r.path, noEOF(err))
	}
	return Raw{Data: data, Channels: r.shape[0], Height: r.shape[1], Width: r.shape[2]}, nil
}

func (r *records) image(i int) (Image, error) {
	raw, err := r.raw(i)
	if err != nil {
		return Image{}, err
	}
	img := Image{Channels: raw.Channels, Height: raw.Height, Width: raw.Width, Pix: make([]float32, len(raw.Data))}
	for k, b := range raw.Data {
		img.Pix[k] = levels[b]
	}
	return img, nil
}

func openIDX(m Manifest, root string) (reader, error) {
	path := filepath.Join(root, filepath.FromSlash(m.Files[0].Path))
	f, s, err := openIDXFile(path, 3)
	if err != nil {
		return nil, err
	}
	dims := s.header.dims
	if dims[0] != m.Images {
		f.Close()
		return nil, fmt.Errorf("%s holds %d images instead of %d: %w", path, dims[0], m.Images, ErrChanged)
	}
	r := &records{path: path, shape: [3]int{1, dims[1], dims[2]}}
	if !s.packed {
		r.data, r.first, r.done = f, s.header.size(), f.Close
		return r, nil
	}
	defer f.Close()
	if r.data, r.done, err = unpack(s.Reader, s.header.data()); err != nil {
		return nil, fmt.Errorf("unpack %s: %w", path, err)
	}
	return r, nil
}

// unpack keeps the next size bytes: in memory where they are few, else in a temporary file that
// vanishes with the returned function or the process.
func unpack(from io.Reader, size int64) (io.ReaderAt, func() error, error) {
	if size < maxMemory {
		data := make([]byte, size)
		if _, err := io.ReadFull(from, data); err != nil {
			return nil, nil, noEOF(err)
		}
		return bytes.NewReader(data), func() error { return nil }, nil
	}
	return unpackFile(from, size)
}

func unpackFile(from io.Reader, size int64) (io.ReaderAt, func() error, error) {
	f, err := os.CreateTemp("", "variscope-suite-*")
	if err != nil {
		return nil, nil, err
	}
	done := f.Close
	if err := os.Remove(f.Name()); err != nil { // Windows removes no open file: then after closing it
		done = func() error {
			err := f.Close()
			if removed := os.Remove(f.Name()); err == nil {
				err = removed
			}
			return err
		}
	}
	if _, err := io.CopyN(f, from, size); err != nil {
		_ = done() // the reason that matters is the copy's
		return nil, nil, noEOF(err)
	}
	return f, done, nil
}
