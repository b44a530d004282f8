package imageset

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/durable"
)

// halved is the set of a suite's images at half their brightness.
func halved(s *suite.Suite, folder string, format Format) Set {
	return Set{
		Folder: folder, Suite: s, Format: format, Card: "# half\n",
		Image: func(_ int, img suite.Image) (suite.Image, error) {
			out := img
			out.Pix = make([]float32, len(img.Pix))
			for k, v := range img.Pix {
				out.Pix[k] = v / 2
			}
			return out, nil
		},
	}
}

// Every value is the nearest level, labels and order are the suite's, and what lies there is known
// again.
func TestSets(t *testing.T) {
	s := images.Gray(t, chunk+30, 5)
	for _, format := range []Format{Folder, IDX} {
		set, p := halved(s, filepath.Join(t.TempDir(), "half"), format), &testdata.Progress{}
		if there, err := set.There(); there || err != nil {
			t.Fatalf("%v, %v", there, err)
		}
		testdata.OK(t, set.Write(context.Background(), p))
		if there, err := set.There(); !there || err != nil || p.Done.Load() != chunk+30 {
			t.Errorf("%v, %v, %d images", there, err, p.Done.Load())
		}
		written, order := images.Open(t, set.Folder), images.ByClass(s)
		if format == IDX {
			slices.Sort(order)
		}
		for k, i := range order {
			from := testdata.Must(s.Image(i))(t)
			got := testdata.Must(written.Image(k))(t)
			for at, v := range from.Pix {
				level, want := int(got.Pix[at]*255+0.5), (int(v*255+0.5)+1)/2 // halves are rounded up
				if level != want || written.Label(k) != s.Label(i) {
					t.Fatalf("%s: image %d has %d, want %d; class %d, want %d", format, i, level, want,
						written.Label(k), s.Label(i))
				}
			}
		}
		set.Card = "# other\n"
		testdata.Refused(t, "another card", testdata.Err(set.There()), "holds something else")
		if entries, err := os.ReadDir(filepath.Dir(set.Folder)); err != nil || len(entries) != 1 {
			t.Errorf("%v, %v: something was left beside the folder", entries, err)
		}
	}
}

func TestValuesOutsideAreCut(t *testing.T) {
	img := suite.Image{Channels: 1, Height: 1, Width: 6, Pix: []float32{-0.5, 0, 1.0000001, 7, 0.0019607, 0.0019609}}
	if got := bytesOf(img); !slices.Equal(got, []byte{0, 0, 255, 255, 0, 1}) {
		t.Errorf("%v", got)
	}
}

// Nothing is left of a set that could not be completed, whatever failed.
func TestNothingIsLeft(t *testing.T) {
	s, broken := images.Gray(t, 2*chunk, 5), errors.New("broken")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for name, c := range map[string]struct {
		ctx   context.Context
		spoil func(*Set)
		want  string
	}{
		"image": {context.Background(), func(s *Set) {
			s.Image = func(int, suite.Image) (suite.Image, error) {
				return suite.Image{}, broken
			}
		}, "image "},
		"more": {
			context.Background(), func(s *Set) { s.More = func(*durable.Draft) error { return broken } }, "broken",
		},
		"cancelled": {ctx, func(*Set) {}, "canceled"},
		"place": {
			context.Background(), func(s *Set) { s.Folder = filepath.Join(s.Folder, "nowhere", "x") }, "nowhere",
		},
	} {
		out := t.TempDir()
		set := halved(s, filepath.Join(out, "half"), Folder)
		c.spoil(&set)
		testdata.Refused(t, name, set.Write(c.ctx, engine.NoProgress{}), c.want)
		if entries, err := os.ReadDir(out); err != nil || len(entries) != 0 {
			t.Errorf("%s: %v, %v", name, entries, err)
		}
	}
}

// Further files lie in the folder before its card does.
func TestMoreFiles(t *testing.T) {
	set := halved(images.Gray(t, 3, 5), filepath.Join(t.TempDir(), "half"), IDX)
	set.More = func(draft *durable.Draft) error {
		if _, err := os.Stat(filepath.Join(draft.Path, "images-idx3-ubyte")); err != nil {
			return err
		}
		return draft.WriteBytes("more.csv", []byte("x\n"))
	}
	testdata.OK(t, set.Write(context.Background(), engine.NoProgress{}))
	if files := images.Files(t, set.Folder); len(files) != 4 || string(files["more.csv"]) != "x\n" ||
		string(files[CardName]) != "# half\n" {
		t.Errorf("%d files", len(files))
	}
}

func TestParent(t *testing.T) {
	there := t.TempDir()
	for _, path := range []string{there, filepath.Join(there, "a", "b")} {
		undo := testdata.Must(Parent(path))(t)
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			t.Fatalf("%v", err)
		}
		testdata.OK(t, undo())
		if _, err := os.Stat(path); (path == there) != (err == nil) {
			t.Errorf("after the undo of %s: %v", path, err)
		}
	}
	images.Put(t, filepath.Join(there, "file"), nil)
	if _, err := Parent(filepath.Join(there, "file", "below")); err == nil {
		t.Error("a folder below a file was made")
	}
}

func TestCheck(t *testing.T) {
	m := suite.Manifest{Name: "s", Images: 2, Shape: [3]int{1, 4, 4}, Labels: []int{0, 1}, Classes: []string{"a", "b"}}
	for _, c := range []struct {
		format Format
		spoil  func(*suite.Manifest)
		want   string
	}{
		{Folder, func(*suite.Manifest) {}, ""},
		{IDX, func(*suite.Manifest) {}, ""},
		{Folder, func(m *suite.Manifest) { m.Shape = [3]int{} }, ""},
		{IDX, func(m *suite.Manifest) { m.Shape = [3]int{} }, "several sizes"},
		{IDX, func(m *suite.Manifest) { m.Shape[0] = 3 }, "RGB images"},
		{IDX, func(m *suite.Manifest) { m.Classes = make([]string, 257) }, "257 classes"},
		{Folder, func(m *suite.Manifest) { m.Labels = []int{0, -1} }, "has no class and others have"},
		{Folder, func(m *suite.Manifest) { m.Labels, m.Classes = []int{-1, -1}, nil }, ""},
		{"tiff", func(*suite.Manifest) {}, `unknown format "tiff"; known are folder, idx`},
		{"", func(*suite.Manifest) {}, "unknown format"},
	} {
		m := m
		c.spoil(&m)
		err := c.format.Check(m)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.format, err, c.want)
		}
	}
}

func TestFolderNames(t *testing.T) {
	classes := []string{"cat", " dog ", "a/b", "a\\b", "..", "", ".hidden", "Cat", "what?", "__MACOSX"}
	want := []string{"cat", "dog", "a_b", "a_b_2", "_", "__2", "_hidden", "Cat_2", "what_", "___MACOSX"}
	testdata.Equal(t, "got", folderNames(classes), want)
	notes := ClassNotes(suite.Manifest{Classes: classes[:3]}, Folder)
	if !slices.Equal(notes, []string{"- folder `dog` is class \" dog \"", "- folder `a_b` is class \"a/b\""}) {
		t.Errorf("%q", notes)
	}
	if notes := ClassNotes(suite.Manifest{Classes: classes}, IDX); notes != nil {
		t.Errorf("IDX has no folders, but notes %q", notes)
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestEveryWriteFails lets each step of writing a set fail: the folder is not there, or it holds
// the whole set, and nothing is left beside it.
func TestEveryWriteFails(t *testing.T) {
	s := images.Gray(t, 4, 5)
	for _, format := range []Format{Folder, IDX} {
		out := t.TempDir()
		d := faults.Watch(t, out)
		set := halved(s, filepath.Join(out, "half"), format)
		d.Every(t, 1, func(start func()) error {
			testdata.OK(t, os.RemoveAll(set.Folder))
			start()
			return set.Write(t.Context(), engine.NoProgress{})
		}, func(what string, err error) {
			faults.Told(t, what, err)
			there, thereErr := set.There()
			left, readErr := os.ReadDir(out)
			if thereErr != nil || readErr != nil || err == nil && !there || there != (len(left) == 1) {
				t.Errorf("%s: %v; there: %v, %v, %v", what, err, there, thereErr, left)
			}
		})
	}
}
