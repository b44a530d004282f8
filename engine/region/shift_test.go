package region_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
	"pgregory.net/rapid"
)

func shifter(tb testing.TB, height, width, n, t int) *region.Shifter {
	tb.Helper()
	return testdata.Must(region.NewShifter(height, width, n, t))(tb)
}

func noisy(seed uint64, length int) []float32 {
	random := rand.New(rand.NewPCG(seed, 0))
	pixels := make([]float32, length)
	for i := range pixels {
		pixels[i] = random.Float32()
	}
	return pixels
}

func TestNewShifterRefuses(t *testing.T) {
	for _, wrong := range [][4]int{
		{8, 8, 0, 2}, {8, 8, region.MaxGrid + 1, 2}, {8, 8, 2, 0}, {0, 8, 2, 2}, {8, 0, 2, 2}, {8, 8, -1, 2},
	} {
		if s, err := region.NewShifter(wrong[0], wrong[1], wrong[2], wrong[3]); err == nil || s != nil {
			t.Errorf("%v: %v, %v", wrong, s, err)
		}
	}
}

// padded is the image with its zero fill.
func padded(src []float32, channels, height, width int, p region.Padding) suite.Image {
	high, wide := height+p.Top+p.Bottom, width+p.Left+p.Right
	img := suite.Image{Channels: channels, Height: high, Width: wide, Pix: make([]float32, channels*high*wide)}
	for c := range channels {
		for y := range height {
			copy(img.Pix[(c*high+p.Top+y)*wide+p.Left:], src[(c*height+y)*width:][:width])
		}
	}
	return img
}

// The image that is padded in full and fitted by the suite's own means has the same bits.
func TestApplyAndPlaceAsFitDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side, channels := rapid.IntRange(1, 40), rapid.SampledFrom([]int{1, 3}).Draw(t, "channels")
		height, width, n := side.Draw(t, "height"), side.Draw(t, "width"),
			rapid.IntRange(1, region.MaxGrid).Draw(t, "n")
		parameter, i := side.Draw(t, "t"), rapid.IntRange(1, n*n).Draw(t, "region")
		s := testdata.Must(region.NewShifter(height, width, n, parameter))(t)
		src := noisy(rapid.Uint64().Draw(t, "seed"), channels*height*width)
		p := region.Pad(height, width, n, parameter, i)
		want := suite.Fit(padded(src, channels, height, width, p), suite.Fitting{Height: height, Width: width}).Pix
		applied, placed := noisy(1, len(src)), noisy(2, len(src))
		s.Apply(applied, src, channels, i)
		region.Place(placed, src, channels, height, width, p)
		if !slices.Equal(applied, want) || !slices.Equal(placed, want) {
			t.Fatalf("padding %+v: applied %v, placed %v, want %v", p, applied, placed, want)
		}
	})
}

func TestPlaceAnyPadding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side, border := rapid.IntRange(1, 12), rapid.IntRange(0, 30)
		height, width := side.Draw(t, "height"), side.Draw(t, "width")
		p := region.Padding{
			Top: border.Draw(t, "top"), Bottom: border.Draw(t, "bottom"), Left: border.Draw(t, "left"),
			Right: border.Draw(t, "right"),
		}
		src, dst := noisy(rapid.Uint64().Draw(t, "seed"), 2*height*width), noisy(1, 2*height*width)
		region.Place(dst, src, 2, height, width, p)
		want := suite.Fit(padded(src, 2, height, width, p), suite.Fitting{Height: height, Width: width}).Pix
		for k, v := range want {
			testdata.Near(t, fmt.Sprint("entry ", k), float64(dst[k]), float64(v), 1e-6)
		}
	})
}

func TestApplyWritesNoFurther(t *testing.T) {
	s := shifter(t, 6, 5, 3, 2)
	src, dst := noisy(1, 100), make([]float32, 100)
	for k := range dst {
		dst[k] = 7
	}
	s.Apply(dst, src, 2, 4)
	for k, v := range dst {
		if (v == 7) != (k >= 60) {
			t.Fatalf("entry %d = %v", k, v)
		}
	}
}

func TestApplyIsSharedByGoroutines(t *testing.T) {
	s := shifter(t, 28, 28, 4, 5)
	src := noisy(1, 28*28)
	want := make([][]float32, 16)
	for i := range want {
		want[i] = make([]float32, len(src))
		s.Apply(want[i], src, 1, i+1)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			dst := make([]float32, len(src))
			for k := range 64 {
				s.Apply(dst, src, 1, k%16+1)
				testdata.Equal(t, fmt.Sprintf("region %d has other bits", k%16+1), dst, want[k%16])
			}
		})
	}
	wait.Wait()
}

func TestApplyAllocatesNothing(t *testing.T) {
	for _, setting := range [][2]int{{2, 5}, {4, 5}, {5, 2}} {
		s := shifter(t, 32, 32, setting[0], setting[1])
		src, dst := noisy(1, 3*32*32), make([]float32, 3*32*32)
		if n := testing.AllocsPerRun(200, func() { s.Apply(dst, src, 3, 2) }); n != 0 {
			t.Errorf("n, t = %v: %v allocations", setting, n)
		}
	}
}

func BenchmarkShift(b *testing.B) {
	for _, size := range []struct{ channels, side int }{{1, 28}, {3, 32}, {3, 224}} {
		for _, setting := range [][2]int{{2, 5}, {3, 5}, {4, 5}, {5, 5}, {3, 2}} {
			n, t, length := setting[0], setting[1], size.channels*size.side*size.side
			s := shifter(b, size.side, size.side, n, t)
			src, dst := noisy(1, length), make([]float32, length)
			b.Run(fmt.Sprintf("%dx%dx%d/n=%d,t=%d", size.channels, size.side, size.side, n, t), func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					s.Apply(dst, src, size.channels, i%(n*n)+1)
					i++
				}
			})
		}
	}
}
