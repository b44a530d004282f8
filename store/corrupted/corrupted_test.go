package corrupted

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
)

var must = testdata.OK

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Small suites for tests.
var (
	idxSuite = images.Gray
	put      = images.Put
	picture  = images.Picture
	scanned  = images.Open
	byClass  = images.ByClass
)

// changes are corruptions, and shifts by their whole text.
func changes(texts ...string) []derive.Change {
	var list []derive.Change
	for _, text := range texts {
		if !strings.HasPrefix(text, "shift:") {
			text = "corruption:" + text
		}
		s, err := derive.Parse(text)
		if err != nil {
			panic(err)
		}
		list = append(list, s)
	}
	return list
}

// compare holds a written suite against the change of the original's images in 8 bits.
func compare(t *testing.T, original, written *suite.Suite, change derive.Change, frost []suite.Image, order []int) {
	t.Helper()
	apply, err := change.Prepare()
	if s, ok := change.(corrupt.Setting); ok {
		s.Truncate = true
		var c *corrupt.Corruption
		c, err = corrupt.New(s, frost)
		apply = c.Apply
	}
	must(t, err)
	if written.Len() != original.Len() || !slices.Equal(written.Manifest().Classes, original.Manifest().Classes) {
		t.Fatalf("written are %d images of %v, want %d of %v", written.Len(), written.Manifest().Classes,
			original.Len(), original.Manifest().Classes)
	}
	for k, i := range order {
		img := testdata.Must(original.Image(i))(t)
		want := testdata.Must(apply(i, img))(t)
		for k, v := range want.Pix {
			want.Pix[k] = float32(math.Floor(255*float64(v)+0.5)) / 255
		}
		got := testdata.Must(written.Image(k))(t)
		if written.Label(k) != original.Label(i) || !slices.Equal(got.Pix, want.Pix) {
			t.Fatalf("%s: image %d differs from that which is written", change, i)
		}
	}
}

func TestIDX(t *testing.T) {
	s, out, p := idxSuite(t, 600, 28), filepath.Join(t.TempDir(), "a", "b"), &testdata.Progress{}
	done := testdata.Must(Write(context.Background(), s, Options{
		Out: out, Format: IDX, Changes: changes("fog:3", "shot_noise:1;seed=5", "fog:3"),
	}, p))(t)
	if len(done) != 2 || done[0].Images != 600 || done[0].There || p.Total.Load() != 1200 || p.Done.Load() != 1200 {
		t.Errorf("%+v, progress %d of %d", done, p.Done.Load(), p.Total.Load())
	}
	for i, name := range []string{"fog-3", "shot_noise-1-seed5"} {
		if done[i].Folder != filepath.Join(out, name) {
			t.Errorf("folder %s, want %s", done[i].Folder, name)
		}
		compare(t, s, scanned(t, done[i].Folder), done[i].Change, nil, testdata.UpTo(600))
	}
	entries, err := os.ReadDir(out)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v: something was left beside the folders", entries, err)
	}
}

func TestFolder(t *testing.T) {
	s, out := idxSuite(t, 300, 20), t.TempDir()
	done := testdata.Must(Write(context.Background(), s, Options{Out: out, Changes: changes("glass_blur:2")}, nil))(t)
	compare(t, s, scanned(t, done[0].Folder), done[0].Change, nil, byClass(s))
	if _, err := os.Stat(filepath.Join(out, "glass_blur-2", "7", "017.png")); err != nil {
		t.Error(err)
	}
	card := testdata.Must(os.ReadFile(filepath.Join(out, "glass_blur-2", "README.md")))(t)
	for _, want := range []string{
		s.Manifest().Hash, "`corruption:glass_blur:2;seed=1;store=uint8`", "lengths × 0.714",
		"300 images",
	} {
		if !strings.Contains(string(card), want) {
			t.Errorf("the card does not say %s:\n%s", want, card)
		}
	}
}

// Images of different sizes and colours, without classes, stay what they are.
func TestFolderOfDifferentSizes(t *testing.T) {
	in := t.TempDir()
	for i, size := range [][2]int{{20, 31}, {32, 32}, {64, 40}} {
		picture(t, filepath.Join(in, fmt.Sprintf("%d.png", i)), size[0], size[1])
	}
	s := scanned(t, in)
	done := testdata.Must(Write(context.Background(), s, Options{
		Out: t.TempDir(), Changes: changes("zoom_blur:5", "snow:1", "jpeg:2", "elastic:4"),
	}, nil))(t)
	for _, w := range done {
		compare(t, s, scanned(t, w.Folder), w.Change, nil, testdata.UpTo(3))
	}
}

func TestFrostSaysWhereItComesFrom(t *testing.T) {
	s, out, photographs := idxSuite(t, 12, 28), t.TempDir(), t.TempDir()
	picture(t, filepath.Join(photographs, "a.png"), 60, 50)
	picture(t, filepath.Join(photographs, "b.png"), 40, 30)
	frost, err := Photographs(context.Background(), photographs)
	if err != nil || len(frost) != 2 || frost[0].Width != 60 {
		t.Fatalf("%d photographs, %v", len(frost), err)
	}
	for name, given := range map[string][]suite.Image{"frost-synthetic-2": nil, "frost-2": frost} {
		done, err := Write(context.Background(), s,
			Options{Out: out, Format: IDX, Changes: changes("frost:2"), Frost: given}, nil)
		if err != nil || filepath.Base(done[0].Folder) != name {
			t.Fatalf("%+v, %v, want %s", done, err, name)
		}
		compare(t, s, scanned(t, done[0].Folder), done[0].Change, given, testdata.UpTo(12))
	}
	if _, err := Photographs(context.Background(), t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "photographs of frost") {
		t.Errorf("an empty folder of photographs: %v", err)
	}
	small := t.TempDir()
	picture(t, filepath.Join(small, "a.png"), 60, 20)
	if frost, err = Photographs(context.Background(), small); err != nil {
		t.Fatal(err)
	}
	_, err = Write(context.Background(), s, Options{Out: t.TempDir(), Changes: changes("frost:1"), Frost: frost}, nil)
	testdata.Refused(t, "a photograph that is too small", err, "photograph 1 has 60 x 20 pixels")
}

// What lies there whole is left as it is; anything else of that name is refused before a file is
// written.
func TestWriteAgain(t *testing.T) {
	s, out := idxSuite(t, 30, 28), t.TempDir()
	o := Options{Out: out, Format: IDX, Changes: changes("fog:1")}
	testdata.Must(Write(context.Background(), s, o, nil))(t)
	file := filepath.Join(out, "fog-1", "images-idx3-ubyte")
	before := testdata.Must(os.Stat(file))(t)
	p := &testdata.Progress{}
	o.Changes = changes("fog:1", "fog:2")
	done, err := Write(context.Background(), s, o, p)
	if err != nil || !done[0].There || done[1].There || p.Done.Load() != 60 {
		t.Errorf("%+v, %v, %d images", done, err, p.Done.Load())
	}
	if after, err := os.Stat(file); err != nil || !os.SameFile(before, after) {
		t.Errorf("the folder was written again (%v)", err)
	}
	o.Format, o.Changes = Folder, changes("fog:3", "fog:1")
	testdata.Refused(t, "another format into the same folder", testdata.Err(Write(context.Background(), s, o, nil)),
		"fog-1 is there already and holds something else")
	if _, err := os.Stat(filepath.Join(out, "fog-3")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("fog-3 was written all the same (%v)", err)
	}
}

func TestCancel(t *testing.T) {
	s, out := idxSuite(t, 2*256+10, 8), filepath.Join(t.TempDir(), "out")
	for _, format := range []Format{Folder, IDX} {
		for _, after := range []int64{1, 2*256 + 11} {
			ctx, stop := context.WithCancel(context.Background())
			done, err := Write(ctx, s, Options{Out: out, Format: format, Changes: changes("contrast:1", "contrast:2")},
				&testdata.Progress{After: after, Stop: stop})
			stop()
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%v", err)
			}
			entries, err := os.ReadDir(out)
			if after == 1 && !errors.Is(err, os.ErrNotExist) || after > 1 && (len(entries) != 1 || len(done) != 1) {
				t.Errorf("%s, after %d: %v, %+v, %v", format, after, entries, done, err)
			}
			must(t, os.RemoveAll(out))
		}
	}
}

func TestRefusals(t *testing.T) {
	gray, rgb := idxSuite(t, 4, 28), t.TempDir()
	picture(t, filepath.Join(rgb, "a.png"), 32, 32)
	mixed := t.TempDir()
	picture(t, filepath.Join(mixed, "a.png"), 32, 32)
	picture(t, filepath.Join(mixed, "b.png"), 30, 32)
	same := func(_ int, img suite.Image) (suite.Image, error) { return img, nil }
	damaged := gray.Manifest()
	damaged.Labels = []int{0, -1, 2, 3}
	partly := gray.Through(damaged, same, 0)
	tiny := t.TempDir()
	picture(t, filepath.Join(tiny, "a.png"), 2, 2)
	derived := gray.Through(gray.Manifest().Derive("corruption:fog:1;seed=1", "d"), same, 0)
	fog := changes("fog:1")
	for want, c := range map[string]struct {
		s *suite.Suite
		o Options
	}{
		"name a folder to write the images to":    {gray, Options{Changes: fog}},
		"name at least one corruption or shift":   {gray, Options{Out: "x"}},
		`unknown format "tiff"; known are`:        {gray, Options{Out: "x", Changes: fog, Format: "tiff"}},
		"has RGB images, and IDX holds gray ones": {scanned(t, rgb), Options{Out: "x", Changes: fog, Format: IDX}},
		"images of several sizes, which IDX":      {scanned(t, mixed), Options{Out: "x", Changes: fog, Format: IDX}},
		"image 1 has no class and others have":    {partly, Options{Out: "x", Changes: fog}},
		"is changed already":                      {derived, Options{Out: "x", Changes: fog}},
		"severity 9 of fog does not exist": {
			gray, Options{Out: "x", Changes: []derive.Change{corrupt.Setting{Name: "fog", Severity: 9}}},
		},
		"image a.png: elastic 1, uint8: the image h": {
			scanned(t, tiny), Options{Out: "x", Changes: changes("elastic:1")},
		},
	} {
		if c.o.Out != "" {
			c.o.Out = filepath.Join(t.TempDir(), c.o.Out)
		}
		testdata.Refused(t, "error", testdata.Err(Write(context.Background(), c.s, c.o, nil)), want)
		if _, err := os.Stat(c.o.Out); c.o.Out != "" && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: the folder was made (%v)", want, err)
		}
	}
}

func TestFolderName(t *testing.T) {
	for want, s := range map[string]derive.Change{
		"fog-3":                     corrupt.Setting{Name: "fog", Severity: 3, Seed: 1},
		"glass_blur-1-copies":       corrupt.Setting{Name: "glass_blur", Severity: 1, Seed: 1, Compat: true},
		"frost-synthetic-5-seed9":   corrupt.Setting{Name: "frost", Severity: 5, Seed: 9},
		"impulse_noise-2-seed12345": corrupt.Setting{Name: "impulse_noise", Severity: 2, Seed: 12345, Truncate: true},
		"shift-3-5-region-7":        derive.Shift{N: 3, T: 5, Region: 7},
	} {
		testdata.Is(t, "got", FolderName(s, false), want)
	}
	if got := FolderName(corrupt.Setting{Name: "frost", Severity: 5, Seed: 1}, true); got != "frost-5" {
		t.Errorf("with photographs: %q", got)
	}
}
