package background

import "fmt"

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

// ParseMethod reads a method's word.
func ParseMethod(text string) (Method, error) {
	for _, m := range Methods() {
		if text == string(m) {
			return m, nil
		}
	}
	return "", fmt.Errorf("%q is no way of choosing scenes; use keywords, intervals, nearest or random", text)
}

// DefaultScenes is N, the testing scenes per target.
const DefaultScenes = 32

// Choice says how scenes are chosen.
type Choice struct {
	Method Method `json:"method"`
	N      int    `json:"n"`
	Seed   uint64 `json:"seed"`
	// Jitter draws among the three nearest (keywords) and inside the interval (intervals) in place of the nearest.
	Jitter bool `json:"jitter,omitempty"`
}

// Scenes is what scenes are chosen from: the vectors and keywords of a table's backgrounds. Rows and items are those of the table.
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
	// Keyword is the item that it was chosen for and Level its level; -1 where the method goes by distance or filled up.
	Keyword int `json:"keyword"`
	Level   int `json:"level"`
}

// Choose picks c.N scenes for the target in row target, whose expanded keywords are v. index is the target's index among all targets of the
// run, for the generator's stream. The error, for fewer than N backgrounds or N < 1, names the target's file.
func (s Scenes) Choose(target, index int, v []Keyword, c Choice) ([]Scene, error) {
	panic("not built yet")
}

// Distance is d(x, b): the L2 norm of the difference of two vectors (spec/background.md section 5).
func Distance(a, b []float64) float64 { panic("not built yet") }
