package assess

import (
	"math"

	"github.com/variscope/variscope/engine/chance"
)

// Chance tells whether the verdicts on models that were unseen in training are better than
// guessing. A model has a verdict in each repetition, so the counts are the rounded means of the
// repetitions; otherwise few models would pass for many.
func (e Evaluation) Chance() chance.Level {
	repetitions := float64(max(len(e.Repetitions), 1))
	once := func(n int) int { return int(math.Round(float64(n) / repetitions)) }
	c := chance.Counts{Labelled: once(e.Metrics.N), Classes: len(e.Metrics.Confusion)}
	right := 0
	for k, row := range e.Metrics.Confusion {
		truly, said := 0, 0
		for other, n := range row {
			truly, said = truly+n, said+e.Metrics.Confusion[other][k]
		}
		right += row[k]
		c.Largest = max(c.Largest, once(truly))
		if once(said) > c.Top {
			c.Top, c.TopLabels = once(said), once(truly)
		}
	}
	c.Correct = min(once(right), c.Labelled)
	return c.Level()
}
