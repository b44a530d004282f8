package suite

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/internal/testdata"
)

func TestIDX(t *testing.T) {
	images, labels := idxBytes(counting(24), 4, 2, 3), idxBytes([]byte{1, 0, 2, 1}, 4)
	for _, test := range []struct {
		name   string
		files  map[string][]byte
		images string // the file that is taken
	}{
		{"plain images, packed labels", map[string][]byte{
			"a-images-idx3-ubyte":    images,
			"a-labels-idx1-ubyte.gz": packed(labels),
		}, "a-images-idx3-ubyte"},
		{"beside another file", map[string][]byte{
			"a-images-idx3-ubyte.gz": packed(images), "a-labels-idx1-ubyte.gz": packed(labels), "README.md": nil,
		}, "a-images-idx3-ubyte.gz"},
		{"folder with both forms", map[string][]byte{
			"a-images-idx3-ubyte.gz": packed(images), "a-labels-idx1-ubyte.gz": packed(labels),
			"a-images-idx3-ubyte": images, "a-labels-idx1-ubyte": labels,
		}, "a-images-idx3-ubyte"},
		{"test beats train", map[string][]byte{
			"train-images-idx3-ubyte": idxBytes(counting(6), 1, 2, 3), "t10k-images-idx3-ubyte": images,
			"t10k-labels-idx1-ubyte": labels,
		}, "t10k-images-idx3-ubyte"},
		{"any case of letters", map[string][]byte{
			"T10K-Images.IDX3-UByte.GZ": packed(images), "t10k-labels.idx1-UBYTE": labels,
			"T10K-Images.IDX3-UByte": images,
		}, "T10K-Images.IDX3-UByte"},
		{"without labels", map[string][]byte{"digits-idx3-ubyte": images}, "digits-idx3-ubyte"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, test.files)
			m := scan(t, root, Options{})
			if m.Format != IDX || m.Images != 4 || m.Shape != [3]int{1, 2, 3} || m.Named || m.Root != root ||
				m.Files[0].Path != test.images || m.Hash == "" {
				t.Errorf("%+v", m)
			}
			wantLabels, wantClasses, wantCounts := []int{1, 0, 2, 1}, []string{"0", "1", "2"}, []int{1, 2, 1}
			if test.name == "without labels" {
				wantLabels, wantClasses, wantCounts = []int{-1, -1, -1, -1}, nil, nil
			}
			testdata.Equal(t, "labels", m.Labels, wantLabels)
			testdata.Equal(t, "classes", m.Classes, wantClasses)
			testdata.Equal(t, "counts", m.Counts, wantCounts)
			s := open(t, m)
			if s.Len() != 4 || s.Label(2) != wantLabels[2] || s.Name(3) != "3" {
				t.Errorf("%d images, label %d, name %q", s.Len(), s.Label(2), s.Name(3))
			}
		})
	}
}

func TestIDXOptions(t *testing.T) {
	root := tree(t, map[string][]byte{
		"in/a-images-idx3-ubyte": idxBytes(counting(8), 2, 2, 2),
		"other/b":                idxBytes([]byte{0, 1}, 2),
	})
	path := filepath.Join(root, "in", "a-images-idx3-ubyte")
	m := scan(t, path, Options{
		Name: "mine", Labels: filepath.Join(root, "other", "b"), Classes: []string{"even", "odd", "none"},
	})
	if m.Name != "mine" || m.Root != root || m.Files[0].Path != "in/a-images-idx3-ubyte" ||
		m.Files[1].Path != "other/b" {
		t.Errorf("%+v", m)
	}
	if !m.Named || !slices.Equal(m.Classes, []string{"even", "odd", "none"}) ||
		!slices.Equal(m.Counts, []int{1, 1, 0}) {
		t.Errorf("%+v", m)
	}
	open(t, m)
	wrong(t, path, Options{Labels: filepath.Join(root, "other", "b"), Classes: []string{"even"}}, "labels up to 1",
		"only 1 class names")
	wrong(t, path, Options{Classes: []string{"a", "a"}}, `"a" is listed twice`)
	wrong(t, path, Options{Classes: []string{""}}, "a name is empty")
}

func TestIDXErrors(t *testing.T) {
	good := idxBytes(counting(12), 2, 2, 3)
	for _, test := range []struct {
		name, file string
		data       []byte
		texts      []string
	}{
		{"truncated", "x-idx3", good[:20], []string{"x-idx3", "truncated", "declares 28 bytes, the file has 20"}},
		{"header cut", "x-idx3", good[:9], []string{"x-idx3", "truncated"}},
		{"too long", "x-idx3", append(slices.Clone(good), 0), []string{"1 bytes more"}},
		{"gzip cut", "x-idx3.gz", packed(good)[:25], []string{"x-idx3.gz", "truncated"}},
		{"gzip too short inside", "x-idx3.gz", packed(good[:26]), []string{"image 1 of 2 is incomplete"}},
		{
			"gzip too long inside", "x-idx3.gz", packed(append(slices.Clone(good), 0)),
			[]string{"more bytes than its header"},
		},
		{"gzip checksum", "x-idx3.gz", flip(packed(good), -6), []string{"damaged"}},
		{"no images", "x-idx3", idxBytes(nil, 0, 2, 2), []string{"holds no items"}},
		{"zero side", "x-idx3", idxBytes(nil, 1, 0, 2), []string{"declares a size of 0"}},
		{"absurd side", "x-idx3", idxBytes(nil, 1, 1<<20, 2), []string{"cannot be right"}},
		{"floats", "x-idx3", flip(good, 2), []string{"test suite"}},
		{"shorts", "x-idx3", append([]byte{0, 0, 0xb, 3}, good[4:]...), []string{"IDX type 0x0b"}},
		{"two dimensions", "x-idx3", idxBytes(counting(4), 2, 2), []string{"has 2 dimensions"}},
		{
			"labels chosen", "x-labels-idx1", idxBytes(counting(4), 4),
			[]string{"holds labels", "choose the images file"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, map[string][]byte{test.file: test.data})
			wrong(t, filepath.Join(root, test.file), Options{}, test.texts...)
		})
	}
	for text, files := range map[string]map[string][]byte{
		"holds 2 images; they do not belong together": {
			"x-images-idx3": good, "x-labels-idx1": idxBytes(counting(3), 3),
		},
		"several IDX image files (a-images-idx3, b-images-idx3)": {
			"a-images-idx3": good, "b-images-idx3": good,
		},
		"choose one of them": {"test-a-idx3": good, "test-b-idx3": good},
	} {
		wrong(t, tree(t, files), Options{}, text)
	}
	images := filepath.Join(tree(t, map[string][]byte{"x-images-idx3": good, "x-labels-idx1": good}), "x-images-idx3")
	wrong(t, images, Options{}, "x-labels-idx1", "a labels file has 1")
}

// flip returns data with the bits of one byte turned, counted from the end where at is negative.
func flip(data []byte, at int) []byte {
	out := slices.Clone(data)
	if at < 0 {
		at += len(out)
	}
	out[at] ^= 0xff
	return out
}

func TestUnpackFile(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	data := counting(1000)
	r, done, err := unpackFile(bytes.NewReader(data), 900)
	if err != nil {
		t.Fatal(err)
	}
	part := make([]byte, 3)
	if _, err := r.ReadAt(part, 897); err != nil || !bytes.Equal(part, data[897:900]) {
		t.Errorf("%v, %v", part, err)
	}
	testdata.OK(t, done())
	if _, _, err := unpackFile(bytes.NewReader(data), 1001); err == nil {
		t.Error("a short stream was taken")
	}
	if _, _, err := unpack(bytes.NewReader(data), 1001); err == nil {
		t.Error("a short stream was taken into memory")
	}
	testdata.Is(t, "left behind", len(testdata.Must(os.ReadDir(os.TempDir()))(t)), 0)
}

// FuzzIDX: no input makes the reader panic or believe in data that are not there.
func FuzzIDX(f *testing.F) {
	f.Add(idxBytes(counting(12), 2, 2, 3))
	f.Add(packed(idxBytes(counting(12), 2, 2, 3)))
	f.Add(idxBytes(counting(4), 4))
	f.Add(packed(idxBytes(nil, 1<<30, 1<<14, 1<<14)))
	f.Add([]byte{0, 0, 8, 3, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := newIDXStream(bytes.NewReader(data), int64(len(data)), 3); err == nil {
			if _, err := s.images(context.Background(), progress.None{}); err == nil && !s.packed &&
				s.header.size()+s.header.data() != int64(len(data)) {
				t.Fatalf("%v in %d bytes", s.header, len(data))
			}
		}
		if s, err := newIDXStream(bytes.NewReader(data), int64(len(data)), 1); err == nil {
			if labels, err := s.labels(); err == nil && len(labels) != s.header.dims[0] {
				t.Fatalf("%d labels of %v", len(labels), s.header)
			}
		}
	})
}
