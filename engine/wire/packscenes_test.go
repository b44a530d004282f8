package wire

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

// stage is a Composed source whose composites are made in the plainest way.
type stage struct {
	fakeSource
	scenes, backgrounds int
	how                 background.Compositing
	selection           string
	reads               map[int]int // of backgrounds
	mask                func(i int, m *background.Mask) error
	broken              error // of Ingredients
}

var _ Composed = stage{}

func newStage(n int) stage {
	return stage{fakeSource: fakeSource{n: n}, scenes: 3, backgrounds: 40, selection: hashC, reads: map[int]int{}}
}

func (s stage) Selection() string                            { return s.selection }
func (s stage) Ingredients() (background.Ingredients, error) { return s, s.broken }
func (s stage) Scenes() int                                  { return s.scenes }
func (s stage) How() background.Compositing                  { return s.how }
func (s stage) Scene(i, t int) int                           { return (i*7 + t*3) % s.backgrounds * 11 }

func (s stage) Background(number int) (suite.Image, error) {
	s.reads[number]++
	if number == 11*39 {
		return suite.Image{}, errors.New("bg_0039.png is damaged")
	}
	return noisy(uint64(1000+number), 1+2*(number%2), 4+number%5, 6, number%3 > 0), nil
}

// Mask is a box in the middle of the image, and every fourth pixel of the first column.
func (s stage) Mask(i int) (background.Mask, error) {
	img, err := s.Image(i)
	m := background.Mask{Height: img.Height, Width: img.Width, Set: make([]bool, img.Height*img.Width)}
	for k := range m.Set {
		y, x := k/m.Width, k%m.Width
		m.Set[k] = y > 0 && x > 1 && x < m.Width-1 || x == 0 && y%4 == i%4
	}
	m.Set[m.Width+2] = true
	if err == nil && s.mask != nil {
		err = s.mask(i, &m)
	}
	return m, err
}

func (s stage) Compose(dst, fitted []float32, i, t int, to suite.Fitting) error {
	mask, err := s.Mask(i)
	if err != nil {
		return err
	}
	scene, err := s.Background(s.Scene(i, t))
	if err != nil {
		return err
	}
	target := suite.Image{Channels: to.Channels, Height: to.Height, Width: to.Width, Pix: fitted}
	out, err := background.Composite(target, mask.Fit(to), suite.Fit(scene, to),
		background.Compositing{Height: to.Height, Width: to.Width, Feather: s.how.Feather, Align: s.how.Align})
	copy(dst, out.Pix)
	return err
}

// TestAPackComposesAsItsSource, to the bit, for inputs of all kinds, and after it was packed once
// more.
func TestAPackComposesAsItsSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newStage(rapid.IntRange(1, 30).Draw(t, "images"))
		s.scenes, s.backgrounds = rapid.IntRange(1, 6).Draw(t, "scenes"), rapid.IntRange(1, 39).Draw(t, "backgrounds")
		s.how.Feather = rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1.5, 7}).Draw(t, "feather")
		s.how.Align = rapid.SampledFrom(append(background.Alignments(), "")).Draw(t, "align")
		first := rapid.IntRange(0, s.n-1).Draw(t, "first")
		n := rapid.IntRange(1, s.n-first).Draw(t, "n")
		var one, two bytes.Buffer
		testdata.Must(WritePack(t.Context(), &one, s, first, n))(t)
		for number, reads := range s.reads {
			if reads != 1 {
				t.Fatalf("background %d was read %d times", number, reads)
			}
		}
		p := testdata.Must(OpenPack(NewKept(), bytes.NewReader(one.Bytes()), int64(one.Len())))(t)
		if _, err := WritePack(t.Context(), &two, p, first, n); err != nil || !bytes.Equal(one.Bytes(), two.Bytes()) {
			t.Fatalf("packed once more: %v", err)
		}
		to := suite.Fitting{
			Channels: rapid.SampledFrom([]int{1, 3}).Draw(t, "channels"),
			Height:   rapid.IntRange(4, 9).Draw(t, "height"), Width: rapid.IntRange(6, 9).Draw(t, "width"),
			Resize: rapid.SampledFrom([]model.Resize{model.Stretch, model.Crop}).Draw(t, "resize"),
		}
		for i := first; i < first+n; i++ {
			sameComposites(t, p, s, i, to)
		}
	})
}

// sameComposites holds the composites of image i to those of the source; an error is the same
// sentence.
func sameComposites(t *rapid.T, p *Pack, s stage, i int, to suite.Fitting) {
	img := testdata.Must(p.Image(i))(t)
	fitted := suite.Fit(img, to).Pix
	got, want := make([]float32, len(fitted)), make([]float32, len(fitted))
	for scene := 1; scene <= s.scenes; scene++ {
		err, expected := p.Compose(got, fitted, i, scene, to), s.Compose(want, fitted, i, scene, to)
		if (err == nil) != (expected == nil) || err != nil && !strings.Contains(err.Error(), expected.Error()) {
			t.Fatalf("image %d, scene %d: %v in place of %v", i, scene, err, expected)
		}
		if err == nil && !slices.Equal(got, want) {
			t.Fatalf("image %d on scene %d differs", i, scene)
		}
	}
}

func TestAPackWithScenesFitsItsOrder(t *testing.T) {
	s := newStage(88)
	s.backgrounds = 39
	p := opened(t, written(t, s, 0, 88))
	o := someOrder()
	o.Spec.Images, o.Chunk, o.Spec.Family, o.Spec.Vectors = 88, 0, "scenes:"+hashC+":3", nil
	if err := p.fits(o); err != nil || p.Selection() != hashC {
		t.Errorf("%v, %s", err, p.Selection())
	}
	for _, family := range []string{"scenes:" + hashA + ":3", "scenes:" + hashC + ":4", "plain"} {
		o.Spec.Family = family
		testdata.Refused(t, fmt.Sprint(family), p.fits(o), "does not have the scenes of "+family)
	}
	for _, bad := range [][2]int{{-1, 1}, {88, 1}, {0, 0}, {0, 4}, {3, -1}} {
		if err := p.Compose(nil, nil, bad[0], bad[1], suite.Fitting{}); err == nil ||
			!strings.HasPrefix(err.Error(), "the pack has ") {
			t.Errorf("%v: %v", bad, err)
		}
	}
	g := testdata.Must(p.Ingredients())(t)
	testdata.Refused(t, "a mask of another image", testdata.Err(g.Mask(88)))
	testdata.Refused(t, "a background that nobody needs", testdata.Err(g.Background(5)))
}

func TestManyComposeFromAPack(t *testing.T) {
	s := newStage(30)
	s.backgrounds = 39
	p := opened(t, written(t, s, 0, 30))
	to := suite.Fitting{Channels: 3, Height: 5, Width: 6}
	want := map[[2]int][]float32{}
	for i := range 30 {
		for scene := 1; scene <= 3; scene++ {
			img, _ := s.Image(i)
			fitted := suite.Fit(img, to).Pix
			want[[2]int{i, scene}] = make([]float32, len(fitted))
			testdata.OK(t, s.Compose(want[[2]int{i, scene}], fitted, i, scene, to))
		}
	}
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for k := range 90 {
				i, scene := (k+g*7)%30, 1+k/30
				img, err := p.Image(i)
				fitted := suite.Fit(img, to).Pix
				got := make([]float32, len(fitted))
				if err != nil || p.Compose(got, fitted, i, scene, to) != nil ||
					!slices.Equal(got, want[[2]int{i, scene}]) {
					t.Errorf("image %d on scene %d: %v", i, scene, err)
				}
			}
		})
	}
	group.Wait()
}

// TestScenesThatCannotBePacked name what is wrong.
func TestScenesThatCannotBePacked(t *testing.T) {
	for want, change := range map[string]func(*stage){
		"bg_0039.png is damaged": func(s *stage) { s.backgrounds = 40 },
		"img002.png: no such mask": func(s *stage) {
			s.mask = func(i int, _ *background.Mask) error { return map[int]error{2: errors.New("no such mask")}[i] }
		},
		"img000.png: the mask has": func(s *stage) {
			s.mask = func(_ int, m *background.Mask) error {
				m.Height++
				return nil
			}
		},
		"the mask is empty": func(s *stage) {
			s.mask = func(_ int, m *background.Mask) error {
				clear(m.Set)
				return nil
			}
		},
		"no pack of 1001 scenes": func(s *stage) { s.scenes = 1001 },
		"a feather of -1 pixels": func(s *stage) { s.how.Feather = -1 },
		"in alignment -1":        func(s *stage) { s.how.Align = "left" },
		"the selection is named": func(s *stage) { s.selection = "mine" },
		"the suite is closed":    func(s *stage) { s.broken = errors.New("the suite is closed") },
	} {
		s := newStage(30)
		s.backgrounds = 39
		change(&s)
		testdata.Refused(t, want, testdata.Err(WritePack(t.Context(), &bytes.Buffer{}, s, 0, 30)), want)
	}
}
