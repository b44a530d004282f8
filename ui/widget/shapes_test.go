package widget

import (
	"image"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine/render"
)

func someBars() BarsData {
	return BarsData{
		Bars: render.Bars{XName: "share of variant", Steps: true, Bars: []render.Bar{
			{Name: "base", Text: "0.4", From: 0, To: 0.4, Tone: render.Stands},
			{Name: "max@CONF.svm", Text: "+0.3", From: 0.4, To: 0.7, Tone: render.Raises},
			{Name: "mean@CONV-1.dctny with a long name that has to be cut somewhere", Text: "-0.1", From: 0.7, To: 0.6, Tone: render.Lowers, Spread: 0.05},
		}},
		Hints: []string{"the base", "the first", "the second"}, Empty: "nothing",
	}
}

func TestBarsSayWhatIsUnderThePointer(t *testing.T) {
	b := NewBars()
	b.SetData(BarsData{Empty: "none yet"})
	w := show(t, container.NewStack(b), fyne.NewSize(500, 200))
	if got := texts(allObjects(b)); len(got) != 1 || got[0].Text != "none yet" {
		t.Errorf("empty bars say %v", got)
	}
	b.SetData(someBars())
	var said []string
	tapped := -1
	b.OnHover, b.OnTapped = func(text string) { said = append(said, text) }, func(bar int) { tapped = bar }
	b.MouseMoved(at(100, 1.5*b.line))
	b.MouseMoved(at(300, 1.6*b.line)) // the same bar
	b.MouseMoved(at(300, 9*b.line))
	b.MouseMoved(at(300, 2.5*b.line))
	b.MouseOut()
	if want := []string{"the first", "", "the second", ""}; !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
	b.Tapped(&fyne.PointEvent{Position: fyne.NewPos(10, 2.2*b.line)})
	if tapped != 2 {
		t.Errorf("bar %d was tapped", tapped)
	}
	b.Menu = func() []*fyne.MenuItem { return []*fyne.MenuItem{fyne.NewMenuItem("save", nil)} }
	b.TappedSecondary(&fyne.PointEvent{})
	if w.Canvas().Overlays().Top() == nil {
		t.Error("the other button opens no menu")
	}
}

// rectangles are the filled boxes among objects.
func rectangles(objects []fyne.CanvasObject) []*canvas.Rectangle {
	var list []*canvas.Rectangle
	for _, o := range objects {
		if box, ok := o.(*canvas.Rectangle); ok {
			list = append(list, box)
		}
	}
	return list
}

// keep writes a picture to a file.
func keep(t *testing.T, img image.Image, path string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, img); err != nil {
		t.Fatal(err)
	}
}

// In a waterfall each bar begins where the last one ends, to the pixel.
func TestBarsLieWhereTheirNumbersAre(t *testing.T) {
	b := NewBars()
	b.SetData(someBars())
	show(t, container.NewStack(b), fyne.NewSize(500, 200))
	boxes := rectangles(allObjects(b))
	if len(boxes) != 3 {
		t.Fatalf("%d bars", len(boxes))
	}
	if gap := boxes[0].Position().X + boxes[0].Size().Width - 1 - boxes[1].Position().X; math.Abs(float64(gap)) > 0.01 {
		t.Errorf("the second bar begins %g beside the end of the first", gap)
	}
	if share := (boxes[0].Size().Width - 1) / (boxes[1].Size().Width - 1); math.Abs(float64(share)-0.4/0.3) > 0.01 {
		t.Errorf("the first bar is %g times as long as the second", share)
	}
	for _, text := range texts(allObjects(b)) {
		if end := text.Position().X + text.MinSize().Width; end > 500 || text.Position().X < 0 {
			t.Errorf("%q reaches from %g to %g", text.Text, text.Position().X, end)
		}
	}
}

func someSwarm(rows, dots int) SwarmData {
	d := SwarmData{Swarm: render.Swarm{XName: "Shapley value", Low: "low", High: "high"}, Hint: func(row, k int) string { return d2(row, k) }}
	rng := rand.New(rand.NewPCG(1, 2))
	for range rows {
		row := render.SwarmRow{Name: "max@CONF.svm"}
		for range dots {
			level := rng.Float64()
			row.X, row.Level = append(row.X, (level-0.5)*rng.ExpFloat64()/10), append(row.Level, level)
		}
		d.Rows = append(d.Rows, row)
	}
	return d
}

func d2(row, k int) string { return string(rune('a'+row)) + string(rune('0'+k%10)) }

func TestSwarmKnowsItsDots(t *testing.T) {
	s := NewSwarm()
	s.SetData(someSwarm(3, 9))
	show(t, container.NewStack(s), fyne.NewSize(500, 300))
	said, row, k := "", -1, -1
	s.OnHover, s.OnTapped = func(text string) { said = text }, func(r, dot int) { row, k = r, dot }
	for line, places := range s.places {
		for dot, p := range places {
			s.MouseMoved(at(p.X, p.Y))
			if said != d2(line, dot) {
				t.Errorf("dot %d of row %d: %q", dot, line, said)
			}
			s.Tapped(&fyne.PointEvent{Position: p})
			if row != line || k != dot {
				t.Errorf("dot %d of row %d was tapped as %d of %d", dot, line, k, row)
			}
		}
	}
	s.MouseMoved(at(s.places[0][0].X, 2))
	if said != "" {
		t.Errorf("above the rows it says %q", said)
	}
	img := drawDots(swarmLook{data: s.data.Swarm, places: [][]fyne.Position{{{X: 10, Y: 10}}, {}, {}}, width: 20}, 40, 40)
	if c := pixel(img, 20, 20); c.A == 0 {
		t.Error("a dot is not drawn at twice the pixels")
	}
	if c := pixel(img, 35, 35); c.A != 0 {
		t.Error("something is drawn beside the dot")
	}
}

func someTree() DiagramData {
	leaf := func(n string, share float64) render.DiagramNode {
		return render.DiagramNode{Lines: []string{n, "6 models"}, Shares: []float64{1 - share, share}, Left: -1, Right: -1}
	}
	return DiagramData{
		Diagram: render.Diagram{Classes: []string{"invariant", "variant"}, Yes: "yes", No: "no", Nodes: []render.DiagramNode{
			{Lines: []string{"max@CONF.svm ≤ 0.02", "12 models"}, Shares: []float64{0.5, 0.5}, Left: 1, Right: 2, Marked: true},
			leaf("invariant", 0),
			{Lines: []string{"mean@CONV-1.dctny ≤ 0.5", "8 models"}, Shares: []float64{0.2, 0.8}, Left: 3, Right: 4, Marked: true},
			leaf("invariant", 0.2), leaf("variant", 1),
		}},
		Hints: []string{"root", "left", "right", "third", "last"}, Empty: "no tree",
	}
}

func TestDiagramZoomsAndKnowsItsNodes(t *testing.T) {
	d := NewDiagram()
	d.SetData(DiagramData{Empty: "no tree"})
	show(t, d.View(), fyne.NewSize(600, 300))
	if got := texts(allObjects(d)); len(got) != 1 || got[0].Text != "no tree" {
		t.Errorf("an empty tree says %d texts", len(got))
	}
	d.SetData(someTree())
	said := ""
	d.OnHover = func(text string) { said = text }
	for k := range d.data.Nodes {
		p := d.top(k)
		d.MouseMoved(at(p.X, p.Y+5))
		if said != d.data.Hints[k] {
			t.Errorf("node %d says %q", k, said)
		}
	}
	d.MouseOut()
	if said != "" {
		t.Errorf("beside the nodes it says %q", said)
	}
	before := d.MinSize()
	d.Zoom(2)
	if now := d.MinSize(); now.Width < 1.9*before.Width {
		t.Errorf("zoomed from %v to %v", before, now)
	}
	d.Zoom(0)
	if now := d.MinSize(); now.Width > 600 || now.Height > 300 {
		t.Errorf("the tree that fits is %v", now)
	}
	d.Zoom(100)
	d.Zoom(100)
	if d.zoom != mostZoom {
		t.Errorf("zoom %g", d.zoom)
	}
	d.Dragged(&fyne.DragEvent{Dragged: fyne.Delta{DX: -30, DY: -20}})
	if d.scroll.Offset.X <= 0 || d.scroll.Offset.Y != 20 {
		t.Errorf("dragging moves to %v", d.scroll.Offset)
	}
	d.SetData(DiagramData{Diagram: render.Diagram{Nodes: []render.DiagramNode{{Left: 0, Right: 0}}}})
	if got := texts(allObjects(d)); len(got) != 1 || !strings.Contains(got[0].Text, "children") {
		t.Errorf("a tree that is none is drawn: %v", got)
	}
}

// TestShapesLook keeps pictures of the widgets in the folder VARISCOPE_SCREENS, for looking at.
func TestShapesLook(t *testing.T) {
	folder := os.Getenv("VARISCOPE_SCREENS")
	bars, swarm, tree := NewBars(), NewSwarm(), NewDiagram()
	bars.SetData(someBars())
	swarm.SetData(someSwarm(5, 120))
	tree.SetData(someTree())
	for name, object := range map[string]fyne.CanvasObject{"bars": bars, "swarm": swarm, "diagram": tree.View()} {
		w := show(t, container.NewStack(object), fyne.NewSize(640, 320))
		img := w.Canvas().Capture()
		if img.Bounds().Dx() != 640 {
			t.Errorf("%s: %v", name, img.Bounds())
		}
		if folder != "" {
			keep(t, img, filepath.Join(folder, name+".png"))
		}
	}
}

func BenchmarkSwarm(b *testing.B) {
	s := NewSwarm()
	s.SetData(someSwarm(20, 150))
	show(b, container.NewStack(s), fyne.NewSize(800, 600))
	for b.Loop() {
		drawDots(swarmLook{data: s.data.Swarm, places: s.places, width: 800}, 800, 600)
	}
}
