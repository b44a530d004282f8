package features

import (
	"cmp"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/words"
)

// Correlation is how a feature goes with accuracy and robust accuracy over the models that are shown.
type Correlation struct {
	Key, Title string
	// By are Pearson's and Spearman's with robust accuracy, then with accuracy.
	By [4]stats.Correlation
}

// robustPearson is the place in Correlation.By that decides the order at first.
const robustPearson = 0

// Correlations are those of all features of the table. It takes milliseconds for hundreds of models.
func (v *View) Correlations() []Correlation {
	numbers := func(key string) []float64 {
		list := make([]float64, len(v.shown))
		for k, at := range v.shown {
			list[k] = v.Value(v.Rows[at], key)
		}
		return list
	}
	accuracy, robust := numbers(keyAccuracy), numbers(keyRobust)
	var list []Correlation
	for _, c := range v.Columns() {
		if c.At < 0 {
			continue
		}
		x := numbers(c.Key)
		list = append(list, Correlation{Key: c.Key, Title: c.Title, By: [4]stats.Correlation{
			stats.Pearson(x, robust), stats.Spearman(x, robust), stats.Pearson(x, accuracy), stats.Spearman(x, accuracy),
		}})
	}
	return list
}

// correlationTitles are the columns of the table of correlations: the feature, r, its p, rho and its p with both accuracies,
// and the number of models.
func correlationTitles() []string {
	return []string{
		words.T("feature"), words.T("r robust"), words.T("p"), words.T("ρ robust"), words.T("p"), words.T("r acc."), words.T("p"), words.T("ρ acc."), words.T("p"),
		words.T("n"),
	}
}

// The columns of the table of correlations that are not pairs of a value and its p.
const columnFeature, columnN = 0, 9

// Cell is the text of a column.
func (c Correlation) Cell(col int) string {
	switch col {
	case columnFeature:
		return c.Title
	case columnN:
		return present.Count(int64(c.By[robustPearson].N))
	}
	by := c.By[(col-1)/2]
	switch {
	case !by.Defined():
		return present.None
	case col%2 == 0:
		return pText(by.P)
	}
	return present.Kappa(by.Value)
}

// pText writes a p-value: three decimals, and "<0.001" for less.
func pText(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return present.Kappa(p)
}

// Detail is the line about a correlation, with the reason where one is undefined.
func (c Correlation) Detail() string {
	text := c.Key
	for k, name := range []string{
		words.T("Pearson with robust accuracy"), words.T("Spearman with robust accuracy"), words.T("Pearson with accuracy"), words.T("Spearman with accuracy"),
	} {
		by := c.By[k]
		if by.Defined() {
			text += words.F("; %s %s (n %d, p %s)", name, present.Kappa(by.Value), by.N, present.Number(by.P))
		} else {
			text += words.F("; %s undefined: %s", name, undefinedText(by.Reason))
		}
	}
	return text
}

// undefinedText is the reason of stats in words.
func undefinedText(reason string) string {
	switch reason {
	case stats.FewPairs:
		return words.T("fewer than 3 models")
	case stats.FirstFixed:
		return words.T("the feature is constant")
	case stats.SecondFixed:
		return words.T("the accuracy is constant")
	case stats.NotFinite:
		return words.T("a value is infinite")
	}
	return reason
}

// sortCorrelations sorts a list in the order of the vector by a column: names stay in it, values go from the strongest to the
// weakest, p from the smallest; turned turns the order round. What is undefined stands last.
func sortCorrelations(list []Correlation, col int, turned bool) {
	weight := func(c Correlation) float64 {
		switch col {
		case columnFeature:
			return 0
		case columnN:
			return -float64(c.By[robustPearson].N)
		}
		switch by := c.By[(col-1)/2]; {
		case !by.Defined():
			return math.Inf(1)
		case col%2 == 0:
			return by.P
		default:
			return -math.Abs(by.Value)
		}
	}
	slices.SortStableFunc(list, func(a, b Correlation) int {
		x, y := weight(a), weight(b)
		if turned && !math.IsInf(x, 1) && !math.IsInf(y, 1) {
			x, y = y, x
		}
		return cmp.Compare(x, y)
	})
	if col == columnFeature && turned {
		slices.Reverse(list)
	}
}
