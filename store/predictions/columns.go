package predictions

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
)

// The names of columns and arrays that are no models (csvfile.Named), those that are preferred
// first.
var (
	truthNames = []string{
		truthName, "y_true", "ground_truth", "true_label", "true_class", "label", "labels", "target", "targets",
		"y_test", "gt",
	}
	imageNames = []string{
		imageName, "filename", "file_name", "file", "path", "image_path", "image_name", "image_id", "img", "id",
		"index", "sample", "item", "name", "row", "uid", "images", "filenames", "files", "paths", "image_ids",
		"image_names", "ids", "unnamed:_0",
	}
)

// aside are the places of columns or arrays that are no models: the true classes, the images'
// names, -1 for none, and all of them.
type aside struct {
	truth, image int
	all          []int
}

// sortOut tells models from other columns or arrays by their names. Names that are not exactly
// truth and image are noted as left out.
func (b *maker) sortOut(names []string, kind string) aside {
	a := aside{truth: csvfile.Best(truthNames, names), image: csvfile.Best(imageNames, names)}
	for k, name := range names {
		reason := result.Because(rank.NoModel, "it bears the name of a label, an id or a file")
		switch {
		case k == a.truth:
			reason = result.Because(rank.NoModel, "the %s holds the true classes", kind)
		case k == a.image && kind == columnKind:
			reason = result.Because(rank.NoModel, "the column holds the names of the images")
		case csvfile.Named(truthNames, name) < 0 && csvfile.Named(imageNames, name) < 0:
			continue
		}
		a.all = append(a.all, k)
		if name != truthName && name != imageName {
			b.leave(name, reason)
		}
	}
	return a
}

const (
	columnKind = "column"
	arrayKind  = "array"
	fileKind   = "file"
)

func (b *maker) leave(name string, reason result.Reason) {
	b.table.LeftOut = append(b.table.LeftOut, rank.LeftOut{ID: name, Reason: reason})
}

// fewCells is how many cells it takes to say that all of them differ: models may well predict two
// classes for two images.
const fewCells = 3

// strangers are the places of columns that are no predictions: all of their cells differ, and most
// of them are in no other column, nor known as classes. A column that stands alone is none.
func strangers(columns [][]int32, truth []int32, known func(cell int32) bool) (list []int) {
	if len(columns) < 2 {
		return nil
	}
	in := map[int32]int{} // columns that have a cell
	different := make([]bool, len(columns))
	for k, column := range append(slices.Clip(columns), truth) {
		own := make(map[int32]bool, 16)
		for _, cell := range column {
			if !own[cell] {
				own[cell] = true
				in[cell]++
			}
		}
		if k < len(columns) {
			different[k] = len(column) >= fewCells && len(own) == len(column)
		}
	}
	for k, column := range columns {
		alone := 0
		for _, cell := range column {
			if different[k] && in[cell] == 1 && !known(cell) {
				alone++
			}
		}
		if 2*alone > len(column) {
			list = append(list, k)
		}
	}
	return list
}

// allDiffer is why a stranger is left out.
func allDiffer(samples int) result.Reason {
	return result.Reason{Code: rank.NoModel, Text: fmt.Sprintf(
		"all of its %s differ, and most of them are nowhere else", result.Counted(samples, "cell"))}
}
