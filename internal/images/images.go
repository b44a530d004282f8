// Package images makes small suites of images in files, for tests of what reads suites and writes
// them.
package images

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

// Gray writes and opens an IDX suite of n gray images of side x side pixels in ten classes; image i
// has class i mod 10.
func Gray(tb testing.TB, n, side int) *suite.Suite {
	tb.Helper()
	folder := tb.TempDir()
	pixels, labels := header(0x00000803, n, side, side), header(0x00000801, n)
	for i := range n {
		labels = append(labels, byte(i%10))
		for k := range side * side {
			pixels = append(pixels, byte(i*7+k*3))
		}
	}
	Put(tb, filepath.Join(folder, "t10k-images-idx3-ubyte"), pixels)
	Put(tb, filepath.Join(folder, "t10k-labels-idx1-ubyte"), labels)
	return Open(tb, folder)
}

// header is the start of an IDX file.
func header(magic uint32, sizes ...int) []byte {
	data := binary.BigEndian.AppendUint32(nil, magic)
	for _, size := range sizes {
		data = binary.BigEndian.AppendUint32(data, uint32(size))
	}
	return data
}

// Put writes a file and the folders above it.
func Put(tb testing.TB, path string, data []byte) {
	tb.Helper()
	testdata.OK(tb, os.MkdirAll(filepath.Dir(path), 0o755))
	testdata.OK(tb, os.WriteFile(path, data, 0o644))
}

// Picture writes an RGB PNG in which neighbouring pixels differ, and the folders above it.
func Picture(tb testing.TB, path string, width, height int) {
	tb.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		m.Set(i%width, i/width, color.NRGBA{uint8(i * 5), uint8(i * 3), uint8(200 - i), 255})
	}
	var out bytes.Buffer
	testdata.OK(tb, png.Encode(&out, m))
	Put(tb, path, out.Bytes())
}

// Open scans and opens the suite at a path; the test's end closes it.
func Open(tb testing.TB, path string) *suite.Suite {
	tb.Helper()
	m := testdata.Must(suite.Scan(context.Background(), path, suite.Options{}, nil))(tb)
	s := testdata.Must(suite.Open(m, m.Root))(tb)
	tb.Cleanup(func() { testdata.OK(tb, s.Close()) })
	return s
}

// Files reads all files below a folder, by their slash-separated paths.
func Files(tb testing.TB, folder string) map[string][]byte {
	tb.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		all[filepath.ToSlash(below)], err = os.ReadFile(path)
		return err
	})
	testdata.OK(tb, err)
	return all
}

// ByClass is the order in which a folder of classes lists the images of a suite.
func ByClass(s *suite.Suite) []int {
	order := testdata.UpTo(s.Len())
	slices.SortStableFunc(order, func(a, b int) int { return s.Label(a) - s.Label(b) })
	return order
}
