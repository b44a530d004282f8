package suite

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestNameFrom(t *testing.T) {
	root := tree(t, map[string][]byte{
		"mnist/test-images-idx3-ubyte.gz": nil, "mnist/t10k-images.idx3-ubyte": nil, "mnist/digits-idx3-ubyte": nil,
		"pets/list.csv": nil, "pets/manifest.csv": nil, "cifar/test/a.png": nil, "cifar/test_batch.bin": nil,
		"cifar/data_batch_1.bin": nil, "v1.2/x": nil,
	})
	for path, want := range map[string]string{
		"mnist": "mnist", "mnist/test-images-idx3-ubyte.gz": "mnist-test", "mnist/t10k-images.idx3-ubyte": "mnist-t10k",
		"mnist/digits-idx3-ubyte": "digits", "pets/list.csv": "list", "pets/manifest.csv": "pets-manifest",
		"cifar/test": "cifar-test", "cifar/test_batch.bin": "cifar-test_batch",
		"cifar/data_batch_1.bin": "data_batch_1", "v1.2": "v1.2", "study/targets": "targets",
		"study/images": "images",
	} {
		testdata.Is(t, fmt.Sprint(path), nameFrom(filepath.Join(root, filepath.FromSlash(path))), want)
	}
}

func TestNumberedClasses(t *testing.T) {
	for _, test := range []struct {
		labels []int
		names  []string
		want   []string
		fails  bool
	}{
		{nil, nil, nil, false},
		{[]int{-1, -1}, []string{"a"}, nil, false},
		{[]int{0, 3}, nil, []string{"0", "1", "2", "3"}, false},
		{[]int{0, 1}, []string{"a", "b", "c"}, []string{"a", "b", "c"}, false},
		{[]int{0, 3}, []string{"a", "b", "c"}, nil, true},
	} {
		got, err := numbered(test.labels, test.names)
		if !slices.Equal(got, test.want) || (err != nil) != test.fails {
			t.Errorf("%v, %v: %v, %v", test.labels, test.names, got, err)
		}
	}
	for _, test := range []struct {
		classes []string
		want    bool
	}{
		{nil, false},
		{[]string{"0", "1"}, false},
		{[]string{"1", "0"}, true},
		{[]string{"00"}, true},
		{[]string{"cat"}, true},
	} {
		testdata.Is(t, "names", testdata.Must(found{classes: test.classes}.manifest())(t).Named, test.want)
	}
	tooLarge := found{root: "here", labels: []int{0, 2}, classes: []string{"a", "b"}}
	testdata.Refused(t, "a label without a class", testdata.Err(tooLarge.manifest()), "label 2")
}

// TestFolderAgainstSlow builds random folders and says from the names alone what the suite must be.
func TestFolderAgainstSlow(t *testing.T) {
	good, bad := pngBytes(1, 1, red), []byte("no image")
	base := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		root := filepath.Join(base, fmt.Sprint(n))
		name := rapid.StringMatching(`[a-cA-C0-9 _]{1,3}`).Filter(func(s string) bool {
			return strings.TrimSpace(s) == s
		})
		files := map[string]bool{} // path: readable
		for range rapid.IntRange(1, 8).Draw(t, "files") {
			class := name.Draw(t, "class")
			files[class+"/"+name.Draw(t, "file")+".png"] = true
			files[class+"/"+name.Draw(t, "bad")+"!.png"] = false
		}
		for path, readable := range files {
			file := filepath.Join(root, filepath.FromSlash(path))
			data := bad
			if readable {
				data = good
			}
			testdata.OK(t, os.MkdirAll(filepath.Dir(file), 0o777))
			testdata.OK(t, os.WriteFile(file, data, 0o666))
		}
		m := testdata.Must(Scan(context.Background(), root, Options{SkipCorrupt: true}, nil))(t)
		checkAgainstNames(t, m, files)
	})
}

func checkAgainstNames(t *rapid.T, m Manifest, files map[string]bool) {
	classes := map[string]bool{}
	for path := range files {
		classes[strings.SplitN(path, "/", 2)[0]] = true
	}
	order := slices.Sorted(maps.Keys(classes))
	testdata.Equal(t, "classes", m.Classes, order)
	var kept, left []string
	var labels []int
	for label, class := range order {
		for _, path := range slices.Sorted(maps.Keys(files)) {
			switch {
			case !strings.HasPrefix(path, class+"/"):
			case files[path]:
				kept, labels = append(kept, path), append(labels, label)
			default:
				left = append(left, path)
			}
		}
	}
	var skipped []string
	for _, s := range m.Skipped {
		skipped = append(skipped, s.Path)
	}
	if !slices.Equal(paths(m), kept) || !slices.Equal(m.Labels, labels) || !slices.Equal(skipped, left) {
		t.Fatalf("files %q with %v without %q, want %q with %v without %q",
			paths(m), m.Labels, skipped, kept, labels, left)
	}
}

// TestIDXRoundTrip writes random suites and reads every image back, plain and packed.
func TestIDXRoundTrip(t *testing.T) {
	base := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		count, h, w := rapid.IntRange(1, 6).Draw(t, "count"), rapid.IntRange(1, 5).Draw(t, "h"),
			rapid.IntRange(1, 5).Draw(t, "w")
		data := rapid.SliceOfN(rapid.Byte(), count*h*w, count*h*w).Draw(t, "pixels")
		labels := rapid.SliceOfN(rapid.ByteMax(12), count, count).Draw(t, "labels")
		images, marks, ending := idxBytes(data, count, h, w), idxBytes(labels, count), ""
		if rapid.Bool().Draw(t, "packed") {
			images, marks, ending = packed(images), packed(marks), ".gz"
		}
		path := filepath.Join(base, fmt.Sprintf("%d-images-idx3-ubyte%s", n, ending))
		beside := strings.NewReplacer("images", "labels", "idx3", "idx1").Replace(path)
		testdata.OK(t, errors.Join(os.WriteFile(path, images, 0o666), os.WriteFile(beside, marks, 0o666)))
		m := testdata.Must(Scan(context.Background(), path, Options{}, nil))(t)
		s := testdata.Must(Open(m, m.Root))(t)
		defer s.Close()
		if s.Len() != count || len(m.Classes) != int(slices.Max(labels))+1 {
			t.Fatalf("%d images, classes %v", s.Len(), m.Classes)
		}
		for i := range count {
			img, err := s.Image(i)
			if err != nil || s.Label(i) != int(labels[i]) {
				t.Fatalf("image %d: label %d, %v", i, s.Label(i), err)
			}
			for k, v := range img.Pix {
				if v != float32(data[i*h*w+k])/255 {
					t.Fatalf("image %d, pixel %d: %v from %d", i, k, v, data[i*h*w+k])
				}
			}
		}
	})
}

// TestCIFARBatchesAgainstSlow: image i of several files is record i of the files one behind the
// other.
func TestCIFARBatchesAgainstSlow(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	files := map[string][]byte{}
	var all []byte
	for b := range 4 {
		for range 1 + random.IntN(4) {
			record := []byte{byte(random.IntN(10))}
			for range cifarPixels {
				record = append(record, byte(random.Uint32()))
			}
			name := fmt.Sprintf("data_batch_%d.bin", b+1)
			files[name] = append(files[name], record...)
			all = append(all, record...)
		}
	}
	m := scan(t, tree(t, files), Options{})
	s := open(t, m)
	if s.Len() != len(all)/(1+cifarPixels) || m.Format != CIFAR || m.Named || len(m.Classes) != 10 ||
		m.Shape != [3]int{3, 32, 32} {
		t.Fatalf("%+v", m)
	}
	for i := range s.Len() {
		record := all[i*(1+cifarPixels) : (i+1)*(1+cifarPixels)]
		testdata.Is(t, fmt.Sprintf("label %d", i), s.Label(i), int(record[0]))
		for k, v := range pixels(t, s, i).Pix {
			if v != float32(record[1+k])/255 {
				t.Fatalf("image %d, value %d", i, k)
			}
		}
	}
}

// TestScanSaysHowFarItIsAndEnds in every format, before it has begun.
func TestScanSaysHowFarItIsAndEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, path := range small(t) {
		var p testdata.Progress
		m := testdata.Must(Scan(t.Context(), path, Options{}, &p))(t)
		p.Whole(t, int64(m.Images))
		testdata.ErrorIs(t, name, testdata.Err(Scan(ctx, path, Options{}, nil)), context.Canceled)
	}
}

func TestCancelWhileScanning(t *testing.T) {
	files := map[string][]byte{"l.csv": []byte("path,label\n")}
	for i := range 200 {
		name := fmt.Sprintf("c%d/%03d.png", i%3, i)
		files[name] = pngBytes(2, 2, red)
		files["l.csv"] = append(files["l.csv"], name+",x\n"...)
	}
	root := tree(t, files)
	for _, path := range []string{root, filepath.Join(root, "l.csv")} {
		ctx, cancel := context.WithCancel(context.Background())
		s := &testdata.Progress{After: 5, Stop: cancel}
		if _, err := Scan(ctx, path, Options{SkipCorrupt: true}, s); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", path, err)
		}
		if done := s.Done.Load(); done > 50 {
			t.Errorf("%s: %d images after the end", path, done)
		}
		cancel()
	}
}

// TestFirstCorruptImageEndsTheScan: the rest is not read for nothing. Several are corrupt, so that
// it does not depend on one goroutine being quick.
func TestFirstCorruptImageEndsTheScan(t *testing.T) {
	files := map[string][]byte{}
	for i := range 50 {
		files[fmt.Sprintf("a/%03d.png", i)] = []byte("x")
	}
	for i := range 200 {
		files[fmt.Sprintf("b/%03d.png", i)] = pngBytes(2, 2, red)
	}
	var c testdata.Progress
	if _, err := Scan(context.Background(), tree(t, files), Options{}, &c); !errors.Is(err, ErrCorrupt) ||
		!strings.Contains(err.Error(), "a/0") {
		t.Errorf("%v", err)
	}
	if c.Total.Load() != 250 || c.Done.Load() > 150 {
		t.Errorf("%d of %d images were read", c.Done.Load(), c.Total.Load())
	}
}
