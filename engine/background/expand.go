package background

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/itemset"
)

// Expansion says how far keywords are expanded (spec/background.md section 4).
type Expansion struct {
	MinKeywords int `json:"min_keywords"`         // expansion stops when there are as many; 0 for no bound
	MaxLevels   int `json:"max_levels,omitempty"` // 0 for all levels
}

// UnmarshalJSON reads an expansion. It once was written with 0 levels where nothing was expanded:
// 1 keyword, at which expansion stops before any level, says the same.
func (e *Expansion) UnmarshalJSON(data []byte) error {
	var read struct {
		MinKeywords int  `json:"min_keywords"`
		MaxLevels   *int `json:"max_levels"`
	}
	err := json.Unmarshal(data, &read)
	switch {
	case err != nil:
		return err
	case read.MaxLevels == nil:
		*e = Expansion{MinKeywords: read.MinKeywords}
	case *read.MaxLevels <= 0:
		*e = Expansion{MinKeywords: 1}
	default:
		*e = Expansion{read.MinKeywords, *read.MaxLevels}
	}
	return nil
}

// LevelsText says how many levels are taken: "up to 5 levels".
func (e Expansion) LevelsText() string {
	if e.MaxLevels <= 0 {
		return "by all levels"
	}
	return fmt.Sprintf("up to %d levels", e.MaxLevels)
}

// DefaultExpansion is 32 keywords, 5 levels.
func DefaultExpansion() Expansion { return Expansion{MinKeywords: 32, MaxLevels: 5} }

// Keyword is an item of an expansion.
type Keyword struct {
	Item, Level int
	Score       float64
	// From is the item through which it was reached with that score, the first of equal ones; -1 on
	// level 0.
	From int
}

// Expand is V in its order: level, then falling score (level 0: index only), then index. Only the
// newest level is expanded, and levels are added whole, so V may have more items than asked for.
// Items of present need not be nodes of o; they have no edges then. An item that is listed twice
// counts once. The edges of o are in their order, by From.
func Expand(o itemset.Ontology, present []int, e Expansion) []Keyword {
	items := slices.Clone(present)
	slices.Sort(items)
	level := make([]Keyword, 0, len(items))
	for _, item := range slices.Compact(items) {
		level = append(level, Keyword{Item: item, Score: 1, From: -1})
	}
	all := slices.Clone(level)
	have := map[int]bool{}
	for _, k := range all {
		have[k.Item] = true
	}
	for i := 1; (e.MaxLevels <= 0 || i <= e.MaxLevels) && (e.MinKeywords <= 0 || len(all) < e.MinKeywords); i++ {
		if level = nextLevel(o, level, have, i); len(level) == 0 {
			break
		}
		all = append(all, level...)
	}
	return all
}

// nextLevel are the items that an edge from the last level reaches and that are not there yet; it
// adds them to have.
func nextLevel(o itemset.Ontology, last []Keyword, have map[int]bool, level int) []Keyword {
	reached := map[int]Keyword{}
	for _, a := range last {
		for _, edge := range o.From(a.Item) {
			if have[edge.To] {
				continue
			}
			score := float64(a.Score * edge.Weight)
			old, there := reached[edge.To]
			if !there || score > old.Score || score == old.Score && a.Item < old.From {
				reached[edge.To] = Keyword{Item: edge.To, Level: level, Score: score, From: a.Item}
			}
		}
	}
	next := make([]Keyword, 0, len(reached))
	for item, k := range reached {
		have[item] = true
		next = append(next, k)
	}
	slices.SortFunc(next, func(a, b Keyword) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Item, b.Item))
	})
	return next
}

// ExpandAll expands the keywords of all targets of a table, of all backgrounds where it has no
// targets; rows are their rows in the table. The error is ctx's.
func ExpandAll(
	ctx context.Context, t Table, o itemset.Ontology, k Keywords, e Expansion,
) (all [][]Keyword, rows []int, err error) {
	if rows = t.Of(TargetKind); len(rows) == 0 {
		rows = t.Of(BackgroundKind)
	}
	for _, row := range rows {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		all = append(all, Expand(o, k.Present[row], e))
	}
	return all, rows, nil
}

// Levels are min, mean and max of the number of keywords over several expansions, for level
// 0..levels, or up to the last one for 0 (the paper's Fig. 9): a level counts with all before it,
// so the numbers grow. Without expansions there are none.
func Levels(all [][]Keyword, levels int) []LevelCount {
	if len(all) == 0 {
		return nil
	}
	if levels <= 0 {
		for _, keywords := range all {
			if n := len(keywords); n > 0 {
				levels = max(levels, keywords[n-1].Level)
			}
		}
	}
	counts := make([]LevelCount, levels+1)
	for l := range counts {
		counts[l] = levelCount(all, l)
	}
	return counts
}

// levelCount counts the keywords up to one level.
func levelCount(all [][]Keyword, level int) LevelCount {
	c := LevelCount{Level: level}
	sum := 0
	for i, keywords := range all {
		n := 0
		for _, k := range keywords {
			if k.Level <= level {
				n++
			}
		}
		if i == 0 {
			c.Min = n
		}
		c.Min, c.Max = min(c.Min, n), max(c.Max, n)
		sum += n
	}
	c.Mean = float64(sum) / float64(len(all))
	return c
}

// LevelCount is one level of Levels.
type LevelCount struct {
	Level    int
	Min, Max int
	Mean     float64
}
