package background

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

// theatre are targets of 8 x 9 pixels, whose lower halves are foreground, and backgrounds; reads
// are counted.
type theatre struct {
	how          Compositing
	from         int // other numbers give other backgrounds
	masks, reads atomic.Int64
	broken       error
}

func (s *theatre) Name(i int) string { return fmt.Sprintf("t%d.png", i) }

func (s *theatre) Mask(i int) (Mask, error) {
	s.masks.Add(1)
	m := Mask{Height: 8, Width: 9, Set: make([]bool, 72)}
	for k := range m.Set {
		m.Set[k] = k/9 >= 3+i%3 && k%9 != i%9
	}
	return m, s.broken
}

func (s *theatre) Scenes() int        { return 4 }
func (s *theatre) Scene(i, t int) int { return (3*i + t) % 7 }
func (s *theatre) How() Compositing   { return s.how }

func (s *theatre) Background(number int) (suite.Image, error) {
	s.reads.Add(1)
	return noisy(uint64(100+number+1000*s.from), 3, 5+number, 11), s.broken
}

// byHand is the composite that the specification says.
func (s *theatre) byHand(i, t int, to suite.Fitting) suite.Image {
	mask, _ := s.Mask(i)
	scene, _ := s.Background(s.Scene(i, t))
	out, err := Composite(noisy(uint64(i), to.Channels, 8, 9), mask,
		suite.Fit(scene, suite.Fitting{Channels: to.Channels}), Compositing{
			Height: to.Height, Width: to.Width, Resize: to.Resize, Feather: s.how.Feather, Align: s.how.Align,
		})
	if err != nil {
		panic(err)
	}
	return out
}

// TestCompositorAgainstComposite for several inputs at once, whatever room there is.
func TestCompositorAgainstComposite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &theatre{how: Compositing{
			Feather: rapid.SampledFrom([]float64{0, 2}).Draw(t, "feather"),
			Align:   rapid.SampledFrom(Alignments()).Draw(t, "align"),
		}}
		room := rapid.Int64Range(0, 4000)
		c := NewCompositor(s, Room{Scenes: room.Draw(t, "scenes"), Foregrounds: room.Draw(t, "foregrounds")})
		for range 20 {
			to := suite.Fitting{
				Channels: 3, Height: rapid.IntRange(8, 10).Draw(t, "height"),
				Width:  rapid.IntRange(9, 11).Draw(t, "width"),
				Resize: rapid.SampledFrom([]model.Resize{model.Stretch, model.Crop}).Draw(t, "resize"),
			}
			i, scene := rapid.IntRange(0, 9).Draw(t, "target"), rapid.IntRange(1, 4).Draw(t, "scene")
			fitted := suite.Fit(noisy(uint64(i), 3, 8, 9), to).Pix
			got := make([]float32, len(fitted))
			testdata.OK(t, c.Compose(got, fitted, i, scene, to))
			testdata.Equal(t, fmt.Sprintf("target %d on scene %d", i, scene), got, s.byHand(i, scene, to).Pix)
		}
	})
}

// TestACompositorKeepsWhatItHasRoomFor: every mask and background is read once, whatever many
// goroutines want.
func TestACompositorKeepsWhatItHasRoomFor(t *testing.T) {
	to := suite.Fitting{Channels: 3, Height: 8, Width: 9}
	compose := func(c *Compositor) {
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				dst := make([]float32, 3*72)
				for k := range 80 {
					if err := c.Compose(dst, noisy(uint64(k%10), 3, 8, 9).Pix, k%10, 1+k%4, to); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
	}
	kept, tight := &theatre{}, &theatre{}
	compose(NewCompositor(kept, Room{Scenes: 1 << 20, Foregrounds: 1 << 20}))
	if kept.masks.Load() != 10 || kept.reads.Load() != 7 {
		t.Errorf("%d masks and %d backgrounds were read", kept.masks.Load(), kept.reads.Load())
	}
	compose(NewCompositor(tight, Room{}))
	if tight.masks.Load() < 100 || tight.reads.Load() < 100 {
		t.Errorf("without room, %d masks and %d backgrounds were read", tight.masks.Load(), tight.reads.Load())
	}
}

// TestCompositorsShareTheirRoom: the bytes of all together stay within it, and each makes what it
// makes alone, although the numbers of their images are the same.
func TestCompositorsShareTheirRoom(t *testing.T) {
	to := suite.Fitting{Channels: 3, Height: 8, Width: 9}
	const one = 4 * 3 * 72 // bytes of a scene
	kept := NewKept(Room{Scenes: 5 * one, Foregrounds: 5 * (one + 4*72)})
	var group sync.WaitGroup
	for k := range 8 {
		group.Go(func() {
			alone, sharing := &theatre{from: k}, &theatre{from: k}
			want, got := NewCompositor(alone, Room{Scenes: 1 << 20, Foregrounds: 1 << 20}), kept.Compositor(sharing)
			a, b := make([]float32, 3*72), make([]float32, 3*72)
			for i := range 40 {
				fitted := noisy(uint64(i%10+100*k), 3, 8, 9).Pix
				if err := errors.Join(want.Compose(a, fitted, i%10, 1+i%4, to),
					got.Compose(b, fitted, i%10, 1+i%4, to)); err != nil || !slices.Equal(a, b) {
					t.Errorf("compositor %d, target %d: %v, or another composite", k, i%10, err)
				}
			}
		})
	}
	group.Wait()
	if kept.Bytes() < one || kept.Bytes() > 5*one+5*(one+4*72) {
		t.Errorf("%d bytes are kept", kept.Bytes())
	}
}

// TestCompositorErrors: what cannot be read, and a foreground that is lost at the input's size,
// which is tried again by the next.
func TestCompositorErrors(t *testing.T) {
	s := &theatre{broken: errors.New("t0.png is damaged")}
	c := NewCompositor(s, Room{Scenes: 1 << 20, Foregrounds: 1 << 20})
	to := suite.Fitting{Channels: 3, Height: 8, Width: 9}
	fitted := noisy(0, 3, 8, 9).Pix
	testdata.ErrorIs(t, "Compose", c.Compose(make([]float32, 3*72), fitted, 0, 1, to), s.broken)
	s.broken = nil
	testdata.OK(t, c.Compose(make([]float32, 3*72), fitted, 0, 1, to))
	one := suite.Fitting{Channels: 3, Height: 1, Width: 1}
	if err := c.Compose(make([]float32, 3), fitted[:3], 0, 1, one); err == nil ||
		!strings.HasPrefix(err.Error(), "target t0.png at 1 x 1 pixels: the mask is full") {
		t.Errorf("%v", err)
	}
}
