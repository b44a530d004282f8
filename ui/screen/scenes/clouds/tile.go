package clouds

import (
	"fmt"
	"math"
	"strings"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/widget"
)

// ask is what shall be shown: the evidence of one or two models, or of one model in several
// selections of scenes, and how. It is immutable.
type ask struct {
	evidence []*scenes.Evidence // two in mode Two, one per selection in mode Several
	left     []string           // selections that are not shown, each with the reason
	settings Settings
}

// spec names a tile: which model, measure and interpolant.
type spec struct {
	model   int // place among the ask's evidence; difference for the first less the second model
	measure scenes.Measure
	by      scatter.Interpolant // zero for the points
	raster  int
	free    bool
}

// difference stands for the first model less the second.
const difference = -1

// pointsSide is the side of a scatter picture: each point one pixel, few enough of them to be seen.
const pointsSide = 128

// places are a cloud and a raster that its points lie on.
type places struct{ model, raster int }

func (s spec) places() places { return places{s.models()[0], s.raster} }

// points tells whether the tile is the cloud itself.
func (s spec) points() bool { return s.by == (scatter.Interpolant{}) }

// layout are the tiles of an ask, row by row. One: the three interpolants; the points and the free
// one. All: a row per interpolant, a column per measure. Two: a row per interpolant; the models
// and their difference. Several: a row per selection; the points and the three interpolants, as in
// Fig. 15 of the background paper.
func (a ask) layout() [][]spec {
	var rows [][]spec
	three := scatter.Interpolants()
	switch a.settings.Mode {
	case All:
		for _, p := range three {
			var row []spec
			for _, m := range scenes.Measures() {
				row = append(row, spec{measure: m, by: p, raster: scatter.DefaultRaster})
			}
			rows = append(rows, row)
		}
	case Two:
		for _, p := range three {
			var row []spec
			for _, who := range []int{0, 1, difference} {
				row = append(row, spec{model: who, measure: a.settings.measure(), by: p, raster: scatter.DefaultRaster})
			}
			rows = append(rows, row)
		}
	case Several:
		for who := range a.evidence {
			row := []spec{{model: who, measure: a.settings.measure(), raster: pointsSide}}
			for _, p := range three {
				row = append(row, spec{model: who, measure: a.settings.measure(), by: p, raster: scatter.DefaultRaster})
			}
			rows = append(rows, row)
		}
	default:
		var row []spec
		for _, p := range three {
			row = append(row, spec{measure: a.settings.measure(), by: p, raster: scatter.DefaultRaster})
		}
		rows = append(rows, row, []spec{
			{measure: a.settings.measure(), raster: pointsSide},
			{measure: a.settings.measure(), by: a.settings.free(), raster: a.settings.Raster, free: true},
		})
	}
	return rows
}

// tile is a spec with what is shown of it.
type tile struct {
	spec
	matrix  scatter.Matrix // R is 0 where it is absent
	absent  string
	preview bool
	apart   float64 // root mean square difference of a share's matrix from that of all targets; NaN for none
	picture widget.FieldPicture
}

// sheet is what is shown of an ask. It is immutable.
type sheet struct {
	ask    ask
	rows   [][]tile
	counts map[places]scatter.Matrix // how many points lie in an element
	exact  bool
}

// title is the line above a tile.
func (s sheet) title(t tile) string {
	name := t.by.Name()
	switch {
	case t.points():
		name = map[string]string{
			Density: "points: how many (log10)", Mean: "points: mean value", Dots: "points: each one's value",
		}[s.ask.settings.Points]
		if s.ask.settings.Mode == Several {
			name = s.ask.selection(s.ask.evidence[t.model]) + ", points"
		}
	case t.free:
		name = fmt.Sprintf("free: %s on %d²", t.by, t.raster)
	case s.ask.settings.Mode == All:
		name = fmt.Sprintf("%s, %s", t.measure, name)
	case s.ask.settings.Mode == Two && t.model == difference:
		name = fmt.Sprintf("%s, difference", name)
	case s.ask.settings.Mode == Several:
		name = fmt.Sprintf("%s, %s", s.ask.selection(s.ask.evidence[t.model]), name)
	case s.ask.settings.Mode == Two:
		name = fmt.Sprintf("%s, %s", name, s.ask.evidence[t.model].Model.ID)
	}
	if t.matrix.R > 0 && !t.points() && t.model != difference {
		name = fmt.Sprintf("%s, largest %s", name, result.Number.Say(largest(t.matrix), 0))
	}
	if !math.IsNaN(t.apart) {
		name = fmt.Sprintf("%s  (Δ %s)", name, result.Number.Say(t.apart, 4))
	}
	return name
}

// who are the models of the sheet: "s09", "s09 and s11".
func (s sheet) who() string {
	if s.ask.settings.Mode != Two {
		return s.ask.evidence[0].Model.ID
	}
	return fmt.Sprintf("%s and %s", s.ask.evidence[0].Model.ID, s.ask.evidence[1].Model.ID)
}

// logarithmic tells whether a tile's values are logarithms of counts, with a colour bar of their
// own.
func (s sheet) logarithmic(t tile) bool { return t.points() && s.ask.settings.Points == Density }

// paint makes the pictures of all tiles under the settings' scale.
func (s *sheet) paint(settings Settings) {
	scale := settings.scale()
	end := s.largestDifference()
	for _, row := range s.rows {
		for k := range row {
			t := &row[k]
			if t.matrix.R == 0 {
				continue
			}
			own := scale
			switch {
			case s.logarithmic(*t):
				m, _ := render.MapByName(settings.Map)
				own = render.DensityScale(t.matrix, m) // no points is no value, and nothing to be hatched
			case t.points():
				own.NaN = render.FieldNaN
			case t.model == difference:
				own = render.Scale{Low: -end, High: end, Map: &render.Diverging}
			}
			t.picture = widget.NewFieldPicture(t.matrix, own, s.ask.far())
			t.picture.Preview = t.preview
		}
	}
}

// largestDifference is the end of the colour bar of all differences.
func (s *sheet) largestDifference() (end float64) {
	for _, row := range s.rows {
		for _, t := range row {
			if t.model == difference {
				end = max(end, largest(t.matrix))
			}
		}
	}
	if end == 0 {
		return 1
	}
	return render.RoundUp(end)
}

// largest is the largest magnitude of a matrix, 0 without values.
func largest(m scatter.Matrix) (most float64) {
	for _, v := range m.Values {
		if d := math.Abs(v); d > most {
			most = d
		}
	}
	return most
}

// far is the end of the axes: the same for all models, measures and selections.
func (a ask) far() (far float64) {
	for _, e := range a.evidence {
		far = max(far, e.Selection.Selection.Far())
	}
	return far
}

// hover is what is under the pointer in a tile: distances, value, number of points.
func (s *sheet) hover(t tile, p widget.FieldPoint) string {
	if !p.Inside {
		return ""
	}
	x, y := result.Number.Say(p.X, 0), result.Number.Say(p.Y, 0)
	points := int64(0)
	if c := s.counts[t.places()]; p.A < c.R && p.B < c.R {
		points = int64(c.At(p.A, p.B))
	}
	where := fmt.Sprintf("image i at %s, image j at %s", x, y)
	if s.logarithmic(t) {
		return fmt.Sprintf("%s: %s", where, result.Counted(points, "point"))
	}
	value := result.Number.Say(p.Value, 0)
	if math.IsNaN(p.Value) {
		value = "no value"
	}
	if t.model == difference {
		return fmt.Sprintf("%s: difference %s, %s", where, value, result.Counted(points, "point"))
	}
	text := fmt.Sprintf("%s: %s %s, %s", where, t.measure, value, result.Counted(points, "point"))
	if t.preview {
		text = fmt.Sprintf("%s (preview)", text)
	}
	return text
}

// foot is the line below the tiles while nothing is under the pointer. What is left out stands
// first, then what the predictions do: the line may be longer than there is room.
func (s *sheet) foot() string {
	some, several := s.targets(), s.ask.settings.Mode == Several
	all := len(s.ask.evidence[0].Selection.Selection.Chosen)
	var does, sizes []string
	for k, e := range s.ask.evidence {
		name, images := e.Model.ID, 1+e.Selection.N
		size := fmt.Sprintf("× %d images, %s", images, result.Counted(some*images*images, "point"))
		if several {
			name = s.ask.selection(e)
			size = name + " " + size
		}
		if several || k == 0 { // two models stand in the same scenes
			sizes = append(sizes, size)
		}
		text := fmt.Sprintf("%s: prediction changes in %s of the composites", name,
			result.Share.Say(e.Outcome.ChangedShare, 0))
		if worst := e.Outcome.WorstCase; !math.IsNaN(worst) {
			text = fmt.Sprintf("%s, worst case %s of the targets right in every scene", text,
				result.Share.Say(worst, 0))
		}
		does = append(does, text)
	}
	between := " "
	if several {
		does[0], between = fmt.Sprintf("%s in %s", s.who(), does[0]), ": "
	}
	text := fmt.Sprintf("%s; %s of %s%s%s", strings.Join(does, "; "), result.Whole(some), result.Counted(all, "target"),
		between, strings.Join(sizes, "; "))
	switch {
	case len(s.ask.left) > 0:
		text = fmt.Sprintf("without %s (see Notes); %s", result.Counted(len(s.ask.left), "selection"), text)
	case several && len(s.ask.evidence) == 1:
		text += "; it ran in no other scenes of these targets"
	}
	return text
}

// selection is the name of a selection whose scenes are shown, or the start of its hash where
// another one of them has that name.
func (a ask) selection(e *scenes.Evidence) string {
	for _, other := range a.evidence {
		if other.Selection.Name == e.Selection.Name && other.Selection.Hash != e.Selection.Hash {
			return result.ID.SayText(e.Selection.Hash)
		}
	}
	return e.Selection.Name
}

// targets is how many targets the share takes.
func (s *sheet) targets() int { return len(s.ask.drawn()) }

// drawn are the targets of the share.
func (a ask) drawn() []int {
	n := len(a.evidence[0].Selection.Selection.Chosen)
	return scatter.Draw(n, float64(a.settings.Share)/wholeShare, a.settings.Seed, 0)
}

// cloud is a measure's cloud of the targets of a share, on the common axes; ok is false where there
// is none.
func (a ask) cloud(model int, m scenes.Measure, share int) (c scatter.Cloud, ok bool) {
	c, ok = a.evidence[model].Clouds[m]
	if c.D = a.far(); !ok || share == wholeShare {
		return c, ok
	}
	return c.Of(a.drawn()), true
}
