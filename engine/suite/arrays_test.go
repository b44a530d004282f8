package suite

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/internal/testdata"
)

// npyBytes is an array in NumPy's format.
func npyBytes(kind, shape string, data []byte) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", kind, shape)
	return append([]byte("\x93NUMPY\x01\x00"+string([]byte{byte(len(header)), 0})+header), data...)
}

func npzBytes(t testing.TB, arrays map[string][]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, data := range arrays {
		member, err := w.Create(name + ".npy")
		if err == nil {
			_, err = member.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	testdata.OK(t, w.Close())
	return out.Bytes()
}

// The fixtures hold 0, 1, 2, ... in the order of rows.
func TestArrays(t *testing.T) {
	for name, want := range map[string]struct {
		shape  [3]int
		labels []int
		notes  []string
		value  func(image, channel, pixel int) float32
	}{
		"mnist.npz": {
			[3]int{1, 4, 5},
			[]int{2, 0, 2},
			[]string{"array x_test.npy is taken, not x_train"},
			func(i, _, k int) float32 { return levels[20*i+k] },
		},
		"rgb.npz": {[3]int{3, 2, 3}, []int{1, -1}, nil, func(i, c, k int) float32 { return levels[18*i+3*k+c] }},
		"planes.npz": {
			[3]int{3, 2, 4},
			[]int{1, -1},
			[]string{"values from 0 to 255", "channels before height and width"},
			func(i, c, k int) float32 { return levels[24*i+3*k+c] },
		},
		"gray-float.npy": {
			[3]int{1, 4, 5},
			[]int{-1, -1, -1},
			[]string{"values from 0 to 1"},
			func(i, _, k int) float32 { return float32(20*i+k) / 60 },
		},
	} {
		root := tree(t, map[string][]byte{name: fixture(t, name)})
		m := scan(t, filepath.Join(root, name), Options{})
		if m.Format != Arrays || m.Shape != want.shape || !slices.Equal(m.Labels, want.labels) ||
			!slices.Equal(m.Notes, want.notes) {
			t.Errorf("%s: %+v", name, m)
		}
		s := open(t, m)
		for i := range m.Images {
			img := pixels(t, s, i)
			for k, v := range img.Pix {
				per := want.shape[1] * want.shape[2]
				if v != want.value(i, k/per, k%per) {
					t.Fatalf("%s: image %d, value %d is %v, want %v", name, i, k, v, want.value(i, k/per, k%per))
				}
			}
		}
		testdata.Is(t, name, testdata.Must(Verify(t.Context(), m, root, nil))(t).Hash, m.Hash)
	}
}

// Arrays beside each other belong together by their names, whichever of folder and file is chosen.
func TestArraysBesideEachOther(t *testing.T) {
	images, labels := npyBytes("|u1", "2, 1, 2", []byte{0, 255, 3, 4}),
		npyBytes("<i8", "2", []byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	root := tree(t, map[string][]byte{
		"X_test.npy": images, "y_test.npy": labels, "y_train.npy": labels,
		"notes.txt": nil, "other.npy": labels,
	})
	whole := scan(t, root, Options{})
	file := scan(t, filepath.Join(root, "X_test.npy"), Options{})
	if whole.Hash != file.Hash || !slices.Equal(whole.Labels, []int{1, 0}) || len(whole.Files) != 2 ||
		len(whole.Classes) != 2 {
		t.Errorf("%+v", whole)
	}
	given := scan(t, filepath.Join(root, "X_test.npy"), Options{Labels: filepath.Join(root, "other.npy")})
	testdata.Is(t, fmt.Sprint(given.Files), given.Files[1].Path, "other.npy")
	if _, err := Verify(t.Context(), given, root, nil); err != nil {
		t.Error(err)
	}
}

func TestHostileArrays(t *testing.T) {
	ones := npyBytes("|u1", "1, 2, 2", []byte{1, 2, 3, 4})
	for name, c := range map[string]struct {
		file string
		data []byte
		text string
	}{
		"truncated":    {"x.npy", ones[:len(ones)-1], "image 0 of 1 has 3 of 4 bytes"},
		"shape":        {"x.npy", npyBytes("|u1", "4", []byte{1, 2, 3, 4}), "has the shape [4]"},
		"channels":     {"x.npy", npyBytes("|u1", "1, 2, 1, 4", make([]byte, 8)), "with or without 1 or 3 channels"},
		"large":        {"x.npy", npyBytes("|u1", "1, 1000000, 1000000", nil), "at most 41 million pixels"},
		"too many":     {"x.npy", npyBytes("|u1", "100000000, 1000, 1000", nil), "too large"},
		"lying":        {"x.npy", npyBytes("|u1", "100000, 1000, 1000", nil), "is truncated"},
		"none":         {"x.npy", npyBytes("|u1", "0, 2, 2", nil), "holds no images"},
		"negative":     {"x.npy", npyBytes("|i1", "1, 2, 2", []byte{255, 2, 3, 4}), "values from -1 to 4"},
		"no number":    {"x.npy", npyBytes("<f4", "1, 1, 1", []byte{0, 0, 0xc0, 0x7f}), "is no number"},
		"objects":      {"x.npy", npyBytes("|O8", "1, 1, 1", make([]byte, 8)), "cannot be read"},
		"no archive":   {"x.npz", []byte("PK\x03\x04"), "no zip archive"},
		"other arrays": {"x.npz", npzBytes(t, map[string][]byte{"weights": ones}), "has the arrays weights; name"},
		"numbers": {
			"x.npz", npzBytes(t, map[string][]byte{"x": ones, "y": npyBytes("|u1", "2", []byte{1, 2})}),
			"holds 2 labels, but 1 images",
		},
		"one-hot": {
			"x.npz", npzBytes(t, map[string][]byte{"x": ones, "y": npyBytes("|u1", "1, 2", []byte{1, 2})}), "argmax",
		},
		"half": {
			"x.npz", npzBytes(t, map[string][]byte{"x": ones, "y": npyBytes("<f4", "1", []byte{0, 0, 0, 0x3f})}),
			"the label 0.5",
		},
	} {
		path := filepath.Join(tree(t, map[string][]byte{c.file: c.data}), c.file)
		if used := allocated(func() { wrong(t, path, Options{}, c.file, c.text) }); used > bombMemory {
			t.Errorf("%s: %d MB", name, used>>20)
		}
	}
}

// FuzzArray: what opens as images has the sizes that it says, and its values are numbers from 0.
func FuzzArray(f *testing.F) {
	f.Add(npyBytes("|u1", "1, 2, 2", []byte{1, 2, 3, 4}))
	f.Add(npyBytes(">f8", "1, 1, 1, 3", bytes.Repeat([]byte{0x3f, 0xe0, 0, 0, 0, 0, 0, 0}, 3)))
	f.Add(npyBytes("<u2", "1,1,1", []byte{255, 255}))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := openImages(bytes.NewReader(data))
		if err != nil {
			return
		}
		if values := a.values(); values < 1 || values > 3*maxPixels || a.Count != a.Shape[0]*values ||
			strings.Contains(fmt.Sprint(a.shape), "-") {
			t.Fatalf("%v of %v", a.shape, a.Shape)
		}
		if int64(len(data)) < a.Start+int64(a.Shape[0])*a.bytes() {
			return // checked by reading, which would take the memory of an image
		}
		white, err := a.white(t.Context(), progress.None{})
		if err == nil && white != 1 && white != 255 && white != 65535 {
			t.Fatalf("white is %v", white)
		}
		if _, err := readArrayLabels(io.LimitReader(bytes.NewReader(data), 1<<16)); err == nil && len(a.Shape) < 3 {
			t.Fatalf("shape %v", a.Shape)
		}
	})
}
