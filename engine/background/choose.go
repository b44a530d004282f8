package background

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/stats"
)

// Method is a way of choosing testing scenes (spec/background.md section 6).
type Method string

// The methods; ByKeywords is the default.
const (
	ByKeywords  Method = "keywords"
	ByIntervals Method = "intervals"
	Nearest     Method = "nearest"
	Random      Method = "random"
)

// Methods returns all methods, the default first.
func Methods() []Method { return []Method{ByKeywords, ByIntervals, Nearest, Random} }

// DefaultScenes is N, the testing scenes per target.
const DefaultScenes = 32

// Choice says how scenes are chosen.
type Choice struct {
	Method Method `json:"method"`
	N      int    `json:"n"`
	Seed   uint64 `json:"seed"`
	// Jitter draws among the three nearest (keywords) and inside the interval (intervals) in place
	// of the nearest.
	Jitter bool `json:"jitter,omitempty"`
}

// Scenes is what scenes are chosen from: the vectors and keywords of a table's backgrounds. Rows
// and items are those of the table.
type Scenes struct {
	Table    Table
	Keywords Keywords
	// Vetoed are rows of backgrounds that are never chosen.
	Vetoed map[int]bool
}

// Scene is one chosen testing scene, with why it was chosen.
type Scene struct {
	Background int     `json:"background"` // row of the table
	Distance   float64 `json:"distance"`
	// Keyword is the item that it was chosen for and Level its level; -1 where the method goes by
	// distance or filled up.
	Keyword int `json:"keyword"`
	Level   int `json:"level"`
}

// Choose picks c.N scenes for the target in row target, whose expanded keywords are v, in the order
// chosen. index is the target's index among all targets of the run, for the generator's stream. The
// error, for fewer than N backgrounds or N < 1, names the target's file. It is safe for many
// goroutines, as long as nobody changes s; it keeps one number per background while it runs.
//
// Where the specification leaves it open: with jitter the fill-up of ByKeywords draws among the
// three nearest as well, so that targets without keywords take part in repeated runs; ByIntervals
// draws among the members of an interval, and an empty interval still gets the nearest one. Random
// gives the scenes in the order drawn, ByIntervals in the order of the intervals, also those of the
// empty ones, which choose last.
func (s Scenes) Choose(target, index int, v []Keyword, c Choice) ([]Scene, error) {
	file := s.Table.Rows[target].File
	if c.N < 1 {
		return nil, fmt.Errorf("%s: %d testing scenes cannot be chosen; ask for at least 1", file, c.N)
	}
	rows := make([]int, 0, len(s.Table.Rows))
	for row, r := range s.Table.Rows {
		if r.Kind == BackgroundKind && !s.Vetoed[row] {
			rows = append(rows, row)
		}
	}
	if len(rows) < c.N {
		return nil,
			fmt.Errorf("%s: %d testing scenes were asked for and there are %s; add backgrounds or ask for fewer",
				file, c.N, s.count(len(rows)))
	}
	p := picker{scenes: s, target: s.Table.Rows[target].Vector, choice: c, generator: c.generator(index)}
	switch c.Method {
	case ByKeywords:
		return p.byKeywords(p.ranked(rows), v), nil
	case ByIntervals:
		return p.byIntervals(p.ranked(rows), v), nil
	case Nearest:
		return plain(p.ranked(rows)[:c.N]), nil
	case Random:
		return p.random(rows), nil
	}
	return nil, fmt.Errorf("%s: %q is no way of choosing scenes; use keywords, intervals, nearest or random",
		file, c.Method)
}

// count says how many backgrounds there are to choose from.
func (s Scenes) count(free int) string {
	vetoed := 0
	for row, is := range s.Vetoed {
		if is && row >= 0 && row < len(s.Table.Rows) && s.Table.Rows[row].Kind == BackgroundKind {
			vetoed++
		}
	}
	if vetoed == 0 {
		return fmt.Sprintf("%d backgrounds", free)
	}
	return fmt.Sprintf("%d backgrounds that are not vetoed (%d are)", free, vetoed)
}

// Distance is d(x, b): the L2 norm of the difference of two vectors of the same length
// (spec/background.md section 5). It is the same number in either order, and the same on every
// processor.
func Distance(a, b []float64) float64 { return math.Sqrt(stats.SquaredDistance(a, b)) }
