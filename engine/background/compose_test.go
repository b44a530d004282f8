package background

import (
	"fmt"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

func noisy(seed uint64, channels, height, width int) suite.Image {
	r := rand.New(rand.NewPCG(seed, 3))
	img := suite.Image{Channels: channels, Height: height, Width: width, Pix: make([]float32, channels*height*width)}
	for i := range img.Pix {
		img.Pix[i] = r.Float32()
	}
	return img
}

// maskOf draws a mask from lines of text, # for foreground.
func maskOf(lines ...string) Mask {
	m := Mask{Height: len(lines), Width: len(lines[0])}
	for _, line := range lines {
		for _, c := range line {
			m.Set = append(m.Set, c == '#')
		}
	}
	return m
}

func drawMask(t *rapid.T, height, width int) Mask {
	m := Mask{Height: height, Width: width, Set: rapid.SliceOfN(rapid.Bool(), height*width, height*width).Draw(t,
		"mask")}
	m.Set[0], m.Set[len(m.Set)-1] = true, false
	return m
}

// TestZooComposites: composites of the zoo's size are the bytes of target and scene divided by 255,
// to the bit.
func TestZooComposites(t *testing.T) {
	folder := zooFolder()
	if folder == "" {
		return
	}
	read := func(name string) []byte {
		data := testdata.Must(os.ReadFile(filepath.Join(folder, name)))(t)
		return data
	}
	bytesOf := func(name string) (r func(i, c int) uint8) {
		file := testdata.Must(os.Open(filepath.Join(folder, name)))(t)
		defer func() { _ = file.Close() }()
		img := testdata.Must(png.Decode(file))(t)
		return func(i, c int) uint8 {
			r, g, b, _ := img.At(i%64, i/64).RGBA()
			return uint8([]uint32{r, g, b}[c] >> 8)
		}
	}
	for k, row := range records(t, folder, "selection.csv") {
		if k%40 != 7 { // one of each class
			continue
		}
		maskFile := strings.Replace(row[0], "targets/", "masks/", 1)
		target := testdata.Must(suite.Decode(read(row[0])))(t)
		mask := testdata.Must(DecodeMask(read(maskFile), 64, 64))(t)
		front, is := bytesOf(row[0]), bytesOf(maskFile)
		for _, name := range row[1:4] {
			scene := testdata.Must(suite.Decode(read("backgrounds/" + name)))(t)
			got := testdata.Must(Composite(target, mask, scene, Compositing{Height: 64, Width: 64}))(t)
			back := bytesOf("backgrounds/" + name)
			for i := range 64 * 64 {
				for c := range 3 {
					want := back(i, c)
					if is(i, 0) > 127 {
						want = front(i, c)
					}
					if got.Pix[c*64*64+i] != float32(float64(want)/255) {
						t.Fatalf("%s on %s: pixel %d is %g, want %d", row[0], name, i, got.Pix[c*64*64+i]*255, want)
					}
				}
			}
		}
	}
}

// TestCompositeAgainstTheObviousWay: images of any sizes, hard mask: every pixel is that of the
// fitted target or that of the fitted scene.
func TestCompositeAgainstTheObviousWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 24)
		channels := rapid.SampledFrom([]int{1, 3})
		target := noisy(rapid.Uint64().Draw(t, "seed"), channels.Draw(t, "channels"), size.Draw(t, "h")+1,
			size.Draw(t, "w"))
		scene := noisy(rapid.Uint64().Draw(t, "seed"), channels.Draw(t, "channels"), size.Draw(t, "scene h"),
			size.Draw(t, "scene w"))
		c := Compositing{Height: size.Draw(t, "to h"), Width: size.Draw(t, "to w")}
		mask := drawMask(t, target.Height, target.Width)
		got, err := Composite(target, mask, scene, c)
		to := suite.Fitting{Channels: max(target.Channels, scene.Channels), Height: c.Height, Width: c.Width}
		front, back := suite.Fit(target, to), suite.Fit(scene, to)
		want, n := slices.Clone(back.Pix), 0
		for i := range c.Height * c.Width {
			// the pixel whose square the centre lies in
			y := int(math.Floor((float64(i/c.Width) + 0.5) / float64(c.Height) * float64(target.Height) * (1 + 1e-12)))
			x := int(math.Floor((float64(i%c.Width) + 0.5) / float64(c.Width) * float64(target.Width) * (1 + 1e-12)))
			if mask.Set[y*mask.Width+x] {
				n++
				for ch := range to.Channels {
					want[ch*c.Height*c.Width+i] = front.Pix[ch*c.Height*c.Width+i]
				}
			}
		}
		if n == 0 || n == c.Height*c.Width {
			testdata.Refused(t, "a mask that is lost", err, "the size of the composite")
			return
		}
		if err != nil || got.Channels != to.Channels || got.Height != c.Height || got.Width != c.Width ||
			!slices.Equal(got.Pix, want) {
			t.Fatalf("%+v: %v\n%v\nwant\n%v", c, err, got, want)
		}
	})
}

// TestOnlyTheForegroundComesAlong: whatever feather and alignment, the target's pixels outside of
// the mask do not matter, and the scene shows fully where the foreground has no part.
func TestOnlyTheForegroundComesAlong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, w := rapid.IntRange(2, 16).Draw(t, "h"), rapid.IntRange(1, 16).Draw(t, "w")
		target, other, scene := noisy(1, 3, h, w), noisy(2, 3, h, w), noisy(3, 3, h, w)
		mask := drawMask(t, h, w)
		for i, set := range mask.Set {
			for c := range 3 {
				if set {
					other.Pix[c*h*w+i] = target.Pix[c*h*w+i]
				}
			}
		}
		c := Compositing{
			Feather: rapid.Float64Range(0, 5).Draw(t, "feather"),
			Align:   rapid.SampledFrom(append(Alignments(), "")).Draw(t, "align"),
			Resize:  rapid.SampledFrom([]model.Resize{"", model.Stretch, model.Crop}).Draw(t, "resize"),
		}
		one, err := Composite(target, mask, scene, c)
		two, err2 := Composite(other, mask, scene, c)
		if err != nil || err2 != nil || !slices.Equal(one.Pix, two.Pix) {
			t.Fatalf("%v, %v: pixels outside of the mask matter", err, err2)
		}
		changed := 0
		for i := range h * w {
			if one.Pix[i] != scene.Pix[i] {
				changed++
			}
		}
		if n := mask.count(); changed != n {
			t.Fatalf("%d pixels of the scene are changed, the mask has %d", changed, n)
		}
	})
}

// TestSharesAgainstTheObviousWay looks at all pixels outside for every pixel inside.
func TestSharesAgainstTheObviousWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMask(t, rapid.IntRange(2, 14).Draw(t, "h"), rapid.IntRange(1, 14).Draw(t, "w"))
		radius := rapid.Float64Range(0, 20).Draw(t, "radius")
		for i, got := range m.shares(radius) {
			want := 0.0
			if m.Set[i] {
				nearest := math.Inf(1)
				for k, set := range m.Set {
					if !set {
						nearest = min(nearest, math.Hypot(float64(i/m.Width-k/m.Width), float64(i%m.Width-k%m.Width)))
					}
				}
				want = min(1, nearest/(radius+1))
			}
			testdata.Near(t, fmt.Sprintf("radius %g: pixel %d has the share %g", radius, i, got),
				float64(got), want, 1e-6)
		}
	})
}

func TestFeatherKnown(t *testing.T) {
	m := maskOf(".......", ".#####.", ".#####.", ".#####.", ".......")
	got := m.shares(1)
	want := []float32{0, 0.5, 0.5, 0.5, 0.5, 0.5, 0, 0, 0.5, 1, 1, 1, 0.5, 0}
	testdata.Equal(t, "shares", got[7:21], want)
	white := suite.Image{Channels: 1, Height: 5, Width: 7, Pix: slices.Repeat([]float32{1}, 35)}
	scene := suite.Image{Channels: 3, Height: 5, Width: 7, Pix: slices.Repeat([]float32{0.5}, 105)}
	img, err := Composite(white, m, scene, Compositing{Feather: 1})
	if err != nil || img.Channels != 3 || img.Pix[8] != 0.75 || img.Pix[16] != 1 || img.Pix[70+8] != 0.75 ||
		img.Pix[0] != 0.5 {
		t.Errorf("composite %v, %v", img.Pix[7:21], err)
	}
}

func TestAlignments(t *testing.T) {
	mask := maskOf("#....", "##...", ".....", ".....", ".....", ".....")
	target := suite.Image{Channels: 1, Height: 6, Width: 5, Pix: make([]float32, 30)}
	target.Pix[0], target.Pix[5], target.Pix[6] = 0.1, 0.2, 0.3
	scene := suite.Image{Channels: 1, Height: 6, Width: 5, Pix: slices.Repeat([]float32{1}, 30)}
	for align, want := range map[Alignment]map[int]float32{
		"":     {0: 0.1, 5: 0.2, 6: 0.3},
		Keep:   {0: 0.1, 5: 0.2, 6: 0.3},
		Centre: {11: 0.1, 16: 0.2, 17: 0.3}, // 2 x 2 in 6 x 5: two rows above, one column before
		Ground: {21: 0.1, 26: 0.2, 27: 0.3},
	} {
		got := testdata.Must(Composite(target, mask, scene, Compositing{Align: align}))(t)
		for i, v := range got.Pix {
			expect, there := want[i]
			if !there {
				expect = 1
			}
			testdata.Is(t, fmt.Sprintf("%q: pixel %d", align, i), v, expect)
		}
	}
}

func TestCompositeRefuses(t *testing.T) {
	target, scene := noisy(1, 3, 2, 3), noisy(2, 3, 2, 3)
	good := maskOf("#..", "...")
	for _, c := range []struct {
		mask Mask
		how  Compositing
		want string
	}{
		{maskOf("#..", "...", "..."), Compositing{}, "the mask has 3 x 3 pixels and its image 2 x 3"},
		{Mask{Height: 2, Width: 3, Set: []bool{true}}, Compositing{}, "1 values for 2 x 3 pixels"},
		{maskOf("...", "..."), Compositing{}, "the mask is empty"},
		{maskOf("###", "###"), Compositing{}, "the mask is full"},
		{good, Compositing{Height: 1, Width: 1}, "the mask of 2 x 3 pixels is empty at 1 x 1"},
		{maskOf("#..", "##."), Compositing{Height: 1, Width: 1}, "the mask of 2 x 3 pixels is full at 1 x 1"},
		{good, Compositing{Feather: -1}, "a feather of -1 pixels"},
		{good, Compositing{Feather: math.NaN()}, "a feather of NaN pixels"},
		{good, Compositing{Feather: math.Inf(1)}, "a feather of +Inf pixels"},
		{good, Compositing{Align: "left"}, `"left" is no alignment`},
		{good, Compositing{Height: -1, Width: 2}, "cannot have -1 x 2 pixels"},
	} {
		testdata.Refused(t, fmt.Sprintf("%+v: error", c.how),
			testdata.Err(Composite(target, c.mask, scene, c.how)), c.want)
	}
}

// BenchmarkComposite is a composite of the usual input size from images of that size.
func BenchmarkComposite(b *testing.B) {
	target, scene := noisy(1, 3, 224, 224), noisy(2, 3, 224, 224)
	mask := Mask{Height: 224, Width: 224, Set: make([]bool, 224*224)}
	for i := 9000; i < 30000; i++ {
		mask.Set[i] = true
	}
	f := testdata.Must(NewForeground(target, mask, Compositing{Height: 224, Width: 224, Feather: 2}))(b)
	dst := make([]float32, len(target.Pix))
	b.Run("prepare", func(b *testing.B) {
		for range b.N {
			_, _ = NewForeground(target, mask, Compositing{Height: 224, Width: 224, Feather: 2})
		}
	})
	b.Run("onto", func(b *testing.B) {
		for range b.N {
			f.Onto(dst, scene)
		}
	})
}
