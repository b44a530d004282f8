package diagnosis

import (
	"slices"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// Available are the grids for which some model has both sets on the suite (content hash; "" for
// any), by n, then t, then masks of all layers first.
func Available(ws lookup.Signals, suite string) ([]dscore.Grid, error) {
	found, err := find(ws, suite)
	return found.grids(nil), err
}

// Usual is the grid that speaks for models (hashes; nil for all) on a suite where several are
// there: of those that most of them have it is n = 3, t = 5 with masks of the layers that are
// large enough, then of all, else the first of Available. ok is false where there is none.
func Usual(ws lookup.Signals, suite string, models []string) (g dscore.Grid, ok bool, err error) {
	found, err := find(ws, suite)
	if err != nil {
		return g, false, err
	}
	var usual [2]dscore.Grid // the second one is preferred
	for k := range usual {
		masks := transform.Masks{N: transform.UsualGrid, Auto: k == 1}
		if usual[k], err = dscore.NewGrid(masks, transform.UsualT); err != nil {
			return g, false, err
		}
	}
	most, best := 0, -1
	for _, one := range found.grids(nil) {
		n := 0
		for at := range found[one] {
			if models == nil || slices.Contains(models, at.model) {
				n++
			}
		}
		if rank := slices.Index(usual[:], one); n > most || n == most && n > 0 && rank > best {
			g, most, best = one, n, rank
		}
	}
	return g, most > 0, nil
}

// place is a model on a suite, by their hashes.
type place struct{ model, suite string }

// finding are the places where both sets of a grid are finished.
type finding map[dscore.Grid]map[place]bool

// find looks through the finished sets of a suite, "" for all.
func find(ws lookup.Signals, suite string) (finding, error) {
	masks, shifts := map[place][]transform.Masks{}, map[place][][2]int{}
	err := lookup.EachSet(ws, suite, func(info store.SetInfo) {
		f, err := transform.ParseAny(info.Spec.Family)
		if err != nil {
			return // of another version of the program
		}
		at := place{info.Spec.Model, info.Spec.Source}
		if m, ok := f.Masked(); ok {
			masks[at] = append(masks[at], m)
		}
		if n, t, ok := f.Shifted(); ok {
			shifts[at] = append(shifts[at], [2]int{n, t})
		}
	})
	if err != nil {
		return nil, err
	}
	found := finding{}
	for at, list := range masks {
		for _, m := range list {
			for _, s := range shifts[at] {
				if s[0] != m.N {
					continue
				}
				g, err := dscore.NewGrid(m, s[1])
				if err != nil {
					return nil, err
				}
				if found[g] == nil {
					found[g] = map[place]bool{}
				}
				found[g][at] = true
			}
		}
	}
	return found, nil
}

// grids are those that some model has on one of the suites, nil for any, in order.
func (f finding) grids(suites []string) []dscore.Grid {
	var list []dscore.Grid
	for g, places := range f {
		for at := range places {
			if suites == nil || slices.Contains(suites, at.suite) {
				list = append(list, g)
				break
			}
		}
	}
	slices.SortFunc(list, dscore.CompareGrids)
	return list
}

// suites are those on which some model has some grid.
func (f finding) suites() map[string]bool {
	in := map[string]bool{}
	for _, places := range f {
		for at := range places {
			in[at.suite] = true
		}
	}
	return in
}
