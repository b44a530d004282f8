package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/testdata"
)

// small are suites of every format.
func small(t *testing.T) map[string]string {
	t.Helper()
	r, b := pngBytes(2, 2, red), pngBytes(2, 2, blue)
	return map[string]string{
		"folder": tree(t, map[string][]byte{"a/1.png": r, "a/2.png": b, "b/1.png": b}),
		"flat":   tree(t, map[string][]byte{"1.png": r, "2.png": b}),
		"csv": filepath.Join(tree(t, map[string][]byte{
			"l.csv": []byte("path,label\n1.png,x\n2.png,y\n"),
			"1.png": r, "2.png": b,
		}), "l.csv"),
		"idx": tree(t, map[string][]byte{
			"x-images-idx3": idxBytes(counting(8), 2, 2, 2),
			"x-labels-idx1": idxBytes([]byte{1, 0}, 2),
		}),
		"idx packed": tree(t, map[string][]byte{
			"x-images-idx3.gz": packed(idxBytes(counting(8), 2, 2, 2)),
			"x-labels-idx1.gz": packed(idxBytes([]byte{1, 0}, 2)),
		}),
		"cifar": tree(t, map[string][]byte{"data_batch_1.bin": cifarBytes(1, 2), "data_batch_2.bin": cifarBytes(3)}),
	}
}

func TestOpenNoticesWhatChanged(t *testing.T) {
	for name, path := range small(t) {
		t.Run(name, func(t *testing.T) {
			m := scan(t, path, Options{Name: "mine"})
			for _, f := range m.Files {
				file := filepath.Join(m.Root, filepath.FromSlash(f.Path))
				data := testdata.Must(os.ReadFile(file))(t)
				testdata.OK(t, os.Chtimes(file, time.Time{}, f.Modified.Add(time.Second)))
				refuses(t, m, m.Root, ErrChanged, f.Path, "was written at")
				put(t, file, data[:len(data)-1])
				refuses(t, m, m.Root, ErrChanged, f.Path, "bytes, at import it had")
				testdata.OK(t, os.Remove(file))
				refuses(t, m, m.Root, ErrMissing, f.Path, "locate")
				put(t, file, data)
				testdata.OK(t, os.Chtimes(file, time.Time{}, f.Modified))
				open(t, m)
			}
			refuses(t, m, filepath.Join(m.Root, "nowhere"), ErrMissing)
			refuses(t, m, filepath.Join(m.Root, filepath.FromSlash(m.Files[0].Path)), ErrMissing)
		})
	}
}

func refuses(t *testing.T, m Manifest, root string, want error, texts ...string) {
	t.Helper()
	s, err := Open(m, root)
	if err == nil {
		_ = s.Close() // the test fails already
	}
	if !errors.Is(err, want) {
		t.Fatalf("%v, want %v", err, want)
	}
	for _, text := range append(texts, "mine") {
		if !strings.Contains(err.Error(), text) {
			t.Fatalf("%q does not say %q", err, text)
		}
	}
}

func TestOpenRefusesDamagedRecords(t *testing.T) {
	m := scan(t, small(t)["folder"], Options{})
	for name, spoil := range map[string]func(*Manifest){
		"labels":  func(m *Manifest) { m.Labels = m.Labels[1:] },
		"files":   func(m *Manifest) { m.Files = m.Files[1:] },
		"no file": func(m *Manifest) { m.Files = nil },
		"outside": func(m *Manifest) { m.Files = slices.Clone(m.Files); m.Files[0].Path = "../x.png" },
		"format":  func(m *Manifest) { m.Format = "zip" },
	} {
		bad := m
		spoil(&bad)
		testdata.Refused(t, name, testdata.Err(Open(bad, m.Root)))
	}
	for _, name := range []string{"idx", "cifar"} {
		m := scan(t, small(t)[name], Options{})
		m.Images, m.Labels = m.Images+1, append(m.Labels, 0)
		testdata.ErrorIs(t, name, testdata.Err(Open(m, m.Root)), ErrChanged)
	}
}

func TestHashIsContent(t *testing.T) {
	for name, path := range small(t) {
		m := scan(t, path, Options{})
		if again := scan(t, path, Options{Name: "other"}); again.Hash != m.Hash || len(m.Hash) != 64 {
			t.Errorf("%s: %s and %s", name, m.Hash, again.Hash)
		}
		f := filepath.Join(m.Root, filepath.FromSlash(m.Files[0].Path))
		data := testdata.Must(os.ReadFile(f))(t)
		switch m.Format {
		case Folder, CSV:
			put(t, f, pngBytes(2, 2, blue))
			data = nil
		case IDX:
			if strings.HasSuffix(f, ".gz") {
				continue // covered by the plain one
			}
			data[len(data)-1]++
		case CIFAR:
			data[len(data)-1]++
		}
		if data != nil {
			put(t, f, data)
		}
		if changed := scan(t, path, Options{}); changed.Hash == m.Hash {
			t.Errorf("%s: other bytes, same hash", name)
		}
	}
	r, b := pngBytes(2, 2, red), pngBytes(2, 2, blue)
	hashes := map[string]string{}
	for name, files := range map[string]map[string][]byte{
		"as it is":        {"a/1.png": r, "b/1.png": b},
		"renamed file":    {"a/7.png": r, "b/1.png": b},
		"renamed class":   {"a/1.png": r, "c/1.png": b},
		"labels changed":  {"a/1.png": b, "b/1.png": r},
		"one class more":  {"a/1.png": r, "b/1.png": b, "c/1.png": b},
		"images repeated": {"a/1.png": r, "a/2.png": r, "b/1.png": b},
	} {
		hashes[name] = scan(t, tree(t, files), Options{}).Hash
	}
	testdata.Is(t, "the name of a file is no content", hashes["as it is"], hashes["renamed file"])
	delete(hashes, "renamed file")
	seen := map[string]string{}
	for name, h := range hashes {
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s have one hash", name, other)
		}
		seen[h] = name
	}
}

func TestVerify(t *testing.T) {
	for name, path := range small(t) {
		t.Run(name, func(t *testing.T) {
			m := scan(t, path, Options{Name: "mine"})
			moved := t.TempDir()
			for _, f := range m.Files {
				data := testdata.Must(os.ReadFile(filepath.Join(m.Root, filepath.FromSlash(f.Path))))(t)
				file := filepath.Join(moved, filepath.FromSlash(f.Path))
				put(t, file, data)
				testdata.OK(t, os.Chtimes(file, time.Time{}, f.Modified.Add(time.Hour)))
			}
			refuses(t, m, moved, ErrChanged)
			var c testdata.Progress
			now, err := Verify(context.Background(), m, moved, &c)
			if err != nil || now.Root != moved || now.Hash != m.Hash || c.Done.Load() != int64(len(m.Files)) {
				t.Fatalf("%+v, %v", now, err)
			}
			open(t, now)
			last := m.Files[len(m.Files)-1]
			file := filepath.Join(moved, filepath.FromSlash(last.Path))
			data := testdata.Must(os.ReadFile(file))(t)
			put(t, file, flip(data, -1))
			if _, err := Verify(context.Background(), m, moved, nil); err == nil || name != "idx packed" &&
				!errors.Is(err, ErrChanged) {
				t.Errorf("other bytes: %v", err)
			}
			testdata.OK(t, os.Remove(file))
			testdata.ErrorIs(t, "Verify", testdata.Err(Verify(context.Background(), m, moved, nil)), ErrMissing)
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			testdata.ErrorIs(t, "Verify", testdata.Err(Verify(ctx, m, m.Root, nil)), context.Canceled)
		})
	}
}

func TestSuiteFromManyGoroutines(t *testing.T) {
	for name, path := range small(t) {
		s := open(t, scan(t, path, Options{}))
		var want []Image
		for i := range s.Len() {
			want = append(want, pixels(t, s, i))
		}
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				for i := range s.Len() {
					if img, err := s.Image(i); err != nil || !slices.Equal(img.Pix, want[i].Pix) {
						t.Errorf("%s: image %d: %v", name, i, err)
					}
				}
			})
		}
		wait.Wait()
		for _, i := range []int{-1, s.Len()} {
			testdata.Refused(t, fmt.Sprintf("%s: image %d exists", name, i), testdata.Err(s.Image(i)))
		}
		if s.Manifest().Hash == "" || s.Close() != nil || s.Close() != nil {
			t.Errorf("%s does not close twice", name)
		}
	}
}

func TestImageErrorsNameTheFile(t *testing.T) {
	m := scan(t, small(t)["folder"], Options{Name: "mine"})
	s := open(t, m)
	put(t, filepath.Join(m.Root, "a", "1.png"), []byte("x"))
	testdata.Refused(t, "error", testdata.Err(s.Image(0)), filepath.Join(m.Root, "a", "1.png"), "mine")
	testdata.OK(t, os.Remove(filepath.Join(m.Root, "a", "2.png")))
	testdata.ErrorIs(t, "Image", testdata.Err(s.Image(1)), os.ErrNotExist)
}

func TestRecognise(t *testing.T) {
	root := tree(t, map[string][]byte{
		"a.png": pngBytes(1, 1, red), "a.txt": []byte("text"), "empty": nil,
		"a.gz": packed([]byte("text")), "cut.gz": {0x1f, 0x8b},
	})
	for name, want := range map[string]string{
		"a.png": "is a single image", "a.txt": "expected IDX images", "empty": "is empty", "a.gz": "of a known format",
		"cut.gz": "of a known format",
	} {
		if _, err := Recognise(filepath.Join(root, name)); !errors.Is(err, ErrUnknown) ||
			!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	testdata.ErrorIs(t, "Recognise", testdata.Err(Recognise(filepath.Join(root, "nowhere"))), os.ErrNotExist)
	testdata.Refused(t, "error", testdata.Err(Recognise(os.DevNull)), "it is a device, not a file")
}

// TestRealSuites reads the scenes of the repository and, where they are, the suites beside it.
func TestRealSuites(t *testing.T) {
	for _, test := range []struct {
		zoo, path string
		images    int
		shape     [3]int
		classes   int
	}{
		{"scenes", "targets", 360, [3]int{3, 64, 64}, 9},
		{"mnist", ".", 4000, [3]int{1, 28, 28}, 10},
		{"cifar", "test", 2000, [3]int{3, 32, 32}, 10},
	} {
		zoo, ok := testdata.Zoo(test.zoo)
		if _, err := os.Stat(filepath.Join(zoo, test.path)); !ok || err != nil {
			t.Logf("suite %s: absent", test.zoo)
			continue
		}
		m := scan(t, filepath.Join(zoo, test.path), Options{})
		s := open(t, m)
		if os.Getenv("VARISCOPE_ZOO") == "" && (m.Images != test.images || m.Shape != test.shape ||
			len(m.Classes) != test.classes) {
			t.Errorf("%s: %d images of %v in %d classes", test.zoo, m.Images, m.Shape, len(m.Classes))
		}
		for _, i := range []int{0, s.Len() / 2, s.Len() - 1} {
			pixels(t, s, i)
		}
	}
}
