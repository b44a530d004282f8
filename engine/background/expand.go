package background

import "github.com/variscope/variscope/engine/itemset"

// Expansion says how far keywords are expanded (spec/background.md section 4).
type Expansion struct {
	MinKeywords int `json:"min_keywords"` // expansion stops when there are as many; 0 for no bound
	MaxLevels   int `json:"max_levels"`
}

// DefaultExpansion is 32 keywords, 5 levels.
func DefaultExpansion() Expansion { return Expansion{MinKeywords: 32, MaxLevels: 5} }

// Keyword is an item of an expansion.
type Keyword struct {
	Item, Level int
	Score       float64
	// From is the item through which it was reached with that score; -1 on level 0.
	From int
}

// Expand is V in its order: level, then falling score (level 0: index only), then index.
func Expand(o itemset.Ontology, present []int, e Expansion) []Keyword { panic("not built yet") }

// Levels are min, mean and max of the number of keywords over several expansions, for level 0..levels (the paper's Fig. 9).
func Levels(all [][]Keyword, levels int) []LevelCount { panic("not built yet") }

// LevelCount is one level of Levels.
type LevelCount struct {
	Level    int
	Min, Max int
	Mean     float64
}
