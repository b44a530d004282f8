package ranking

import "github.com/variscope/variscope/engine/rank"

// on is the board with the name of what it is about, for the engine's tables.
func (v *View) on() *rank.OnSuite {
	on := &rank.OnSuite{Board: v.Board, Suite: v.Material.Source.Name}
	if !v.Material.Source.Table {
		on.SuiteHash = v.Material.Source.ID
	}
	return on
}
