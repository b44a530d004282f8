package suite

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/resample"
	"github.com/variscope/variscope/internal/testdata"
	"pgregory.net/rapid"
)

func noisy(seed uint64, channels, height, width int) Image {
	random := rand.New(rand.NewPCG(seed, 0))
	img := Image{Channels: channels, Height: height, Width: width, Pix: make([]float32, channels*height*width)}
	for i := range img.Pix {
		img.Pix[i] = random.Float32()
	}
	return img
}

// slowFit takes every output pixel from the two-dimensional sum of spec/dscore.md section 2 at
// once.
func slowFit(img Image, channels, height, width int) []float64 {
	level := func(c, y, x int) float64 {
		at := func(c int) float64 { return float64(img.Pix[(c*img.Height+y)*img.Width+x]) }
		switch {
		case channels == 1 && img.Channels == 3:
			return 0.299*at(0) + 0.587*at(1) + 0.114*at(2)
		case img.Channels == 1:
			return at(0)
		}
		return at(c)
	}
	weight := func(src, dst, o, k int) float64 {
		s := float64(src) / float64(dst)
		f := math.Max(s, 1)
		return math.Max(0, 1-math.Abs(float64(k)+0.5-(float64(o)+0.5)*s)/f)
	}
	out := make([]float64, 0, channels*height*width)
	for c := range channels {
		for y := range height {
			for x := range width {
				sum, total := 0.0, 0.0
				for j := range img.Height {
					for i := range img.Width {
						w := weight(img.Height, height, y, j) * weight(img.Width, width, x, i)
						sum += w * level(c, j, i)
						total += w
					}
				}
				out = append(out, sum/total)
			}
		}
	}
	return out
}

func TestFitAgainstSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 12)
		channels := rapid.SampledFrom([]int{1, 3})
		img := noisy(rapid.Uint64().Draw(t, "seed"), channels.Draw(t, "from"), size.Draw(t, "h"), size.Draw(t, "w"))
		to := Fitting{
			Channels: channels.Draw(t, "to"), Height: size.Draw(t, "height"), Width: size.Draw(t, "width"),
			Resize: model.Stretch,
		}
		got := Fit(img, to)
		if got.Channels != to.Channels || got.Height != to.Height || got.Width != to.Width {
			t.Fatalf("%d x %d x %d", got.Channels, got.Height, got.Width)
		}
		for i, want := range slowFit(img, to.Channels, to.Height, to.Width) {
			if math.Abs(float64(got.Pix[i])-want) > 1e-6 {
				t.Fatalf("entry %d: %v, want %v", i, got.Pix[i], want)
			}
		}
	})
}

func TestFitNothingToDo(t *testing.T) {
	img := noisy(1, 3, 4, 5)
	for _, to := range []Fitting{
		{},
		{Channels: 3},
		{Channels: 3, Height: 4, Width: 5},
		{Height: 4, Width: 5, Resize: model.Crop},
	} {
		if got := Fit(img, to); &got.Pix[0] != &img.Pix[0] {
			t.Errorf("%+v copied the image", to)
		}
	}
	if got := Fit(img, Fitting{Height: 4, Width: 5}); &got.Pix[0] != &img.Pix[0] {
		t.Error("Resize copied the image")
	}
	gray := noisy(1, 1, 4, 5)
	if got := Fit(gray, Fitting{Channels: 3}); &got.Pix[0] == &gray.Pix[0] {
		t.Error("the planes share memory with the image")
	}
}

func TestFitCrop(t *testing.T) {
	line := Image{Channels: 1, Height: 2, Width: 6, Pix: []float32{0, .1, .2, .3, .4, .5, .5, .6, .7, .8, .9, 1}}
	near(t, Fit(line, Fitting{Height: 2, Width: 2, Resize: model.Crop}), 1, 2, 2, 1e-7, .2, .3, .7, .8)
	// 1.5 rounds to 2
	near(t, Fit(line, Fitting{Height: 2, Width: 3, Resize: model.Crop}), 1, 2, 3, 1e-7, .2, .3, .4, .7, .8, .9)
	for _, test := range []struct{ imageHeight, imageWidth, height, width, wantHeight, wantWidth int }{
		{100, 200, 50, 50, 50, 100},
		{200, 100, 50, 50, 100, 50},
		{333, 500, 224, 224, 224, 336}, // 336.3 is rounded down
		{3, 3, 5, 5, 5, 5},
		{10, 40, 20, 40, 20, 80},
		{10, 40, 5, 40, 10, 40},
	} {
		if h, w := cover(test.imageHeight, test.imageWidth, test.height, test.width); h != test.wantHeight ||
			w != test.wantWidth {
			t.Errorf("%+v: %d x %d", test, h, w)
		}
	}
}

func TestFitCropCoversTheTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 40)
		img := noisy(1, 1, size.Draw(t, "h"), size.Draw(t, "w"))
		to := Fitting{Height: size.Draw(t, "height"), Width: size.Draw(t, "width"), Resize: model.Crop}
		h, w := cover(img.Height, img.Width, to.Height, to.Width)
		if h < to.Height || w < to.Width || h > to.Height && w > to.Width {
			t.Fatalf("%d x %d covers %d x %d", h, w, to.Height, to.Width)
		}
		if got := Fit(img, to); len(got.Pix) != to.Height*to.Width {
			t.Fatalf("%d pixels", len(got.Pix))
		}
	})
}

func BenchmarkFit(b *testing.B) {
	img := noisy(1, 3, 375, 500)
	b.ReportAllocs()
	for b.Loop() {
		Fit(img, Fitting{Channels: 3, Height: 224, Width: 224})
	}
}

// TestFitGeometry holds what a recipe does with pixels to values that are counted by hand.
func TestFitGeometry(t *testing.T) {
	line := Image{Channels: 1, Height: 1, Width: 4, Pix: []float32{0, 51. / 255, 102. / 255, 1}}
	for text, want := range map[string][]float32{
		"resize=stretch:1x2;filter=box":                  {26, 179}, // 25.5 and 178.5, half up
		"resize=stretch:1x2;filter=box;depth=float":      {25.5, 178.5},
		"resize=stretch:1x2;filter=nearest":              {51, 255},
		"resize=stretch:1x2;filter=bilinear;antialias=0": {26, 179},
		"resize=none;crop=center:1x2":                    {51, 102},
		"resize=none;crop=center:1x7;pad=9":              {9, 0, 51, 102, 255, 9, 9}, // (7-4)/2 in front
		"resize=none;crop=center:1x7;offset=floor;pad=9": {9, 9, 0, 51, 102, 255, 9},
		// of 0 0 51 51 102 102 255 255, 2.5 rounds to 2
		"resize=shorter:2;filter=nearest;crop=center:1x3":        {51, 51, 102},
		"resize=longer:2;filter=nearest;crop=center:2x2;depth=8": {51, 255, 0, 0},
		"resize=stretch:1x4;filter=lanczos":                      {0, 51, 102, 255},
		"resize=stretch:1x1;crop=center:1x1;pad=77":              {98}, // weights 5, 7, 7, 5 of 24: 97.75
	} {
		p := testdata.Must(recipe.Parse(text))(t)
		got := Fit(line, Fitting{Geometry: p.Geometry})
		if len(got.Pix) != len(want) {
			t.Errorf("%s: %d x %d", text, got.Height, got.Width)
			continue
		}
		for i, v := range want {
			if d := got.Pix[i]*255 - v; d > 1e-4 || d < -1e-4 {
				t.Errorf("%s: entry %d is %v, want %v", text, i, got.Pix[i]*255, v)
			}
		}
	}
	// 0.502 and 0.498 levels
	deep := Image{Channels: 1, Height: 1, Width: 2, Pix: []float32{129. / 65535, 128. / 65535}}
	near(t, Fit(deep, Fitting{Geometry: recipe.Geometry{Resize: recipe.None}}), 1, 1, 2, 0, 1./255, 0)
	if got := Fit(line, Fitting{Height: 3, Width: 3, Geometry: recipe.Geometry{Resize: recipe.None}}); got.Pix != nil ||
		got.Width != 4 {
		t.Errorf("an image of another size than asked for is %+v", got)
	}
	to := FittingOf(recipe.Recipe{Geometry: recipe.Geometry{
		Resize: recipe.None, CropHeight: 1, CropWidth: 5, Pad: [3]float64{255},
	}, Channels: recipe.BGR}, 3, 1, 5)
	if got := Fit(line, to); got.Pix[4] != 0 || got.Pix[14] != 1 {
		t.Errorf("the pad of blue, green, red gives %v", got.Pix)
	}
	if _, columns := to.Nearest(1, 4); !slices.Equal(columns, []int{0, 1, 2, 3, -1}) {
		t.Errorf("masks take the columns %v", columns)
	}
	long := Image{Channels: 1, Height: 1, Width: 30000, Pix: make([]float32, 30000)}
	to = Fitting{Geometry: recipe.Geometry{
		Resize: recipe.Shorter, Height: 2000, Filter: resample.Bicubic, CropHeight: 8, CropWidth: 8,
	}}
	if got := Fit(long, to); len(got.Pix) != 64 { // of 2000 x 60 million
		t.Errorf("a long image becomes %d x %d", got.Height, got.Width)
	}
}
