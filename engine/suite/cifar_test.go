package suite

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/progress"
)

const tenNames = "airplane\nautomobile\nbird\ncat\ndeer\ndog\nfrog\nhorse\nship\ntruck\n\n"

func TestCIFARFolder(t *testing.T) {
	root := tree(t, map[string][]byte{
		"data_batch_1.bin": cifarBytes(0, 1), "data_batch_2.bin": cifarBytes(2), "batches.meta.txt": []byte(tenNames),
		"readme.html": nil,
	})
	m := scan(t, root, Options{})
	if !m.Named || m.Classes[9] != "truck" || m.Images != 3 || len(m.Files) != 2 ||
		!slices.Equal(m.Labels, []int{0, 1, 2}) {
		t.Errorf("%+v", m)
	}
	s := open(t, m)
	for i, want := range []float32{0, 1 / 255.0, 0} { // the level is the number inside the file
		if img := pixels(t, s, i); img.Pix[0] != want {
			t.Errorf("image %d: %v, want %v", i, img.Pix[0], want)
		}
	}
	put(t, filepath.Join(root, "test_batch.bin"), cifarBytes(7))
	if m = scan(t, root, Options{}); m.Images != 1 || m.Files[0].Path != "test_batch.bin" {
		t.Errorf("the test batch must be preferred: %+v", m.Files)
	}
}

// Of CIFAR-100 the second byte of a record, its fine label, counts.
func TestCIFAR100(t *testing.T) {
	names := strings.Join(numbers(99), "\n") + "\nworm\n"
	record := func(coarse, fine, level byte) []byte {
		return append([]byte{coarse, fine}, bytes.Repeat([]byte{level}, cifarPixels)...)
	}
	data := append(record(11, 19, 1), record(15, 99, 2)...)
	root := tree(t, map[string][]byte{
		"test.bin": data, "train.bin": data[:len(data)/2],
		"fine_label_names.txt": []byte(names), "coarse_label_names.txt": []byte("x"),
	})
	for _, path := range []string{root, filepath.Join(root, "test.bin")} {
		m := scan(t, path, Options{})
		if m.Format != CIFAR100 || m.Classes[99] != "worm" || !slices.Equal(m.Labels, []int{19, 99}) ||
			len(m.Notes) != 1 {
			t.Errorf("%+v", m)
		}
		if img := pixels(t, open(t, m), 1); img.Pix[0] != levels[2] || img.Pix[cifarPixels-1] != levels[2] {
			t.Errorf("%v", img.Pix[:3])
		}
	}
	put(t, filepath.Join(root, "test.bin"), record(11, 100, 1))
	wrong(t, root, Options{}, "record 0 has label 100; it is no CIFAR-100 file")
}

func TestCIFARErrors(t *testing.T) {
	for name, test := range map[string]struct {
		data  []byte
		opts  Options
		texts []string
	}{
		"truncated":   {cifarBytes(1, 2)[:5000], Options{}, []string{"a.bin", "5000 bytes", "truncated"}},
		"empty":       {nil, Options{}, []string{"a.bin", "0 bytes"}},
		"label":       {cifarBytes(1, 77), Options{}, []string{"record 1 has label 77"}},
		"names given": {cifarBytes(1), Options{Classes: []string{"x"}}, []string{"1 class names"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(tree(t, map[string][]byte{"a.bin": test.data}), "a.bin")
			wrong(t, path, test.opts, test.texts...)
		})
	}
	for names, text := range map[string]string{
		"a\nb\n": "2 class names for the 10", "\n": "batches.meta.txt is empty",
	} {
		files := map[string][]byte{"test_batch.bin": cifarBytes(1), "batches.meta.txt": []byte(names)}
		wrong(t, tree(t, files), Options{}, text)
	}
}

// FuzzCIFAR: labels come only from whole records and lie in range.
func FuzzCIFAR(f *testing.F) {
	f.Add(cifarBytes(0, 9))
	f.Add(cifarBytes(10))
	f.Add(cifarBytes(1)[:3000])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		labels, err := cifarForms[0].records(context.Background(), bytes.NewReader(data), progress.None{})
		if err != nil {
			return
		}
		if len(labels)*(1+cifarPixels) != len(data) {
			t.Fatalf("%d labels from %d bytes", len(labels), len(data))
		}
		for i, l := range labels {
			if l != int(data[i*(1+cifarPixels)]) || l >= 10 {
				t.Fatalf("label %d is %d", i, l)
			}
		}
	})
}
