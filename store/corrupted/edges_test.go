package corrupted

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
)

// everyFile reads all files below a folder by their path.
var everyFile = images.Files

// Two writes of the same give the same bytes, and the place is in none of them.
func TestSameBytes(t *testing.T) {
	s := idxSuite(t, 256+20, 12)
	for _, format := range []Format{Folder, IDX} {
		var first map[string][]byte
		for range 2 {
			out := filepath.Join(t.TempDir(), "somewhere")
			testdata.Must(Write(context.Background(), s,
				Options{Out: out, Format: format, Changes: changes("snow:4", "shot_noise:5"), Version: "1"},
				nil))(t)
			files := everyFile(t, out)
			if first == nil {
				first = files
				continue
			}
			if len(files) != len(first) {
				t.Fatalf("%s: %d files, then %d", format, len(first), len(files))
			}
			for path, data := range files {
				if !bytes.Equal(data, first[path]) || bytes.Contains(data, []byte("somewhere")) {
					t.Errorf("%s: %s differs", format, path)
				}
			}
		}
	}
}

// Class names that are no names of folders are written as some that are, and the card says which is
// which.
func TestAwkwardClassNames(t *testing.T) {
	in := t.TempDir()
	list := "path,label\n"
	for i, class := range []string{"cat", "a/b", "..", "cat"} {
		name := fmt.Sprintf("%d.png", i)
		picture(t, filepath.Join(in, name), 8, 8)
		list += name + "," + class + "\n"
	}
	put(t, filepath.Join(in, "list.csv"), []byte(list))
	s := scanned(t, filepath.Join(in, "list.csv"))
	out := t.TempDir()
	done := testdata.Must(Write(context.Background(), s, Options{Out: out, Changes: changes("contrast:2")}, nil))(t)
	files := everyFile(t, out)
	for _, want := range []string{
		"contrast-2/cat/0.png", "contrast-2/cat/3.png", "contrast-2/a_b/1.png",
		"contrast-2/_/2.png",
	} {
		if files[want] == nil {
			t.Errorf("%s is not there", want)
		}
	}
	card := string(files["contrast-2/README.md"])
	if !strings.Contains(card, "folder `a_b` is class \"a/b\"") || strings.Contains(card, "folder `cat`") {
		t.Errorf("the card says\n%s", card)
	}
	again := scanned(t, done[0].Folder)
	for k, i := range byClass(s) {
		if again.Label(k) != s.Label(i) {
			t.Errorf("image %d is in class %d, was in %d", i, again.Label(k), s.Label(i))
		}
	}
}

// A suite without classes has no file of labels.
func TestIDXWithoutLabels(t *testing.T) {
	labelled := idxSuite(t, 5, 9)
	from := labelled.Manifest().Root
	in := t.TempDir()
	data := testdata.Must(os.ReadFile(filepath.Join(from, "t10k-images-idx3-ubyte")))(t)
	put(t, filepath.Join(in, "plain-idx3-ubyte"), data)
	s := scanned(t, in)
	out := t.TempDir()
	testdata.Must(Write(context.Background(), s, Options{Out: out, Format: IDX, Changes: changes("fog:2")},
		nil))(t)
	files := everyFile(t, out)
	if len(files) != 2 || files["fog-2/images-idx3-ubyte"] == nil {
		t.Errorf("%d files", len(files))
	}
	compare(t, s, scanned(t, filepath.Join(out, "fog-2")), changes("fog:2")[0], nil, testdata.UpTo(5))
}

// An image that is gone in the middle is named, nothing of its setting is left, and what was
// complete stays.
func TestImageThatIsGone(t *testing.T) {
	in := t.TempDir()
	for i := range 5 {
		picture(t, filepath.Join(in, fmt.Sprintf("%d.png", i)), 8, 8)
	}
	s, out := scanned(t, in), t.TempDir()
	testdata.Must(Write(context.Background(), s, Options{Out: out, Changes: changes("fog:1")}, nil))(t)
	must(t, os.Remove(filepath.Join(in, "3.png")))
	done, err := Write(context.Background(), s, Options{Out: out, Changes: changes("fog:1", "fog:2", "fog:3")}, nil)
	testdata.Refused(t, "error", err, "fog 2", "3.png")
	if len(done) != 1 || !done[0].There {
		t.Errorf("%+v", done)
	}
	entries, err := os.ReadDir(out)
	if err != nil || len(entries) != 1 || entries[0].Name() != "fog-1" {
		t.Errorf("%v, %v", entries, err)
	}
}

// Whatever images depend on is in the card, since equal cards mean equal images.
func TestCardsTellImagesApart(t *testing.T) {
	s, other := idxSuite(t, 6, 28), idxSuite(t, 7, 28)
	gray := suite.Image{Channels: 1, Height: 30, Width: 30, Pix: make([]float32, 900)}
	light := suite.Image{Channels: 1, Height: 30, Width: 30, Pix: slices.Repeat([]float32{0.5}, 900)}
	of := func(s *suite.Suite, o Options, text string) string {
		o.Out, o.Changes = t.TempDir(), changes(text)
		jobs := testdata.Must(plan(s, o))(t)
		return jobs[0].set.Card
	}
	cards := map[string]string{
		"base":              of(s, Options{}, "frost:1"),
		"severity":          of(s, Options{}, "frost:2"),
		"seed":              of(s, Options{}, "frost:1;seed=2"),
		"corruption":        of(s, Options{}, "fog:1"),
		"suite":             of(other, Options{}, "frost:1"),
		"format":            of(s, Options{Format: IDX}, "frost:1"),
		"version":           of(s, Options{Version: "2"}, "frost:1"),
		"photographs":       of(s, Options{Frost: []suite.Image{gray}}, "frost:1"),
		"other photographs": of(s, Options{Frost: []suite.Image{light}}, "frost:1"),
		"copies":            of(s, Options{}, "glass_blur:1;compat=copy"),
		"no copies":         of(s, Options{}, "glass_blur:1"),
	}
	seen := map[string]string{}
	for what, card := range cards {
		if before, ok := seen[card]; ok {
			t.Errorf("%s and %s have the same card", what, before)
		}
		seen[card] = what
	}
	if of(s, Options{}, "frost:1;store=uint8") != cards["base"] {
		t.Error("values are cut in any case, but the card tells it apart")
	}
}

func TestPhotographsAreBounded(t *testing.T) {
	folder := t.TempDir()
	for i := range mostPhotographs + 1 {
		picture(t, filepath.Join(folder, fmt.Sprintf("%d.png", i)), 2, 2)
	}
	testdata.Refused(t, "error", testdata.Err(Photographs(context.Background(), folder)),
		"holds 101 images; give a folder of at most 100")
	put(t, filepath.Join(folder, "0.png"), []byte("no picture"))
	testdata.Refused(t, "a damaged one", testdata.Err(Photographs(context.Background(), folder)), "0.png")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	testdata.ErrorIs(t, "given up", testdata.Err(Photographs(ctx, folder)), context.Canceled)
}

// TestShiftsToFiles: shifted images in both formats, beside a corruption.
func TestShiftsToFiles(t *testing.T) {
	s := idxSuite(t, 300, 20)
	for _, format := range []Format{Folder, IDX} {
		out, order := t.TempDir(), byClass(s)
		if format == IDX {
			order = testdata.UpTo(300)
		}
		wanted := changes("shift:n=3;t=5;region=7", "fog:2", "shift:n=2;t=3;region=2", "shift:n=3;t=5;region=7")
		done, err := Write(context.Background(), s, Options{Out: out, Format: format, Changes: wanted}, nil)
		if err != nil || len(done) != 3 {
			t.Fatalf("%+v, %v", done, err)
		}
		for k, name := range []string{"shift-3-5-region-7", "fog-2", "shift-2-3-region-2"} {
			if done[k].Folder != filepath.Join(out, name) {
				t.Errorf("folder %s, want %s", done[k].Folder, name)
			}
			compare(t, s, scanned(t, done[k].Folder), done[k].Change, nil, order)
		}
	}
}

// The card of a shift says what lies around the images; the same shift again is there already.
func TestCardOfAShift(t *testing.T) {
	s, out := idxSuite(t, 3, 28), t.TempDir()
	o := Options{Out: out, Changes: changes("shift:n=4;t=5;region=7")}
	for k := range 2 {
		done, err := Write(context.Background(), s, o, nil)
		if err != nil || len(done) != 1 || done[0].There != (k == 1) {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	card := testdata.Must(os.ReadFile(filepath.Join(out, "shift-4-5-region-7", "README.md")))(t)
	for _, want := range []string{
		"shifted 4x4 t5 region 7", "- change: `shift:n=4;t=5;region=7`", "8 bits, rounded",
		"5 above, 10 below, 10 left, 5 right",
	} {
		if !strings.Contains(string(card), want) {
			t.Errorf("the card does not say %s:\n%s", want, card)
		}
	}
	if strings.Contains(string(card), "corruption") || strings.Contains(string(card), "truncation") {
		t.Errorf("the card of a shift speaks of corruptions:\n%s", card)
	}
}
