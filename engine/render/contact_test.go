package render

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/suite"
)

// plainImage has one colour.
func plainImage(c color.RGBA, height, width int) suite.Image {
	img := suite.Image{Channels: 3, Height: height, Width: width}
	for _, v := range []uint8{c.R, c.G, c.B} {
		img.Pix = append(img.Pix, slices.Repeat([]float32{float32(v) / 255}, height*width)...)
	}
	return img
}

func tileColour(k int) color.RGBA {
	return color.RGBA{uint8(20 + 6*k), uint8(200 - 5*k), uint8(7 * k), 255}
}

func contact(composites int) ContactSheet {
	s := ContactSheet{Title: "scenes of dog_00", Note: "seed 1", Key: []Group{{Name: "level 0", Colour: color.RGBA{1, 2, 200, 255}}}}
	s.Target = ContactTile{Image: plainImage(tileColour(0), 8, 8), Lines: []string{"target"}}
	for k := 1; k <= composites; k++ {
		s.Composites = append(s.Composites, ContactTile{Image: plainImage(tileColour(k), 8, 8), Lines: []string{fmt.Sprintf("tree %d", k), "level 1, d 0.25"}})
	}
	return s
}

func TestContactInEveryFormat(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws this, slowly under the race detector
	}
	s := contact(32)
	for format, begins := range map[string]string{"png": "\x89PNG", "svg": "<?xml", "pdf": "%PDF"} {
		data := drawn(t, format, func(b *bytes.Buffer, f string) error { return s.Write(b, f) })
		again := drawn(t, format, func(b *bytes.Buffer, f string) error { return s.Write(b, f) })
		if !strings.HasPrefix(string(data), begins) || !bytes.Equal(data, again) {
			t.Errorf("%s begins %q, equal again %v", format, data[:8], bytes.Equal(data, again))
		}
		if format != "svg" {
			continue
		}
		dark := s
		dark.Dark = true
		if !bytes.Equal(data, drawn(t, format, func(b *bytes.Buffer, f string) error { return dark.Write(b, f) })) {
			t.Errorf("%s is not the same for a dark screen", format)
		}
	}
	svg := string(drawn(t, "svg", func(b *bytes.Buffer, f string) error { return s.Write(b, f) }))
	for _, text := range []string{"scenes of dog_00", "seed 1", ">target<", ">tree 1<", ">tree 32<", "level 1, d 0.25", ">level 0<"} {
		if !strings.Contains(svg, text) {
			t.Errorf("the sheet lacks %q", text)
		}
	}
}

// TestContactPictureShowsEveryTile: the target stands first and the composites behind it row by row; each place has the picture that it says.
func TestContactPictureShowsEveryTile(t *testing.T) {
	if testing.Short() {
		return // one goroutine draws this, slowly under the race detector
	}
	for _, c := range []struct{ composites, columns, width int }{{1, 0, 300}, {32, 0, 1200}, {32, 5, 700}, {50, 0, 900}, {7, 100, 640}, {100, 0, 1500}} {
		s := contact(c.composites)
		s.Columns = c.columns
		img, places, err := s.Picture(c.width)
		if err != nil || len(places) != c.composites+1 {
			t.Fatalf("%+v: %d places, %v", c, len(places), err)
		}
		if off := img.Bounds().Dx() - c.width; off < -c.width/10 || off > c.width/10 {
			t.Errorf("%+v: %d pixels wide", c, img.Bounds().Dx())
		}
		for k, at := range places {
			if !at.In(img.Bounds()) {
				t.Errorf("%+v: place %d is %v of %v", c, k, at, img.Bounds())
			}
			for _, p := range []image.Point{at.Min.Add(image.Pt(3, 3)), at.Max.Sub(image.Pt(4, 4)), at.Min.Add(at.Size().Div(2))} {
				if got := img.RGBAAt(p.X, p.Y); got != tileColour(k) {
					t.Errorf("%+v: picture %d has %v at %v, want %v", c, k, got, p, tileColour(k))
				}
			}
			if k > 0 && !(at.Min.X > places[k-1].Max.X || at.Min.Y > places[k-1].Max.Y) {
				t.Errorf("%+v: place %d, %v, does not come behind %v", c, k, at, places[k-1])
			}
		}
	}
}

func TestContactFrames(t *testing.T) {
	s := contact(3)
	red := color.RGBA{255, 0, 1, 255}
	s.Composites[1].Frame = red
	for _, dark := range []bool{false, true} {
		s.Dark = dark
		img, places, err := s.Picture(500)
		if err != nil {
			t.Fatal(err)
		}
		outside := func(k int) color.RGBA {
			return img.RGBAAt((places[k].Min.X+places[k].Max.X)/2, places[k].Min.Y-2)
		}
		for k, want := range []color.RGBA{s.ink(), s.ground(), red, s.ground()} {
			if got := outside(k); got != want {
				t.Errorf("dark %v: picture %d has %v above it, want %v", dark, k, got, want)
			}
		}
	}
}

// TestContactKeepsProportions: a wide picture lies in the middle of its square, in colours of its own, whether it is made smaller or larger.
func TestContactKeepsProportions(t *testing.T) {
	for _, width := range []int{4, 400} {
		s := contact(1)
		blue := color.RGBA{0, 0, 255, 255}
		s.Composites[0].Image = plainImage(blue, width/2, width)
		img, places, err := s.Picture(400)
		if err != nil {
			t.Fatal(err)
		}
		at := places[1]
		r := extent(img, blue)
		if off := r.Dx() - 2*r.Dy(); off < -3 || off > 3 || r.Dx() < at.Dx()-3 {
			t.Errorf("%d wide: %v in %v", width, r, at)
		}
		if above, below := r.Min.Y-at.Min.Y, at.Max.Y-r.Max.Y; above < below-2 || above > below+2 {
			t.Errorf("%d wide: %v is not in the middle of %v", width, r, at)
		}
	}
}

func TestContactColumns(t *testing.T) {
	for composites, want := range map[int]int{1: 2, 7: 8, 11: 12, 12: 8, 32: 11, 31: 8, 50: 9, 100: 8} {
		if got := contact(composites).columns(); got != want {
			t.Errorf("%d composites stand in %d columns, want %d", composites, got, want)
		}
	}
}

func TestContactRefuses(t *testing.T) {
	none, hollow, odd, columns := contact(0), contact(2), contact(2), contact(2)
	hollow.Composites[1].Image = suite.Image{}
	odd.Target.Image.Pix = odd.Target.Image.Pix[1:]
	columns.Columns = -1
	for want, s := range map[string]ContactSheet{
		"no composites to draw": none, "picture 2 has 0 pixels": hollow, "picture 0 has 191 pixels for 3 x 8 x 8": odd, "-1 columns": columns,
	} {
		if err := s.Write(&bytes.Buffer{}, "png"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if _, _, err := s.Picture(400); err == nil {
			t.Errorf("%q: a picture is drawn", want)
		}
	}
	good := contact(2)
	if _, _, err := good.Picture(0); err == nil || !strings.Contains(err.Error(), "0 pixels wide") {
		t.Errorf("error %v", err)
	}
	if err := good.Write(&bytes.Buffer{}, "gif"); err == nil || !strings.Contains(err.Error(), `"gif"`) {
		t.Errorf("error %v", err)
	}
}
