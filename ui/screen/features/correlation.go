package features

import (
	"fmt"
	"math"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/ui/present"
)

// Correlation is how a feature goes with accuracy and robust accuracy over the models that are
// shown.
type Correlation struct {
	Key, Title string
	// By are Pearson's and Spearman's with robust accuracy, then with accuracy; Q their q-values
	// (Benjamini and Hochberg) among all tests of the table, NaN where there is no correlation.
	By [4]stats.Correlation
	Q  [4]float64
}

// With says which accuracy the table of correlations shows: the place of its first correlation in
// Correlation.By.
type With int

// The accuracies.
const (
	WithRobust   With = 0
	WithAccuracy With = 2
)

// correlationSeed is that of the resamples behind the intervals of rank correlations.
const correlationSeed = 1

// numbers are what correlations are computed from: a snapshot, so that it can be done in the
// background.
type numbers struct {
	columns          []Column // of features
	x                [][]float64
	robust, accuracy []float64
}

// numbers are those of the models that are shown.
func (v *View) numbers() numbers {
	n := numbers{robust: v.values(keyRobust), accuracy: v.values(keyAccuracy)}
	for _, c := range v.Columns() {
		if c.At >= 0 {
			n.columns, n.x = append(n.columns, c), append(n.x, v.values(c.Key))
		}
	}
	return n
}

// values are the numbers under a key of the models that are shown.
func (v *View) values(key string) []float64 {
	list := make([]float64, len(v.shown))
	for k, at := range v.shown {
		list[k] = v.Value(v.Rows[at], key)
	}
	return list
}

// correlations are those of all features. They take seconds for hundreds of models and features:
// 2000 resamples for each interval.
func (n numbers) correlations() []Correlation {
	list := make([]Correlation, len(n.columns))
	var p []float64
	for k, c := range n.columns {
		x := n.x[k]
		list[k] = Correlation{Key: c.Key, Title: c.Title, By: [4]stats.Correlation{
			stats.Pearson(x, n.robust), stats.SpearmanInterval(x, n.robust, correlationSeed),
			stats.Pearson(x, n.accuracy), stats.SpearmanInterval(x, n.accuracy, correlationSeed),
		}}
		for _, by := range list[k].By {
			if by.Defined() {
				p = append(p, by.P)
			} else {
				p = append(p, math.NaN())
			}
		}
	}
	for at, q := range stats.BenjaminiHochberg(p) {
		list[at/4].Q[at%4] = q
	}
	return list
}

// correlationTable are the correlations with one of the accuracies: r and rho, each with its
// interval, p and q. The strongest come first.
func correlationTable(w With) result.Table[Correlation] {
	with := map[With]string{WithRobust: "robust accuracy", WithAccuracy: "accuracy"}[w]
	t := result.Table[Correlation]{
		Name: "correlations", Title: "Correlations with " + with, Noun: "feature",
		ID:    func(c Correlation) string { return c.Key },
		First: result.Order{Key: "strength", Descending: true},
		Columns: []result.Column[Correlation]{result.Texts("feature", "feature", "",
			func(c Correlation) string { return c.Title })},
	}
	for k, m := range [][2]string{{"pearson", "r"}, {"spearman", "ρ"}} {
		at := int(w) + k
		why := func(c Correlation) result.Reason {
			return result.Because(c.By[at].Reason, "%s", undefinedText(c.By[at].Reason))
		}
		t.Columns = append(t.Columns, stats.Columns(m[0], m[1], m[0]+"_p",
			func(c Correlation) stats.Correlation { return c.By[at] }, why)...)
		t.Columns = append(t.Columns, result.Numbers(m[0]+"_q", "q",
			"the p-value for all tests of this table together, features × measures (Benjamini and Hochberg)",
			result.P, func(c Correlation) float64 { return c.Q[at] }))
	}
	t.Columns = append(t.Columns,
		result.Counts("n", "n", "models with both numbers", func(c Correlation) int { return c.By[w].N }),
		result.Numbers("strength", "strength", "r without its sign", result.Coefficient, func(c Correlation) float64 {
			if by := c.By[w]; by.Defined() {
				return math.Abs(by.Value)
			}
			return math.NaN()
		}).In(result.Offered))
	return t
}

// Detail is the line about a correlation, with the reason where one is undefined.
func (c Correlation) Detail() string {
	text := c.Key
	for k, name := range []string{
		"Pearson with robust accuracy", "Spearman with robust accuracy", "Pearson with accuracy", "Spearman with accuracy",
	} {
		by := c.By[k]
		if by.Defined() {
			text += fmt.Sprintf("; %s, q %s, n %d", by.Say(name), present.PValue(c.Q[k]), by.N)
		} else {
			text += fmt.Sprintf("; %s undefined: %s", name, undefinedText(by.Reason))
		}
	}
	return text
}

// undefinedText is the reason of stats in words.
func undefinedText(reason string) string {
	switch reason {
	case stats.FewPairs:
		return "fewer than 3 models"
	case stats.FirstFixed:
		return "the feature is constant"
	case stats.SecondFixed:
		return "the accuracy is constant"
	case stats.NotFinite:
		return "a value is infinite"
	}
	return reason
}

// AtChance are the models shown whose accuracy is not above chance.
func (v *View) AtChance() (ids []string) {
	for _, at := range v.shown {
		if r := v.Rows[at]; r.Chance.Code == chance.NotAbove {
			ids = append(ids, r.Model.ID)
		}
	}
	return ids
}

// mostAtOnce is the number of models up to which an interval of a rank correlation is computed
// while a plot is drawn.
const mostAtOnce = 1000

// Relation are the lines about the scatter plot: how its two numbers go together, and how without
// the models at chance where there are some, since one failed model can turn a correlation round.
func (v *View) Relation() []string {
	x, y := v.values(v.chosen), v.values(v.against)
	list := []string{relation(x, y)}
	var failed []string
	for k, at := range v.shown {
		if r := v.Rows[at]; r.Chance.Code == chance.NotAbove && !math.IsNaN(x[k]) && !math.IsNaN(y[k]) {
			x[k] = math.NaN()
			failed = append(failed, r.Model.ID)
		}
	}
	if len(failed) > 0 {
		list = append(list, fmt.Sprintf("without %s (accuracy not above chance): %s", result.Some(failed), relation(x, y)))
	}
	return list
}

func relation(x, y []float64) string {
	pearson, spearman := stats.Pearson(x, y), stats.Correlation{}
	if len(x) > mostAtOnce {
		spearman = stats.Spearman(x, y)
	} else {
		spearman = stats.SpearmanInterval(x, y, correlationSeed)
	}
	return strings.Join([]string{pearson.Say("Pearson r"), spearman.Say("Spearman ρ"), fmt.Sprintf("n %d", pearson.N)}, ", ")
}
