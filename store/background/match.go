package background

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
)

// match finds the table's row of every image of a suite among those of one kind: the row with the
// image's path, where leading folders may be missing on either side. Of several rows the one with
// the most folders in common is it. Errors name the image: no row, two rows as good as each other,
// or a row that is another image's already.
func match(table background.Table, kind string, of suite.Manifest) ([]int, error) {
	byName := rowsByName(table, kind)
	rows, taken := make([]int, of.Images), map[int]int{}
	for i := range rows {
		name := of.ImageName(i)
		row, err := nearestRow(table, byName[path.Base(clean(name))], name)
		if err != nil {
			return nil, fmt.Errorf("suite %s: image %s %w", of.Name, name, err)
		}
		if other, twice := taken[row]; twice {
			return nil, fmt.Errorf("suite %s: images %s and %s are both the row %s of the keyword table; give its "+
				"rows more of their folders", of.Name, of.ImageName(other), name, table.Rows[row].File)
		}
		rows[i], taken[row] = row, i
	}
	return rows, nil
}

func nearestRow(table background.Table, candidates []int, name string) (int, error) {
	best, common, equal := -1, 0, false
	for _, row := range candidates {
		n := suffix(clean(table.Rows[row].File), clean(name))
		switch {
		case n > common:
			best, common, equal = row, n, false
		case n == common && n > 0:
			equal = true
		}
	}
	switch {
	case best < 0:
		return 0, fmt.Errorf("is not in the keyword table; " +
			"make a table of these images, or choose the table that was made of them")
	case equal:
		return 0, fmt.Errorf("fits several rows of the keyword table; give the rows more of their folders")
	}
	return best, nil
}

// suffix is the number of parts of the shorter of two paths if it ends the longer one, else 0. A
// path that is equal counts one more, so that it is nearer than a longer one.
func suffix(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	if len(x) > len(y) {
		x, y = y, x
	}
	switch {
	case !slices.Equal(x, y[len(y)-len(x):]):
		return 0
	case len(x) == len(y):
		return len(x) + 1
	}
	return len(x)
}

// clean is a path with slashes and without a leading ./ or /.
func clean(file string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(file, `\`, "/")), "/")
}
