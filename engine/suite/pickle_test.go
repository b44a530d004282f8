package suite

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// pythonTwo is a batch as Python 2 wrote those of CIFAR-10 that are given out: protocol 2, texts
// as bytes, numbers of NumPy's first version.
func pythonTwo(labels []byte, pixels []byte) []byte {
	var b bytes.Buffer
	text := func(s string) { b.WriteString("U" + string(rune(len(s))) + s) }
	b.WriteString("\x80\x02}q\x01(")
	text("batch_label")
	text("testing batch 1 of 1")
	text("labels")
	b.WriteString("]q\x05(")
	for _, l := range labels {
		b.Write([]byte{'K', l})
	}
	b.WriteString("e")
	text("data")
	b.WriteString("cnumpy.core.multiarray\n_reconstruct\nq\x07cnumpy\nndarray\nq\x08K\x00\x85U\x01b\x87R(K\x01")
	b.WriteString("\x8a\x01" + string(rune(len(labels))) + "M\x00\x0c\x86cnumpy\ndtype\nU\x02u1K\x00K\x01\x87R")
	b.WriteString("(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89T")
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(pixels))))
	b.Write(pixels)
	b.WriteString("tb")
	text("filenames")
	b.WriteString("]U\x05a.pnga")
	b.WriteString("u.")
	return b.Bytes()
}

const tenNamesPickled = "\x80\x02}(U\x0blabel_names](U\x01aU\x01bU\x01cU\x01dU\x01eU\x01fU\x01gU\x01hU\x01iU\x01jeu."

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	return testdata.Must(os.ReadFile(filepath.Join("testdata", "arrays", name)))(t)
}

// The batches of CIFAR for Python are the same suites in each protocol, read as a file or a
// folder.
func TestCIFARForPython(t *testing.T) {
	pixels := make([]byte, 2*cifarPixels)
	for i := range pixels {
		pixels[i] = byte(i / 24)
	}
	root := tree(t, map[string][]byte{
		"two/test_batch":   pythonTwo([]byte{6, 9}, pixels),
		"two/data_batch_1": pythonTwo([]byte{1}, pixels[:cifarPixels]), "two/batches.meta": []byte(tenNamesPickled),
		"two/readme.html": nil, "three/data_batch_1": fixture(t, "ten-protocol-3"),
		"three/data_batch_2": fixture(t, "ten-protocol-4"), "hundred/test": fixture(t, "hundred-protocol-5"),
		"hundred/train": fixture(t, "hundred-protocol-5"),
	})
	for path, want := range map[string]struct {
		format  Format
		labels  []int
		classes int
	}{
		"two": {CIFARPython, []int{6, 9}, 10}, "two/test_batch": {CIFARPython, []int{6, 9}, 10},
		"three": {CIFARPython, []int{6, 9, 6, 9}, 10}, "hundred": {CIFAR100Python, []int{19, 99}, 100},
	} {
		m := scan(t, filepath.Join(root, path), Options{})
		if m.Format != want.format || !slices.Equal(m.Labels, want.labels) || len(m.Classes) != want.classes ||
			m.Named != strings.HasPrefix(path, "two") {
			t.Errorf("%s: %+v", path, m)
		}
		s := open(t, m)
		for i := range m.Images {
			img := testdata.Must(s.Image(i))(t)
			for k, v := range img.Pix {
				if v != levels[pixels[i%2*cifarPixels+k]] {
					t.Fatalf("%s: value %d of image %d is %v", path, k, i, v)
				}
			}
		}
	}
}

func TestHostilePickles(t *testing.T) {
	pixels := make([]byte, cifarPixels)
	good := pythonTwo([]byte{6}, pixels)
	for name, c := range map[string]struct {
		data []byte
		text string
	}{
		"truncated":      {good[:len(good)/2], "is truncated"},
		"without end":    {good[:len(good)-1], "is truncated"},
		"a program":      {[]byte("\x80\x02cos\nsystem\nU\x02ls\x85R."), `names "os.system"`},
		"by its stack":   {[]byte("\x80\x04\x8c\x02os\x8c\x06system\x93."), `names "os.system"`},
		"an instruction": {[]byte("\x80\x02}\x81."), "instruction 0x81"},
		"protocol":       {[]byte("\x80\x05\x80\x09}."), "protocol 9"},
		"no dict":        {[]byte("\x80\x02]."), "no dict"},
		"other dict":     {[]byte("\x80\x02}."), "has no array data and no list labels"},
		"label":          {pythonTwo([]byte{77}, pixels), "label 77"},
		"too few pixels": {pythonTwo([]byte{1, 2}, pixels), "CIFAR's batches have"},
		"Python 3 in 2":  {fixture(t, "ten-protocol-2"), "protocol 4"},
		"endless":        {append([]byte("\x80\x02"), bytes.Repeat([]byte("N"), maxPickled+2)...), "more than"},
		"marks":          {append([]byte("\x80\x02"), bytes.Repeat([]byte("("), maxPickled+2)...), "more than"},
		"empty stack":    {[]byte("\x80\x02t."), "damaged pickle"},
		"huge text":      {[]byte("\x80\x02\x8e\xff\xff\xff\xff\xff\xff\xff\xff"), "cannot be right"},
		"lying text":     {[]byte("\x80\x02T\xff\xff\xff\x7f"), "is truncated"},
		"itself":         {[]byte("\x80\x02]q\x00h\x00a}."), "no dict"},
	} {
		root := tree(t, map[string][]byte{"test_batch": c.data})
		if used := allocated(func() {
			wrong(t, filepath.Join(root, "test_batch"), Options{}, "test_batch", c.text)
		}); used > 4*bombMemory {
			t.Errorf("%s: %d MB", name, used>>20)
		}
	}
}

// FuzzPickle: what is read as a batch has a label and 3072 bytes of the file for each image.
func FuzzPickle(f *testing.F) {
	f.Add(pythonTwo([]byte{6}, make([]byte, cifarPixels)))
	f.Add([]byte("\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00}(\x8c\x06labels]\x94K\x01ah\x00u."))
	f.Add([]byte("\x80\x02cnumpy\ndtype\nU\x02u1K\x00K\x01\x87R(K\x03tb."))
	f.Add([]byte(tenNamesPickled))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := unpickleBatch(bytes.NewReader(data))
		if err != nil {
			return
		}
		if n := int64(len(b.labels)); n == 0 || b.first < 0 || b.first+n*cifarPixels > int64(len(data)) {
			t.Fatalf("%d labels, pixels at %d of %d", n, b.first, len(data))
		}
	})
}
