// Package graph is the pane that shows a model's layers in order, as a list with lines for the
// branches, and lets a tensor be picked as a position. Lanes and rows are plain values; Pane draws
// them.
package graph

import (
	"slices"

	"github.com/variscope/variscope/engine/model"
)

// maxLanes is how many branches side by side get lines of their own; more share the last one.
const maxLanes = 12

// lanes say how the lines of one row run: the layer stands on lane Own. Through are lanes of
// results that pass by on the way to later layers. In are the lanes from above that end in the
// layer, or branch off into it. Out tells whether a later layer takes the result.
type lanes struct {
	Own     int
	Through []int
	In      []int
	Out     bool
}

// layLanes finds the lanes of all layers. A result keeps its lane until its last taker; a layer
// takes over the leftmost lane of the inputs that end with it, or the first that is free.
func layLanes(layers []model.Layer) []lanes {
	takers := make([]int, len(layers))
	for _, l := range layers {
		for _, from := range distinct(l.From) {
			takers[from]++
		}
	}
	var open []int // lane -> the layer whose result runs on it, -1 for none
	rows := make([]lanes, len(layers))
	for k, l := range layers {
		row := lanes{Own: -1, Out: takers[k] > 0}
		for _, from := range distinct(l.From) {
			lane := slices.Index(open, from)
			if lane < 0 {
				continue
			}
			row.In = append(row.In, min(lane, maxLanes-1))
			if takers[from]--; takers[from] == 0 {
				open[lane] = -1
				if row.Own < 0 || lane < row.Own {
					row.Own = lane // the trunk keeps to the left
				}
			}
		}
		for lane, of := range open {
			if of >= 0 {
				row.Through = append(row.Through, min(lane, maxLanes-1))
			}
		}
		if row.Own < 0 {
			row.Own = freeLane(&open)
		}
		if row.Out {
			open[row.Own] = k
		}
		row.Own = min(row.Own, maxLanes-1)
		row.Through, row.In = slices.Compact(row.Through), slices.Compact(row.In)
		rows[k] = row
	}
	return rows
}

// freeLane is the first lane without a result; a new one where there is none.
func freeLane(open *[]int) int {
	if lane := slices.Index(*open, -1); lane >= 0 {
		return lane
	}
	*open = append(*open, -1)
	return len(*open) - 1
}

// distinct are the layers among sources, each once, without the model's own input.
func distinct(from []int) []int {
	var list []int
	for _, f := range from {
		if f >= 0 && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// width is the number of lanes that the rows need.
func width(rows []lanes) int {
	n := 1
	for _, r := range rows {
		n = max(n, r.Own+1)
		for _, lane := range r.Through {
			n = max(n, lane+1)
		}
	}
	return n
}
