package render

import "github.com/variscope/variscope/engine/background"

// KeywordLevels is the figure of how many keywords images have after each level of the expansion: the largest, mean and smallest number
// (spec/background.md section 4; the paper's Fig. 9). names are those of the three curves in this order and of the two axes, for people.
func KeywordLevels(title, note string, counts []background.LevelCount, names LevelNames) Curves {
	n := len(counts)
	x := make([]float64, n)
	largest, mean, smallest := make([]float64, n), make([]float64, n), make([]float64, n)
	most := 1.0
	for k, c := range counts {
		x[k] = float64(c.Level)
		largest[k], mean[k], smallest[k] = float64(c.Max), c.Mean, float64(c.Min)
		most = max(most, largest[k])
	}
	return Curves{
		Title: title, Note: note,
		X: AxisRange{Name: names.Level, Whole: true},
		Y: AxisRange{Name: names.Keywords, High: 1.05 * most, Whole: true},
		Curves: []Curve{
			{Name: names.Largest, X: x, Y: largest}, {Name: names.Mean, X: x, Y: mean}, {Name: names.Smallest, X: x, Y: smallest},
		},
	}
}

// LevelNames are the words in the figure of KeywordLevels.
type LevelNames struct {
	Largest, Mean, Smallest string
	Level, Keywords         string // of the axes
}
