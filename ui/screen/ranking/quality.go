package ranking

import (
	"slices"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
)

// on is the board with the name of what it is about, for the engine's tables.
func (v *View) on() *rank.OnSuite {
	on := &rank.OnSuite{Board: v.Board, Suite: v.Material.Source.Name}
	if !v.Material.Source.Table {
		on.SuiteHash = v.Material.Source.ID
	}
	return on
}

// qualitySheet is the table of qualities as people see it.
func (v *View) qualitySheet() *result.Sheet { return shown(rank.Qualities.Sheet(rank.RatedOf(v.on()))) }

// shown is a sheet of the columns that are shown.
func shown(s *result.Sheet) *result.Sheet {
	var fields []int
	for k, f := range s.Fields {
		if f.Show == result.Shown {
			fields = append(fields, k)
		}
	}
	return s.With(fields)
}

// arranged is the sheet sorted by a column, as the column begins unless it is turned.
func arranged(s *result.Sheet, col int, turned bool) (rows []int, descending bool) {
	if col < 0 || col >= len(s.Fields) {
		col = 0
	}
	descending = s.Fields[col].Descending != turned
	return s.Arrange(result.Filter{}, result.Order{Key: s.Fields[col].Key, Descending: descending}), descending
}

// remark is what a ranking rests on, or why there is none, or why its quality is not known.
func (v *View) remark(k int) string { return rank.Rated{Of: v.on(), K: k}.RestsOn() }

// measured tells whether some ranker has a quality.
func (v *View) measured() bool {
	return slices.ContainsFunc(v.Board.Rankings, func(r rank.Ranking) bool { return r.Quality.Spearman.N > 0 })
}
