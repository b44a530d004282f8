package features

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/widget"
)

// The keys of the numbers that are no features, as the columns are called. A feature's key is its
// name: "max@CONF.svm".
const (
	keyAccuracy = "accuracy"
	keyRobust   = "robust_accuracy"
)

// places are those of the features of a matrix among all of a layout; of all for "".
func places(l feature.Layout, matrix string) (list []int) {
	for k, name := range l.Names() {
		if matrix == "" || strings.HasPrefix(name, matrix+".") {
			list = append(list, k)
		}
	}
	return list
}

// axes are the keys that a plot may have on an axis: the features of the table, then both
// accuracies.
func (s *Screen) axes() []string {
	names := s.data().Layout.Names()
	var list []string
	for _, k := range places(s.data().Layout, s.shownMatrix()) {
		list = append(list, names[k])
	}
	return append(list, keyAccuracy, keyRobust)
}

// axisOptions are the entries of a menu of an axis.
func (s *Screen) axisOptions() []widget.Option {
	var list []widget.Option
	for _, key := range s.axes() {
		list = append(list, widget.Option{Key: key, Name: axisName(key)})
	}
	return list
}

// axisName is what people read for the key of an axis.
func axisName(key string) string { return strings.ReplaceAll(key, keyRobust, "robust accuracy") }

// valueOf is a model's number under a key, NaN where it has none.
func valueOf(l feature.Layout, key string) func(training.Row) float64 {
	at := slices.Index(l.Names(), key)
	return func(r training.Row) float64 {
		switch {
		case key == keyAccuracy:
			return r.Accuracy
		case key == keyRobust:
			return r.Scores.CorrectProduct
		case at >= 0:
			return r.Shown[at]
		}
		return math.NaN()
	}
}

// valuesOf are the numbers of models under a key.
func valuesOf(l feature.Layout, rows []training.Row, key string) []float64 {
	list, of := make([]float64, len(rows)), valueOf(l, key)
	for k, r := range rows {
		list[k] = of(r)
	}
	return list
}

// looks are those of the labels.
var looks = map[label.Value]result.Look{
	label.Invariant: result.LookInvariant, label.Borderline: result.LookBorderline, label.Variant: result.LookVariant,
}

// groups are the kinds of models of plots: the labels, then those without one where there are any.
func (d Data) groups() (list []result.Group) {
	for _, l := range d.Classes {
		list = append(list, result.Group{Name: string(l), Look: looks[l]})
	}
	if slices.ContainsFunc(d.Rows, func(r training.Row) bool { return d.groupOf(r) == len(d.Classes) }) {
		list = append(list, result.Group{Name: "unlabelled"})
	}
	return list
}

// groupOf is the model's place among groups.
func (d Data) groupOf(r training.Row) int {
	if at := slices.Index(d.Classes, r.Label); at >= 0 {
		return at
	}
	return len(d.Classes)
}

func groupName(r training.Row) string {
	if r.Label == "" {
		return "unlabelled"
	}
	return string(r.Label)
}

// note is the small line below saved figures of some of the models.
func (d Data) note(rows []training.Row) string {
	return result.Counted(len(rows), "model") + ", " + d.Suite + ", " + d.Family
}

// histogramOf is the distribution of a number over models, by label.
func (d Data) histogramOf(rows []training.Row, key string) result.Figure {
	f := result.Figure{
		Title: axisName(key), Note: d.note(rows), X: axisOf(key), Y: result.Axis{Name: "models", Format: result.Count},
		Groups: d.groups(), Empty: "no model has a value of " + axisName(key),
	}
	all := valuesOf(d.Layout, rows, key)
	values := slices.DeleteFunc(slices.Clone(all), math.IsNaN)
	if len(values) == 0 {
		return f
	}
	low, high, bins := binning(values)
	counts := make([][]int, len(f.Groups))
	for g := range counts {
		counts[g] = make([]int, bins)
	}
	for k, r := range rows {
		if x := all[k]; !math.IsNaN(x) {
			bin := int((x - low) / (high - low) * float64(bins))
			counts[d.groupOf(r)][min(max(bin, 0), bins-1)]++
		}
	}
	f.Boxes = result.Stacked(result.Edges(low, high, bins), counts)
	return f
}

// axisOf is the axis of the number under a key.
func axisOf(key string) result.Axis {
	a := result.Axis{Name: axisName(key), Format: result.Number}
	if key == keyAccuracy || key == keyRobust {
		a.Format = result.Share
	}
	return a
}

// The number of bins grows with the square root of the number of values, between these.
const fewestBins, mostBins = 8, 40

// binning divides the range of values into bins with round ends, about twice the square root of
// their number.
func binning(values []float64) (low, high float64, bins int) {
	low, high = slices.Min(values), slices.Max(values)
	if low == high {
		low, high = render.Widen(low, high)
	}
	wanted := min(max(int(2*math.Sqrt(float64(len(values)))), fewestBins), mostBins)
	step := render.RoundUp((high - low) / float64(wanted))
	first, last := math.Floor(low/step+1e-9), math.Ceil(high/step-1e-9)
	if last <= first {
		last = first + 1
	}
	return first * step, last * step, int(last - first)
}

// scatterOf are models over two numbers, with the lines of relations below. It is slow: resamples of
// a rank correlation.
func (d Data) scatterOf(rows []training.Row, x, y string) result.Figure {
	xs, ys := valuesOf(d.Layout, rows, x), valuesOf(d.Layout, rows, y)
	f := result.Figure{
		Title: axisName(x) + " and " + axisName(y), X: axisOf(x), Y: axisOf(y), Groups: d.groups(),
		Note:  strings.Join(append([]string{d.note(rows)}, relations(rows, xs, ys)...), "\n"),
		Empty: "no model has both numbers", Crossed: chance.NotAbove.Word(),
	}
	for k, r := range rows {
		if !math.IsNaN(xs[k]) && !math.IsNaN(ys[k]) {
			f.Points = append(f.Points, result.Point{
				Name: r.Model.ID, ID: r.Model.Hash, X: xs[k], Y: ys[k], Group: d.groupOf(r), Crossed: atChance(r),
			})
		}
	}
	return f
}

// facts are the lines about a scatter plot.
func facts(f result.Figure) string {
	_, lines, _ := strings.Cut(f.Note, "\n")
	return lines
}

// relations say how two numbers of models go together, and how without the models at chance where
// there are some, since one failed model can turn a correlation round.
func relations(rows []training.Row, x, y []float64) []string {
	list := []string{relation(x, y)}
	var failed []string
	without := slices.Clone(x)
	for k, r := range rows {
		if atChance(r) && !math.IsNaN(x[k]) && !math.IsNaN(y[k]) {
			without[k] = math.NaN()
			failed = append(failed, r.Model.ID)
		}
	}
	if len(failed) > 0 {
		list = append(list, fmt.Sprintf("without %s (accuracy not above chance): %s", result.Some(failed), relation(without, y)))
	}
	return list
}

// atChance tells whether a model's accuracy is not above chance.
func atChance(r training.Row) bool { return r.Chance.Code == chance.NotAbove }

// mostResampled is the number of models up to which a rank correlation below a plot has an interval.
const mostResampled = 1000

func relation(x, y []float64) string {
	pearson, spearman := stats.Pearson(x, y), stats.Correlation{}
	if len(x) > mostResampled {
		spearman = stats.Spearman(x, y)
	} else {
		spearman = stats.SpearmanInterval(x, y, feature.CorrelationSeed)
	}
	return strings.Join([]string{pearson.Say("Pearson r"), spearman.Say("Spearman ρ"), fmt.Sprintf("n %d", pearson.N)}, ", ")
}

// likeness is a model that looks like another.
type likeness struct {
	training.Row
	Distance float64 // 0 for the model itself, see feature.Nearest
}

// neighbours is how many models "looks like" shows beside the selected one.
const neighbours = 5

// alikes are a model (its hash) and the ones nearest to it, nearest first, by the features of a
// matrix, or of all for "", over all models; nil where the model is not there.
func (d Data) alikes(hash, matrix string) []likeness {
	at := slices.IndexFunc(d.Rows, func(r training.Row) bool { return r.Model.Hash == hash })
	if at < 0 {
		return nil
	}
	columns, x := places(d.Layout, matrix), make([][]float64, len(d.Rows))
	for i, r := range d.Rows {
		x[i] = make([]float64, len(columns))
		for k, c := range columns {
			x[i][k] = r.Vector.Values[c]
		}
	}
	list := []likeness{{Row: d.Rows[at]}}
	for _, n := range feature.Nearest(x, at, neighbours) {
		list = append(list, likeness{Row: d.Rows[n.Row], Distance: n.Distance})
	}
	return list
}

// title is the line over an alike model: its id and how far it is.
func (a likeness) title() string {
	if a.Distance == 0 {
		return a.Model.ID
	}
	return a.Model.ID + "  " + result.Number.Say(a.Distance, 0)
}
