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
		name          string
		files         map[string][]byte
		path          string
		wantName      string
		wantImages    string
		wantUnlabeled bool
	}{
		{
			"plain file",
			map[string][]byte{"a-images-idx3-ubyte": images, "a-labels-idx1-ubyte": labels},
			"a-images-idx3-ubyte", "a", "a-images-idx3-ubyte", false,
		},
		{"packed file", map[string][]byte{
			"a-images-idx3-ubyte.gz": packed(images),
			"a-labels-idx1-ubyte.gz": packed(labels),
		}, "a-images-idx3-ubyte.gz", "a", "a-images-idx3-ubyte.gz", false},
		{
			"packed images, plain labels",
			map[string][]byte{"a.images.idx3.gz": packed(images), "a.labels.idx1": labels},
			"a.images.idx3.gz", "a.images", "a.images.idx3.gz", false,
		},
		{"plain images, packed labels", map[string][]byte{
			"a-images-idx3-ubyte":    images,
			"a-labels-idx1-ubyte.gz": packed(labels),
		}, "", "", "a-images-idx3-ubyte", false},
		{"folder", map[string][]byte{
			"a-images-idx3-ubyte.gz": packed(images), "a-labels-idx1-ubyte.gz": packed(labels),
			"README.md": nil,
		}, "", "", "a-images-idx3-ubyte.gz", false},
		{"folder with both forms", map[string][]byte{
			"a-images-idx3-ubyte.gz": packed(images), "a-labels-idx1-ubyte.gz": packed(labels),
			"a-images-idx3-ubyte": images, "a-labels-idx1-ubyte": labels,
		}, "", "", "a-images-idx3-ubyte", false},
		{"test beats train", map[string][]byte{
			"train-images-idx3-ubyte": idxBytes(counting(6), 1, 2, 3), "t10k-images-idx3-ubyte": images,
			"t10k-labels-idx1-ubyte": labels,
		}, "", "", "t10k-images-idx3-ubyte", false},
		{"any case of letters", map[string][]byte{
			"T10K-Images.IDX3-UByte.GZ": packed(images), "t10k-labels.idx1-UBYTE": labels,
			"T10K-Images.IDX3-UByte": images,
		}, "", "", "T10K-Images.IDX3-UByte", false},
		{
			"without labels",
			map[string][]byte{"digits-idx3-ubyte": images},
			"digits-idx3-ubyte", "digits",
			"digits-idx3-ubyte", true,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, test.files)
			m := scan(t, filepath.Join(root, test.path), Options{})
			if test.wantName != "" && m.Name != test.wantName {
				t.Errorf("name %q, want %q", m.Name, test.wantName)
			}
			if m.Format != IDX || m.Images != 4 || m.Shape != [3]int{1, 2, 3} || m.Named || m.Root != root ||
				m.Files[0].Path != test.wantImages || m.Hash == "" {
				t.Errorf("%+v", m)
			}
			wantLabels, wantClasses, wantCounts := []int{1, 0, 2, 1}, []string{"0", "1", "2"}, []int{1, 2, 1}
			if test.wantUnlabeled {
				wantLabels, wantClasses, wantCounts = []int{-1, -1, -1, -1}, nil, nil
			}
			if !slices.Equal(m.Labels, wantLabels) || !slices.Equal(m.Classes, wantClasses) ||
				!slices.Equal(m.Counts, wantCounts) {
				t.Errorf("labels %v, classes %v, counts %v", m.Labels, m.Classes, m.Counts)
			}
			s := open(t, m)
			if s.Len() != 4 || s.Label(2) != wantLabels[2] || s.Name(3) != "3" {
				t.Errorf("%d images, label %d, name %q", s.Len(), s.Label(2), s.Name(3))
			}
			if img := pixels(t, s, 3); img.Pix[0] != 18/255.0 || img.Pix[5] != 23/255.0 {
				t.Errorf("%v", img)
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
		name  string
		files map[string][]byte
		path  string
		texts []string
	}{
		{
			"truncated",
			map[string][]byte{"x-idx3": good[:20]},
			"x-idx3",
			[]string{"x-idx3", "truncated", "declares 28 bytes, the file has 20"},
		},
		{"header cut", map[string][]byte{"x-idx3": good[:9]}, "x-idx3", []string{"x-idx3", "truncated"}},
		{"too long", map[string][]byte{"x-idx3": append(slices.Clone(good), 0)}, "x-idx3", []string{"1 bytes more"}},
		{
			"gzip cut",
			map[string][]byte{"x-idx3.gz": packed(good)[:25]},
			"x-idx3.gz",
			[]string{"x-idx3.gz", "truncated"},
		},
		{
			"gzip too short inside",
			map[string][]byte{"x-idx3.gz": packed(good[:26])},
			"x-idx3.gz",
			[]string{"image 1 of 2 is incomplete"},
		},
		{
			"gzip too long inside",
			map[string][]byte{"x-idx3.gz": packed(append(slices.Clone(good), 0))},
			"x-idx3.gz",
			[]string{"more bytes than its header"},
		},
		{
			"gzip bomb",
			map[string][]byte{"x-idx3.gz": packed(idxBytes(nil, 1<<30, 1000, 1000))},
			"x-idx3.gz",
			[]string{"truncated"},
		},
		{"gzip checksum", map[string][]byte{"x-idx3.gz": flip(packed(good), -6)}, "x-idx3.gz", []string{"damaged"}},
		{"no images", map[string][]byte{"x-idx3": idxBytes(nil, 0, 2, 2)}, "x-idx3", []string{"holds no items"}},
		{"zero side", map[string][]byte{"x-idx3": idxBytes(nil, 1, 0, 2)}, "x-idx3", []string{"declares a size of 0"}},
		{"absurd side", map[string][]byte{"x-idx3": idxBytes(nil, 1, 1<<20, 2)}, "x-idx3", []string{"cannot be right"}},
		{"floats", map[string][]byte{"x-idx3": flip(good, 2)}, "x-idx3", []string{"test suite"}},
		{
			"shorts",
			map[string][]byte{"x-idx3": append([]byte{0, 0, 0xb, 3}, good[4:]...)},
			"x-idx3",
			[]string{"IDX type 0x0b"},
		},
		{
			"two dimensions",
			map[string][]byte{"x-idx3": idxBytes(counting(4), 2, 2)},
			"x-idx3",
			[]string{"has 2 dimensions"},
		},
		{
			"labels chosen",
			map[string][]byte{"x-labels-idx1": idxBytes(counting(4), 4)},
			"x-labels-idx1",
			[]string{"holds labels", "choose the images file"},
		},
		{
			"count differs",
			map[string][]byte{"x-images-idx3": good, "x-labels-idx1": idxBytes(counting(3), 3)},
			"",
			[]string{"holds 3 labels", "holds 2 images", "do not belong together"},
		},
		{
			"labels cut",
			map[string][]byte{"x-images-idx3": good, "x-labels-idx1": idxBytes(counting(1), 2)},
			"",
			[]string{"x-labels-idx1", "truncated"},
		},
		{
			"labels of another kind",
			map[string][]byte{"x-images-idx3": good, "x-labels-idx1": good},
			"x-images-idx3",
			[]string{"x-labels-idx1", "a labels file has 1"},
		},
		{
			"several",
			map[string][]byte{"a-images-idx3": good, "b-images-idx3": good},
			"",
			[]string{"several IDX image files (a-images-idx3, b-images-idx3)"},
		},
		{
			"several for testing",
			map[string][]byte{"test-a-idx3": good, "test-b-idx3": good},
			"",
			[]string{"choose one of them"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			wrong(t, filepath.Join(tree(t, test.files), test.path), Options{}, test.texts...)
		})
	}
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

func TestIDXProgressAndCancel(t *testing.T) {
	root := tree(t, map[string][]byte{"x-idx3": idxBytes(make([]byte, 5000*28*28), 5000, 28, 28)})
	var c testdata.Progress
	if _, err := Scan(context.Background(), root, Options{}, &c); err != nil || c.Total.Load() != 5000 ||
		c.Done.Load() != 5000 {
		t.Errorf("%v, %d of %d", err, c.Done.Load(), c.Total.Load())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	testdata.ErrorIs(t, "Scan", testdata.Err(Scan(ctx, root, Options{}, nil)), context.Canceled)
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
