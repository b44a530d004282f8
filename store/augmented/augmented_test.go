package augmented

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/imageset"
)

var must = testdata.OK

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// padding is a row of paddings.csv.
type padding struct {
	region.Padding
	padded bool
}

// paddings reads paddings.csv of a folder.
func paddings(t *testing.T, folder string) (list []padding) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, "paddings.csv"))
	must(t, err)
	rows := testdata.Must(csv.NewReader(bytes.NewReader(data)).ReadAll())(t)
	if got := strings.Join(rows[0], ","); got != "image,padded,top,bottom,left,right" {
		t.Fatalf("the header is %s", got)
	}
	for i, row := range rows[1:] {
		var numbers [5]int
		for k, at := range []int{0, 2, 3, 4, 5} {
			if numbers[k], err = strconv.Atoi(row[at]); err != nil {
				t.Fatal(err)
			}
		}
		if numbers[0] != i {
			t.Fatalf("row %d is of image %d", i, numbers[0])
		}
		list = append(list,
			padding{
				region.Padding{Top: numbers[1], Bottom: numbers[2], Left: numbers[3], Right: numbers[4]},
				row[1] == "true",
			})
	}
	return list
}

func write(t *testing.T, s *suite.Suite, o Options) Written {
	t.Helper()
	if o.Out == "" {
		o.Out = t.TempDir()
	}
	return testdata.Must(Write(context.Background(), s, o, nil))(t)
}

// Every image is there once, in its class and its order; those that are not padded are as they
// were, and the others are what Image makes of them, to the nearest level.
func TestWrite(t *testing.T) {
	rgb := t.TempDir()
	for i := range 20 {
		images.Picture(t, filepath.Join(rgb, []string{"cat", "dog"}[i%2], fmt.Sprintf("%02d.png", i)), 20+i%3, 16)
	}
	for name, c := range map[string]struct {
		s      *suite.Suite
		format imageset.Format
	}{
		"idx":    {images.Gray(t, 300, 12), imageset.IDX},
		"gray":   {images.Gray(t, 300, 12), imageset.Folder},
		"colour": {images.Open(t, rgb), ""},
	} {
		p := &testdata.Progress{}
		done := testdata.Must(Write(context.Background(), c.s,
			Options{Out: filepath.Join(t.TempDir(), "a", "b"), Format: c.format, P: 0.4, Seed: 3}, p))(t)
		n := c.s.Len()
		if done.There || done.Images != n || p.Total.Load() != int64(n) || p.Done.Load() != int64(n) {
			t.Errorf("%s: %+v, progress %d of %d", name, done, p.Done.Load(), p.Total.Load())
		}
		if base := filepath.Base(done.Folder); !strings.HasSuffix(base, "-augmented-p0.4-seed3") {
			t.Errorf("%s: folder %s", name, base)
		}
		order := images.ByClass(c.s)
		if c.format == imageset.IDX {
			slices.Sort(order)
		}
		again, rows, padded := images.Open(t, done.Folder), paddings(t, done.Folder), 0
		if again.Len() != n || !slices.Equal(again.Manifest().Classes, c.s.Manifest().Classes) {
			t.Fatalf("%s: %d images of %v", name, again.Len(), again.Manifest().Classes)
		}
		for k, i := range order {
			padded += same(t, c.s, i, again, k, rows[i])
		}
		if padded != done.Padded || padded == 0 || padded == n {
			t.Errorf("%s: %d are padded, said are %d", name, padded, done.Padded)
		}
	}
}

// same compares an image of a set with what Image makes of the suite's, and returns 1 where it is
// padded.
func same(t *testing.T, s *suite.Suite, i int, again *suite.Suite, k int, row padding) int {
	t.Helper()
	from := testdata.Must(s.Image(i))(t)
	want, p, padded, err := Image(0.4, 3, i, from)
	must(t, err)
	got := testdata.Must(again.Image(k))(t)
	if again.Label(k) != s.Label(i) || row != (padding{p, padded}) {
		t.Fatalf("image %d: class %d, was %d; %+v, want %+v", i, again.Label(k), s.Label(i), row, p)
	}
	if got.Channels != want.Channels || got.Height != want.Height || got.Width != want.Width {
		t.Fatalf("image %d is %d x %d x %d", i, got.Channels, got.Height, got.Width)
	}
	for at, v := range want.Pix {
		if level := math.Floor(float64(v)*255 + 0.5); level != math.Round(float64(got.Pix[at])*255) {
			t.Fatalf("image %d has level %g for %g", i, float64(got.Pix[at])*255, float64(v)*255)
		}
	}
	if !padded {
		if !slices.Equal(got.Pix, from.Pix) {
			t.Fatalf("image %d changed without padding", i)
		}
		return 0
	}
	return 1
}

// With p = 1 every image is padded to twice its size; with p = 0 none.
func TestAllAndNone(t *testing.T) {
	s := images.Gray(t, 40, 8)
	all := write(t, s, Options{P: 1, Format: imageset.IDX})
	for i, row := range paddings(t, all.Folder) {
		if !row.padded || row.Top+row.Bottom != 8 || row.Left+row.Right != 8 {
			t.Errorf("image %d: %+v", i, row)
		}
	}
	none := write(t, s, Options{P: 0, Format: imageset.IDX})
	before, after := images.Files(t, s.Manifest().Root), images.Files(t, none.Folder)
	if !bytes.Equal(before["t10k-images-idx3-ubyte"], after["images-idx3-ubyte"]) ||
		!bytes.Equal(before["t10k-labels-idx1-ubyte"], after["labels-idx1-ubyte"]) {
		t.Error("without padding the set differs from the suite")
	}
	if all.Padded != 40 || none.Padded != 0 {
		t.Errorf("%d and %d are padded", all.Padded, none.Padded)
	}
}

// The same seed gives the same files for any number of processors, another one others; a seed of 0
// is 1.
func TestFilesDependOnTheSeedAlone(t *testing.T) {
	s := images.Gray(t, 700, 9)
	of := func(seed uint64, processors int) map[string][]byte {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		return images.Files(t, write(t, s, Options{P: 0.3, Seed: seed, Format: imageset.IDX, Version: "1"}).Folder)
	}
	first := of(1, 1)
	for name, other := range map[string]map[string][]byte{"processors": of(1, 7), "no seed": of(0, 3)} {
		for path, data := range first {
			if !bytes.Equal(data, other[path]) {
				t.Errorf("%s: %s differs", name, path)
			}
		}
	}
	for _, path := range []string{"images-idx3-ubyte", "paddings.csv", "recipe.json", "README.md"} {
		if bytes.Equal(first[path], of(2, 2)[path]) {
			t.Errorf("%s does not depend on the seed", path)
		}
	}
}

// What lies there whole is left as it is; anything else of that name is refused.
func TestWriteAgain(t *testing.T) {
	s, out := images.Gray(t, 30, 8), t.TempDir()
	o := Options{Out: out, P: 0.5, Format: imageset.IDX, Version: "1"}
	first := write(t, s, o)
	before := testdata.Must(os.Stat(filepath.Join(first.Folder, "images-idx3-ubyte")))(t)
	p := &testdata.Progress{}
	second, err := Write(context.Background(), s, o, p)
	if first.There = true; err != nil || second != first || p.Done.Load() != 30 {
		t.Errorf("%+v, %v, want %+v", second, err, first)
	}
	if after, err := os.Stat(filepath.Join(first.Folder, "images-idx3-ubyte")); err != nil ||
		!os.SameFile(before, after) {
		t.Errorf("it was written again (%v)", err)
	}
	for name, change := range map[string]func(*Options){
		"format":  func(o *Options) { o.Format = imageset.Folder },
		"recipe":  func(o *Options) { o.From = &Recipe{Model: "CM", Grid: 1, T: 5} },
		"p":       func(o *Options) { o.P = 0.50001 },
		"version": func(o *Options) { o.Version = "2" },
	} {
		o := o
		change(&o)
		if _, err := Write(context.Background(), s, o, nil); err == nil ||
			!strings.Contains(err.Error(), "holds something else") {
			t.Errorf("another %s into the same folder: %v", name, err)
		}
	}
}

func TestCancel(t *testing.T) {
	s := images.Gray(t, 600, 6)
	for _, there := range []bool{true, false} {
		out := t.TempDir()
		o := Options{Out: out, P: 0.5}
		if !there {
			o.Out = filepath.Join(out, "new")
		}
		ctx, stop := context.WithCancel(context.Background())
		_, err := Write(ctx, s, o, &testdata.Progress{After: 1, Stop: stop})
		stop()
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if entries, err := os.ReadDir(out); err != nil || len(entries) != 0 {
			t.Errorf("%v, %v", entries, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	gray, rgb := images.Gray(t, 4, 28), t.TempDir()
	images.Picture(t, filepath.Join(rgb, "a.png"), 32, 32)
	file := filepath.Join(t.TempDir(), "file")
	images.Put(t, file, []byte("x"))
	gone := images.Gray(t, 300, 5)
	must(t, os.Truncate(filepath.Join(gone.Manifest().Root, "t10k-images-idx3-ubyte"), 2000))
	for want, c := range map[string]struct {
		s *suite.Suite
		o Options
	}{
		"name a folder to write the images to":         {gray, Options{P: 0.1}},
		"probability of augmentation is -0.1; it must": {gray, Options{Out: "x", P: -0.1}},
		"probability of augmentation is 1.5; it must":  {gray, Options{Out: "x", P: 1.5}},
		"probability of augmentation is NaN; it must":  {gray, Options{Out: "x", P: math.NaN()}},
		`unknown format "tiff"`:                        {gray, Options{Out: "x", Format: "tiff"}},
		"has RGB images, and IDX holds gray ones":      {images.Open(t, rgb), Options{Out: "x", Format: imageset.IDX}},
		"augmented images of suite":                    {gone, Options{Out: "x", P: 0.5}},
		"file":                                         {gray, Options{Out: file, P: 0.5}},
	} {
		if c.o.Out == "x" {
			c.o.Out = filepath.Join(t.TempDir(), "x")
		}
		testdata.Refused(t, "error", testdata.Err(Write(context.Background(), c.s, c.o, nil)), want)
		if _, err := os.Stat(c.o.Out); c.o.Out != "" && c.o.Out != file && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: the folder was made (%v)", want, err)
		}
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "x" {
		t.Errorf("the file is %q, %v", data, err)
	}
	if _, _, _, err := Image(2, 1, 0, suite.Image{Channels: 1, Height: 1, Width: 1, Pix: []float32{1}}); err == nil {
		t.Error("an image was padded with p = 2")
	}
}

func TestFolderName(t *testing.T) {
	for want, c := range map[string]struct {
		name string
		p    float64
		seed uint64
	}{
		"train-augmented-p0.2532":       {"train", 0.25323456, 1},
		"a_b-augmented-p1":              {"a/b", 1, 0},
		"x-augmented-p0-seed12":         {"x", 0, 12},
		"_hidden-augmented-p0.5-seed99": {".hidden", 0.5, 99},
	} {
		testdata.Is(t, "got", FolderName(c.name, c.p, c.seed), want)
	}
}

// The shares of padded images and of places are what the probabilities say, over images and over
// seeds: neighbours draw independently.
func TestDrawsAreEven(t *testing.T) {
	const n = 40_000
	r := testdata.Must(dscore.NewRecipe(10, 30, 0.3))(t)
	check := func(name string, got, of int, share float64) {
		t.Helper()
		spread := math.Sqrt(float64(of) * share * (1 - share))
		if math.Abs(float64(got)-share*float64(of)) > 4.5*spread {
			t.Errorf("%s: %d of %d, want a share of %g", name, got, of, share)
		}
	}
	for name, draw := range map[string]func(i int) (region.Padding, bool){
		"images": func(i int) (region.Padding, bool) { return r.Draw(random(1, i)) },
		"seeds":  func(i int) (region.Padding, bool) { return r.Draw(random(uint64(i)+1, 0)) },
	} {
		padded, both, places := 0, 0, map[region.Padding]int{}
		before := false
		for i := range n {
			p, now := draw(i)
			if now {
				padded++
				places[p]++
			}
			if now && before {
				both++
			}
			before = now
		}
		check(name, padded, n, 0.3)
		check(name+", two in a row", both, n, 0.09)
		if len(places) != 40 {
			t.Errorf("%s: %d places, want 4 x 10", name, len(places))
		}
		for p, times := range places {
			check(fmt.Sprintf("%s, %+v", name, p), times, padded, 1.0/40)
		}
	}
}
