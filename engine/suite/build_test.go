package suite

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// idxBytes is an IDX file of unsigned bytes: dims, then data.
func idxBytes(data []byte, dims ...int) []byte {
	out := []byte{0, 0, 8, byte(len(dims))}
	for _, d := range dims {
		out = binary.BigEndian.AppendUint32(out, uint32(d))
	}
	return append(out, data...)
}

// counting is n bytes 0, 1, 2, ...
func counting(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(i)
	}
	return out
}

func packed(data []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(data) // a bytes.Buffer takes everything
	_ = z.Close()
	return out.Bytes()
}

// cifarBytes is a CIFAR-10 file with one record per label; all pixels of record i have value i.
func cifarBytes(labels ...byte) []byte {
	var out []byte
	for i, l := range labels {
		out = append(out, l)
		out = append(out, bytes.Repeat([]byte{byte(i)}, cifarPixels)...)
	}
	return out
}

// pngBytes is a w x h RGB image of one colour.
func pngBytes(w, h int, c color.Color) []byte {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.Set(i%w, i/w, c)
	}
	var out bytes.Buffer
	_ = png.Encode(&out, img)
	return out.Bytes()
}

// tree writes files (slash-separated name: content) below a new folder and returns it.
func tree(tb testing.TB, files map[string][]byte) string {
	tb.Helper()
	root := tb.TempDir()
	for name, data := range files {
		put(tb, filepath.Join(root, filepath.FromSlash(name)), data)
	}
	return root
}

func put(tb testing.TB, path string, data []byte) {
	tb.Helper()
	testdata.OK(tb, os.MkdirAll(filepath.Dir(path), 0o777))
	testdata.OK(tb, os.WriteFile(path, data, 0o666))
}

func scan(tb testing.TB, path string, opts Options) Manifest {
	tb.Helper()
	return testdata.Must(Scan(context.Background(), path, opts, nil))(tb)
}

func open(tb testing.TB, m Manifest) *Suite {
	tb.Helper()
	s := testdata.Must(Open(m, m.Root))(tb)
	tb.Cleanup(func() {
		testdata.OK(tb, s.Close())
	})
	return s
}

func pixels(tb testing.TB, s *Suite, i int) Image {
	tb.Helper()
	img := testdata.Must(s.Image(i))(tb)
	if len(img.Pix) != img.Channels*img.Height*img.Width {
		tb.Fatalf("image %d: %d values for %d x %d x %d", i, len(img.Pix), img.Channels, img.Height, img.Width)
	}
	return img
}

// wrong checks that Scan fails with a message that holds all the texts.
func wrong(t *testing.T, path string, opts Options, texts ...string) error {
	t.Helper()
	m, err := Scan(context.Background(), path, opts, nil)
	if err == nil {
		t.Errorf("%s: scanned as %s with %d images, want an error with %q", path, m.Format, m.Images, texts)
		return nil
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("message %q does not say %q", err, text)
		}
	}
	return err
}

var (
	red  = color.RGBA{255, 0, 0, 255}
	blue = color.RGBA{0, 0, 255, 255}
)
