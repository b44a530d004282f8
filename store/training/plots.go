package training

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
)

// The keys of the numbers of a model that are no features. A feature's key is its name:
// "max@CONF.svm".
const (
	KeyAccuracy = "accuracy"
	KeyRobust   = "robust_accuracy"
)

// AxisName is what people read for the key of a number.
func AxisName(key string) string { return strings.ReplaceAll(key, KeyRobust, "robust accuracy") }

// ValueOf is a model's number under a key, NaN where it has none.
func ValueOf(l feature.Layout, key string) func(Row) float64 {
	at := slices.Index(l.Names(), key)
	return func(r Row) float64 {
		switch {
		case key == KeyAccuracy:
			return r.Accuracy
		case key == KeyRobust:
			return r.Scores.CorrectProduct
		case at >= 0:
			return r.Shown[at]
		}
		return math.NaN()
	}
}

// ValuesOf are the numbers of models under a key.
func ValuesOf(l feature.Layout, rows []Row, key string) []float64 {
	list, of := make([]float64, len(rows)), ValueOf(l, key)
	for k, r := range rows {
		list[k] = of(r)
	}
	return list
}

// AtChance tells whether a model's accuracy is not above chance.
func AtChance(r Row) bool { return r.Chance.Code == chance.NotAbove }

// Plots draw numbers of models by their labels.
type Plots struct {
	Layout  feature.Layout
	Classes []label.Value // of labels; nil where nothing tells models apart
	Rows    []Row         // all of them, of which some may be drawn
	About   string        // suite and family
}

// Groups are the kinds of models by label, of which there is one where no labels tell them apart.
func (p Plots) Groups() []result.Group {
	if len(p.Classes) == 0 {
		return []result.Group{{}}
	}
	return label.Groups(p.Classes, slices.ContainsFunc(p.Rows,
		func(r Row) bool { return p.GroupOf(r) == len(p.Classes) }))
}

// GroupOf is the model's place among groups.
func (p Plots) GroupOf(r Row) int { return r.Label.Group(p.Classes) }

// note is the small line below figures of some of the models.
func (p Plots) note(rows []Row) string { return result.Counted(len(rows), "model") + ", " + p.About }

// axisOf is the axis of the number under a key.
func axisOf(key string) result.Axis {
	a := result.Axis{Name: AxisName(key), Format: result.Number}
	if key == KeyAccuracy || key == KeyRobust {
		a.Format = result.Share
	}
	return a
}

// Histogram is the distribution of a number over models, by label.
func (p Plots) Histogram(rows []Row, key string) result.Figure {
	f := result.Figure{
		Title: AxisName(key), Note: p.note(rows), X: axisOf(key), Y: result.Axis{Name: "models", Format: result.Count},
		Groups: p.Groups(), Empty: "no model has a value of " + AxisName(key),
	}
	all := ValuesOf(p.Layout, rows, key)
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
			counts[p.GroupOf(r)][min(max(bin, 0), bins-1)]++
		}
	}
	f.Boxes = result.Stacked(result.Edges(low, high, bins), counts)
	return f
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

// Scatter are models over two numbers, with lines below that say how these go together. It is slow:
// resamples of a rank correlation.
func (p Plots) Scatter(rows []Row, x, y string) result.Figure {
	xs, ys := ValuesOf(p.Layout, rows, x), ValuesOf(p.Layout, rows, y)
	f := result.Figure{
		Title: AxisName(x) + " and " + AxisName(y), X: axisOf(x), Y: axisOf(y), Groups: p.Groups(),
		Note:  strings.Join(append([]string{p.note(rows)}, relations(rows, xs, ys)...), "\n"),
		Empty: "no model has both numbers", Crossed: chance.NotAbove.Word(),
	}
	for k, r := range rows {
		if !math.IsNaN(xs[k]) && !math.IsNaN(ys[k]) {
			f.Points = append(f.Points, result.Point{
				Name: r.Model.ID, ID: r.Model.Hash, X: xs[k], Y: ys[k], Group: p.GroupOf(r), Crossed: AtChance(r),
			})
		}
	}
	return f
}

// relations say how two numbers of models go together, and how without the models at chance where
// there are some, since one failed model can turn a correlation round.
func relations(rows []Row, x, y []float64) []string {
	list := []string{relation(x, y)}
	var failed []string
	without := slices.Clone(x)
	for k, r := range rows {
		if AtChance(r) && !math.IsNaN(x[k]) && !math.IsNaN(y[k]) {
			without[k] = math.NaN()
			failed = append(failed, r.Model.ID)
		}
	}
	if len(failed) > 0 {
		list = append(list, fmt.Sprintf("without %s (accuracy not above chance): %s", result.Some(failed),
			relation(without, y)))
	}
	return list
}

// mostResampled is the number of models up to which a rank correlation below a plot has an
// interval.
const mostResampled = 1000

func relation(x, y []float64) string {
	pearson, spearman := stats.Pearson(x, y), stats.Correlation{}
	if len(x) > mostResampled {
		spearman = stats.Spearman(x, y)
	} else {
		spearman = stats.SpearmanInterval(x, y, feature.CorrelationSeed)
	}
	return strings.Join([]string{pearson.Say("Pearson r"), spearman.Say("Spearman ρ"), fmt.Sprintf("n %d", pearson.N)},
		", ")
}

// PlotOptions ask for figures of numbers of models.
type PlotOptions struct {
	Histogram []string `help:"Histograms over the models, by label where there are labels: of features such as max@CONF.svm, accuracy or robust_accuracy." placeholder:"NAME"`
	Scatter   []string `help:"Scatter plots of two such numbers over the models, such as max@CONF.svm,robust_accuracy; repeat it." sep:"none" placeholder:"X,Y"`
}

// Known names what is asked for and no number of the models, before any is measured.
func (o PlotOptions) Known(l feature.Layout) error {
	known := append(l.Names(), KeyAccuracy, KeyRobust)
	keys := slices.Clone(o.Histogram)
	for _, text := range o.Scatter {
		x, y, two := strings.Cut(text, ",")
		if !two {
			return fmt.Errorf("--scatter %s: a scatter plot is of two numbers, such as %s,%s", text, x, KeyRobust)
		}
		keys = append(keys, x, y)
	}
	for _, key := range keys {
		if !slices.Contains(known, key) {
			return fmt.Errorf("there is no number %s to draw; use one of %s", key, strings.Join(known, ", "))
		}
	}
	return nil
}

// Figures are the figures that are asked for, each once, histograms first. Known must have found no
// fault.
func (o PlotOptions) Figures(p Plots) (list []result.Drawn) {
	add := func(name string, draw func() result.Figure) {
		if !slices.ContainsFunc(list, func(d result.Drawn) bool { return d.Name == name }) {
			list = append(list, result.Drawn{Name: name, Figure: draw()})
		}
	}
	for _, key := range o.Histogram {
		add("histogram_"+key, func() result.Figure { return p.Histogram(p.Rows, key) })
	}
	for _, text := range o.Scatter {
		x, y, _ := strings.Cut(text, ",")
		add("scatter_"+x+"_"+y, func() result.Figure { return p.Scatter(p.Rows, x, y) })
	}
	return list
}
