// Package augmented writes training sets that are augmented as a D-Score recommends (spec/dscore.md section 4), and the recipe
// for other programs.
package augmented

import (
	"context"
	"io"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/corrupted"
)

// Options say what is written and where.
type Options struct {
	Out     string           // folder, made where there is none
	Format  corrupted.Format // folder or idx; empty is folder
	P       float64          // probability and share of padding (Eq. 7); sizes are each image's own
	Seed    uint64           // 0 for 1
	Version string           // of the program, for the README
}

// Written is what became of a set.
type Written struct {
	Folder string
	Images int
	Padded int // of them
	There  bool
}

// Write writes every image of an opened suite once, with probability P padded and resized back, labels and order kept, with
// README.md, recipe.json and paddings.csv (image, padded, top, bottom, left, right). The folder is written beside its place and
// renamed. p (may be nil) counts images.
func Write(ctx context.Context, s *suite.Suite, o Options, p engine.Progress) (Written, error) {
	panic("not built yet")
}

// Recipe is what recipe.json holds: exact numbers for any training script, without this program.
type Recipe struct {
	Model, Suite string
	Grid, T      int
	Accuracies   dscore.Accuracies
	Score        dscore.Score
	Augmentation dscore.Recipe
}

// WriteRecipe writes a recipe as JSON.
func WriteRecipe(w io.Writer, r Recipe) error { panic("not built yet") }

// Paddings are the draws for the first count images of a size, as Write makes them: for previews.
func Paddings(r dscore.Recipe, seed uint64, count int) (paddings []region.Padding, padded []bool) {
	panic("not built yet")
}
