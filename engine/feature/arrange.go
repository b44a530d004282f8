package feature

import (
	"cmp"
	"errors"
	"slices"
)

// Arrange is the layout that a table's columns belong to, in the order that known says (how the
// table was measured; nil where it does not tell, for the defaults) and then that of the columns.
// Columns of the layout may be missing in the table. Errors: a name that is no column of a vector,
// and columns of variance matrices beside those of interpolated ones.
func Arrange(columns []string, known *Layout) (Layout, error) {
	var found arranged
	for _, name := range columns {
		if err := found.add(name); err != nil {
			return Layout{}, err
		}
	}
	if found.plain && len(found.interpolants) > 0 {
		return Layout{},
			errors.New("the table has columns of variance matrices beside those of interpolated matrices; part them")
	}
	layout := DefaultLayout()
	if len(found.interpolants) > 0 {
		layout = DefaultBackgroundLayout()
	}
	if known != nil {
		layout = *known
	}
	// The layout's own order first, so that a table with sorted columns gives the vectors that it
	// was written from.
	layout.Modalities = inOrder(layout.Modalities, found.modalities)
	if len(found.interpolants) > 0 {
		layout.Background.Interpolants = inOrder(layout.Background.Interpolants, found.interpolants)
		layout.Background.Set = cmp.Or(holding(found.measurements), layout.Background.Set)
	}
	return layout.Validate()
}

// arranged is what columns speak of, each once, in their order.
type arranged struct {
	modalities, interpolants, measurements []string
	plain                                  bool // there are columns of variance matrices
}

func (a *arranged) add(column string) error {
	once := func(list *[]string, v string) {
		if !slices.Contains(*list, v) {
			*list = append(*list, v)
		}
	}
	if matrix, measurement, err := SplitBackground(column); err == nil {
		modality, interpolant := cutModality(matrix)
		once(&a.modalities, modality)
		once(&a.interpolants, interpolant)
		once(&a.measurements, measurement)
		return nil
	}
	modality, _, err := Split(column)
	if err != nil {
		return err
	}
	once(&a.modalities, modality)
	a.plain = true
	return nil
}

// holding is the first set that holds all of some measurements.
func holding(measurements []string) Set {
	for _, set := range Sets() {
		all := Layout{Background: Background{Raster: 1, Set: set}}.Measurements()
		if !slices.ContainsFunc(measurements, func(m string) bool { return !slices.Contains(all, m) }) {
			return set
		}
	}
	return ""
}

// inOrder are the names of found: those of first in its order, then the others in theirs.
func inOrder(first, found []string) []string {
	list := slices.DeleteFunc(slices.Clone(first), func(name string) bool { return !slices.Contains(found, name) })
	for _, name := range found {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}
