package diagnosis

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// folder adds a suite of n pictures: of the size height x width, coloured where colour says so.
func (b *fixture) folder(n int, height, width func(i int) int, coloured func(i int) bool) suite.Manifest {
	b.tb.Helper()
	root := filepath.Join(b.tb.TempDir(), "photos")
	rng := rand.New(rand.NewPCG(3, 1))
	for i := range n {
		var img interface {
			image.Image
			Set(x, y int, c color.Color)
		} = image.NewGray(image.Rect(0, 0, width(i), height(i)))
		if coloured(i) {
			img = image.NewNRGBA(image.Rect(0, 0, width(i), height(i)))
		}
		for y := range height(i) {
			for x := range width(i) {
				img.Set(x, y, color.NRGBA{uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)), 255})
			}
		}
		place := filepath.Join(root, []string{"a", "b"}[i%2], fmt.Sprintf("%03d.png", i))
		must(b.tb, os.MkdirAll(filepath.Dir(place), 0o755))
		out, err := os.Create(place)
		if err == nil {
			err = errors.Join(png.Encode(out, img), out.Close())
		}
		must(b.tb, err)
	}
	m, err := suite.Scan(b.tb.Context(), root, suite.Options{}, engine.NoProgress{})
	if err == nil {
		m, err = b.AddSuite(m)
	}
	must(b.tb, err)
	return m
}

func always(v int) func(int) int        { return func(int) int { return v } }
func coloured(yes bool) func(int) bool  { return func(int) bool { return yes } }
func everyThird(v int) func(i int) bool { return func(i int) bool { return i%3 == v } }

// slowAverage is the mean of images of one number of channels or both, block by block as the sums
// are defined.
func slowAverage(tb testing.TB, b *fixture, hash string, list []int) suite.Image {
	tb.Helper()
	s := testdata.Must(b.OpenSuite(hash))(tb)
	defer func() { _ = s.Close() }()
	var fitted []suite.Image
	channels := 1
	for _, i := range list {
		img := testdata.Must(s.Image(i))(tb)
		if len(fitted) > 0 {
			img = suite.Fit(img, suite.Fitting{Height: fitted[0].Height, Width: fitted[0].Width})
		}
		channels = max(channels, img.Channels)
		fitted = append(fitted, img)
	}
	out := suite.Image{Channels: channels, Height: fitted[0].Height, Width: fitted[0].Width}
	area := out.Height * out.Width
	for at := range channels * area {
		total := 0.0
		for block := range slices.Chunk(fitted, averageBlock) {
			sum := 0.0
			for _, img := range block {
				sum += float64(img.Pix[min(at/area, img.Channels-1)*area+at%area])
			}
			total += sum
		}
		out.Pix = append(out.Pix, float32(total/float64(len(fitted))))
	}
	return out
}

func TestAverageAgainstSlow(t *testing.T) {
	for name, c := range map[string]struct {
		n             int
		height, width func(int) int
		coloured      func(int) bool
	}{
		"one":              {1, always(3), always(4), coloured(true)},
		"gray":             {70, always(5), always(4), coloured(false)},
		"coloured":         {140, always(4), always(5), coloured(true)},
		"gray and colours": {140, always(4), always(4), everyThird(1)},
		"colours later":    {70, always(4), always(4), func(i int) bool { return i == 69 }},
		"many sizes":       {20, func(i int) int { return 3 + i%4 }, func(i int) int { return 6 - i%3 }, everyThird(0)},
	} {
		b := newFixture(t, 0)
		m := b.folder(c.n, c.height, c.width, c.coloured)
		var p testdata.Progress
		got, err := Average(t.Context(), b.Workspace, m.Hash, 0, &p)
		if diff := cmp.Diff(slowAverage(t, b, m.Hash, testdata.UpTo(c.n)), got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", name, err, diff)
		}
		if p.Total.Load() != int64(c.n) || p.Done.Load() != int64(c.n) {
			t.Errorf("%s: progress %d of %d", name, p.Done.Load(), p.Total.Load())
		}
	}
}

// Some images stand for all, evenly spread; an average is kept, so that it is there without the
// images.
func TestAverageOfSomeIsKept(t *testing.T) {
	b := newFixture(t, 0)
	m := b.folder(10, always(4), always(4), coloured(false))
	some, err := Average(t.Context(), b.Workspace, m.Hash, 4, nil)
	if diff := cmp.Diff(slowAverage(t, b, m.Hash, []int{0, 2, 5, 7}), some); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	all, err := Average(t.Context(), b.Workspace, m.Hash, 99, nil)
	if err != nil || cmp.Equal(all, some) {
		t.Errorf("all are as some: %v", err)
	}
	must(t, os.RemoveAll(m.Root))
	for limit, want := range map[int]suite.Image{4: some, 0: all, 10: all} {
		again, err := Average(t.Context(), b.Workspace, m.Hash, limit, nil)
		if diff := cmp.Diff(want, again); err != nil || diff != "" {
			t.Errorf("%d: %v %s", limit, err, diff)
		}
	}
	testdata.ErrorIs(t, "error", testdata.Err(Average(t.Context(), b.Workspace, m.Hash, 3, nil)), store.ErrNoImages)
}

// What is kept in another form is computed anew.
func TestAverageOfAnotherForm(t *testing.T) {
	b := newFixture(t, 0)
	m := b.folder(3, always(2), always(2), coloured(false))
	want := testdata.Must(Average(t.Context(), b.Workspace, m.Hash, 0, nil))(t)
	for _, value := range []any{
		"text",
		packed{Channels: 1, Height: 2, Width: 2, Pix: []byte{1}},
		packed{Channels: 2, Height: 1, Width: 2, Pix: make([]byte, 16)},
	} {
		must(t, b.KeepValue(fmt.Sprintf("average/%d/%s/3", keptVersion, m.Hash), value))
		if got, err := Average(t.Context(), b.Workspace, m.Hash, 0, nil); err != nil || !cmp.Equal(want, got) {
			t.Errorf("kept %v: %v %s", value, err, cmp.Diff(want, got))
		}
	}
}

// An average that takes much room is computed each time.
func TestLargeAveragesAreNotKept(t *testing.T) {
	b := newFixture(t, 0)
	m := b.folder(1, always(2100), always(1000), coloured(false))
	if img, err := Average(t.Context(), b.Workspace, m.Hash, 0, nil); err != nil || img.Height != 2100 ||
		pixelBytes*len(img.Pix) <= mostAverage {
		t.Fatal(img.Height, err)
	}
	must(t, os.RemoveAll(m.Root))
	testdata.ErrorIs(t, "error", testdata.Err(Average(t.Context(), b.Workspace, m.Hash, 0, nil)), store.ErrNoImages)
}

func TestAverageOfDerivedSuite(t *testing.T) {
	b := newFixture(t, 0)
	m := b.folder(6, always(8), always(8), coloured(true))
	fog := testdata.Must(b.DeriveSuite(m.Hash, corrupt.Setting{Name: "brightness", Severity: 2, Seed: 1}, ""))(t)
	got, err := Average(t.Context(), b.Workspace, fog.Hash, 0, nil)
	if diff := cmp.Diff(slowAverage(t, b, fog.Hash, testdata.UpTo(6)), got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}

// endless gives gray images until ctx is ended by its images.
type endless struct {
	cancel context.CancelFunc
	after  int
}

func (e endless) Image(i int) (suite.Image, error) {
	if i == e.after {
		e.cancel()
	}
	return suite.Image{Channels: 1, Height: 1, Width: 2, Pix: []float32{float32(i%97) / 97, 0.3}}, nil
}

func TestMeanHasTheSameBitsForAnyProcessors(t *testing.T) {
	from := endless{func() {}, -1}
	var first suite.Image
	for _, n := range []int{1, 2, 5} {
		before := runtime.GOMAXPROCS(n)
		got, err := mean(t.Context(), from, testdata.UpTo(1000), nil)
		runtime.GOMAXPROCS(before)
		must(t, err)
		if n == 1 {
			first = got
		}
		if !cmp.Equal(first, got) {
			t.Errorf("%d processors: %s", n, cmp.Diff(first, got))
		}
	}
}

func TestAverageEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	testdata.ErrorIs(t, "error",
		testdata.Err(mean(ctx, endless{cancel, 300}, testdata.UpTo(100_000), nil)), context.Canceled)
	b := newFixture(t, 0)
	testdata.ErrorIs(t, "error",
		testdata.Err(Average(t.Context(), b.Workspace, sums.Hash("nowhere"), 0, nil)), store.ErrNotFound)
	m := b.folder(3, always(2), always(2), coloured(false))
	must(t, os.RemoveAll(m.Root))
	testdata.ErrorIs(t, "error", testdata.Err(Average(t.Context(), b.Workspace, m.Hash, 0, nil)), store.ErrNoImages)
}
