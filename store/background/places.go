package background

import (
	"cmp"
	"path"
	"slices"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
)

// Place is where the image of a table's row lies: in a suite with its number there. The zero Place
// is that of a row whose image no suite has.
type Place struct {
	Suite string // content hash
	Image int
}

// Places finds the images of a table's rows in suites, by their paths as Select does; unlike
// there, a suite may have more images than the table or fewer. Of several suites that have a row's
// image it is the one with the most of the table's images, then the first. Suites whose images are
// made from others are passed over. Suites need their files.
func Places(table background.Table, suites []suite.Manifest) []Place {
	places := make([]Place, len(table.Rows))
	for _, kind := range []string{background.TargetKind, background.BackgroundKind} {
		byName := rowsByName(table, kind)
		var finds []find
		for _, of := range suites {
			if of.Derived == nil {
				finds = append(finds, findIn(table, byName, of))
			}
		}
		slices.SortStableFunc(finds, func(a, b find) int { return cmp.Compare(len(b.images), len(a.images)) })
		for _, f := range finds {
			for row, image := range f.images {
				if places[row].Suite == "" {
					places[row] = Place{f.suite, image}
				}
			}
		}
	}
	return places
}

// find is which images of a suite are those of rows.
type find struct {
	suite  string
	images map[int]int // by row
}

func findIn(table background.Table, byName map[string][]int, of suite.Manifest) find {
	f := find{suite: of.Hash, images: map[int]int{}}
	for i := range of.Images {
		name := of.ImageName(i)
		row, err := nearestRow(table, byName[path.Base(clean(name))], name)
		if err != nil {
			continue // it is not among them, or nobody can say which it is
		}
		if _, taken := f.images[row]; !taken {
			f.images[row] = i
		}
	}
	return f
}

// rowsByName are the rows of one kind by the last part of their paths.
func rowsByName(table background.Table, kind string) map[string][]int {
	byName := map[string][]int{}
	for row, r := range table.Rows {
		if r.Kind == kind {
			name := path.Base(clean(r.File))
			byName[name] = append(byName[name], row)
		}
	}
	return byName
}
