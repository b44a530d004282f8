package render

import (
	"bytes"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/figuretest"
	"github.com/variscope/variscope/internal/testdata"
)

// TestKindsAreTheseFiles holds a figure of every kind as SVG, and its values as CSV;
// VARISCOPE_WRITE_FIGURES=1 writes the files anew. Other formats can be written, the second time
// with the same bytes. VARISCOPE_SHOTS keeps pictures in a folder.
func TestKindsAreTheseFiles(t *testing.T) {
	for name, f := range figuretest.Kinds() {
		var values bytes.Buffer
		testdata.OK(t, f.Sheet().CSV(&values, false))
		svg := drawn(t, "svg", writes(f))
		for path, got := range map[string][]byte{name + ".svg": svg, name + ".csv": values.Bytes()} {
			path = filepath.Join("testdata", path)
			if os.Getenv("VARISCOPE_WRITE_FIGURES") != "" {
				testdata.OK(t, os.WriteFile(path, got, 0o600))
			}
			if want, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: the figure is another one (%v)", path, err)
			}
		}
		for _, format := range Formats() {
			b := drawn(t, format, writes(f))
			if !testing.Short() && !bytes.Equal(b, drawn(t, format, writes(f))) {
				t.Errorf("%s as %s has other bytes the second time", name, format)
			}
			if folder := os.Getenv("VARISCOPE_SHOTS"); folder != "" { // for people
				testdata.OK(t, os.WriteFile(filepath.Join(folder, "figure-"+name+"."+format), b, 0o600))
			}
		}
	}
}

// measured is as wide as half of its size per letter.
func measured(text string, size float32) (width, height float32) {
	return size / 2 * float32(len([]rune(text))), 1.4 * size
}

var window = Ground{
	Ink: color.Black, Faint: color.Black, Grid: color.White, Back: color.White, Size: 11, Measure: measured,
}

// TestLayLeavesUprightTextsToTheWindow: a figure of every kind is laid out at every size with its
// texts inside and apart, the image has the plotted area where Laid says, the title of each axis
// stands beside it, and what has no room says so.
func TestLayLeavesUprightTextsToTheWindow(t *testing.T) {
	for name, f := range figuretest.Kinds() {
		for _, size := range [][2]float32{{150, 120}, {300, 200}, {700, 400}} {
			l, ok := Lay(f, Extent(f), window, size[0], size[1])
			if !ok && size[0] > 150 {
				t.Errorf("%s has no room in %v", name, size)
			}
			if !ok {
				continue
			}
			across := f.X.Title() == "" || name == "absent"
			for _, text := range l.Texts {
				w, h := measured(text.Text, text.Size)
				if text.X < -2 || text.Y < -3.5 || text.X+w > size[0]+2 || text.Y+h > size[1]+2 {
					t.Errorf("%s: %q at %v,%v sticks out of %v", name, text.Text, text.X, text.Y, size)
				}
				across = across || text.Y >= l.Top+l.Height-5 && text.Text != "" && text.Text[0] == f.X.Title()[0]
			}
			if !across {
				t.Errorf("%s in %v: the X axis has no title", name, size)
			}
			if l.Left < 0 || l.Top < 0 || l.Left+l.Width > size[0] || l.Top+l.Height > size[1] {
				t.Errorf("%s: the area is %+v of %v", name, l, size)
			}
			img, ink := l.Image(int(size[0]), int(size[1])), 0
			for y := range int(size[1]) {
				for x := max(0, int(l.Left)-60); x < int(l.Left); x++ {
					if _, _, _, a := img.At(x, y).RGBA(); a > 0x8000 && (float32(y) < l.Top+l.Height-2) {
						ink++
					}
				}
			}
			if f.Y.Title() != "" && name != "absent" && ink < 40 {
				t.Errorf("%s in %v: %d pixels beside the Y axis are its title", name, size, ink)
			}
		}
		if _, ok := Lay(f, Extent(f), window, 40, 30); ok {
			t.Errorf("%s has room in 40 x 30", name)
		}
	}
}

// TestLinksAreFoundWhereTheyAreDrawn: links there and back keep apart, ends that touch have none,
// and faint ones are not found.
func TestLinksAreFoundWhereTheyAreDrawn(t *testing.T) {
	f := figuretest.Kinds()["network"]
	l, ok := Lay(f, Extent(f), window, 600, 400)
	if !ok {
		t.Fatal("no room")
	}
	img := l.Image(600, 400)
	for k, link := range f.Links {
		line := l.Link(k)
		middle := line[len(line)/2]
		if got := l.LinkAt(middle[0], middle[1], 5); (got == k) == (link.Emphasis == result.Faint) {
			t.Errorf("in the middle of link %d is %d", k, got)
		}
		if _, _, _, a := img.At(int(middle[0]), int(middle[1])).RGBA(); a == 0 {
			t.Errorf("link %d is not drawn at %v", k, middle)
		}
	}
	f.Points[1].X, f.Points[1].Y = f.Points[0].X, f.Points[0].Y
	if l, _ := Lay(f, Extent(f), window, 600, 400); l.Link(0) != nil {
		t.Error("an arrow between points that touch is drawn")
	}
	if small, large := l.Radius(2), l.Radius(0); small >= large || small < 2 {
		t.Errorf("radii %v and %v", small, large)
	}
}

func TestLargeTreesAreRefused(t *testing.T) {
	comb := func(depth int) result.Figure {
		f := figuretest.Kinds()["tree"]
		f.X.High, f.Y.Low = float64(depth), -float64(depth)
		return f
	}
	for depth, want := range map[int][2]bool{20: {true, true}, 60: {false, true}, 600: {false, false}} {
		png, svg := Draw(&bytes.Buffer{}, comb(depth), Part{}, "png"), Draw(&bytes.Buffer{}, comb(depth), Part{}, "svg")
		if (png == nil) != want[0] || (svg == nil) != want[1] {
			t.Errorf("a tree of depth %d: as PNG %v, as SVG %v", depth, png, svg)
		}
	}
}

func BenchmarkLinks(b *testing.B) {
	f := figuretest.Kinds()["network"]
	for k := range 500 {
		f.Points = append(f.Points, result.Point{X: float64(k%23) / 22, Y: float64(k%29) / 28, Size: 0.1})
	}
	for k := range 4000 {
		f.Links = append(f.Links, result.Link{From: k % 500, To: (7*k + 1) % 499, Weight: float64(k%100+1) / 100})
	}
	l, _ := Lay(f, Extent(f), window, 1200, 760)
	for b.Loop() {
		l.Image(1200, 760)
	}
}
