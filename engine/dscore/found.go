package dscore

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// Found is what was found out about models by Options.
type Found struct {
	Options   Options
	Scores    []Diagnosis
	Layers    []Layer     // where Options ask for them
	Pairs     []Pair      // where Options ask for a comparison
	Over      []Over      // where Options ask for scores over a column
	Augmented []Augmented // where a set was augmented
	Left      []LeftOut
}

// Fruitless is the sentence for no score at all of so many models of a source, else nil.
func (f Found) Fruitless(source string, models int) error {
	if len(f.Scores) > 0 {
		return nil
	}
	if models == 1 && len(f.Left) > 0 {
		return errors.New(f.Left[0].Reason.Text)
	}
	text := fmt.Sprintf("no model of %s has a D-Score", source)
	if lines := LeftOutLines(f.Left); len(lines) > 0 {
		text += ": " + strings.Join(lines, "; ")
	}
	return errors.New(text)
}

// Sheets are all tables.
func (f Found) Sheets() []*result.Sheet {
	list := []*result.Sheet{Scores.Sheet(f.Scores), Regions.Sheet(RegionsOf(f.Scores)), MapsOf(f.Scores)}
	if f.Options.PerLayer {
		list = append(list, Layers(f.Options.Tolerance).Sheet(f.Layers),
			LayerRegions.Sheet(LayerRegionsOf(f.Layers, f.Options.Tolerance)))
	}
	if f.Options.Compare {
		list = append(list, Contrasts.Sheet(ContrastsOf(f.Pairs)))
	}
	if f.Options.Over != "" {
		list = append(list, OverTable(f.Options.Over).Sheet(f.Over))
	}
	if len(f.Augmented) > 0 {
		list = append(list, Augmentations.Sheet(f.Augmented))
	}
	return append(list, LeftOuts.Sheet(f.Left))
}

// Shown are the tables for people: scores, the regions of a single score, layers, a comparison,
// and scores over a column.
func (f Found) Shown() []*result.Sheet {
	list := []*result.Sheet{Scores.Sheet(f.Scores)}
	if len(f.Scores) == 1 {
		list = append(list, OfOneScore.Sheet(RegionsOf(f.Scores)))
	}
	if len(f.Layers) > 0 {
		list = append(list, Layers(f.Options.Tolerance).Sheet(f.Layers))
	}
	if len(f.Pairs) > 0 {
		list = append(list, Contrasts.Sheet(ContrastsOf(f.Pairs)))
	}
	if len(f.Over) > 0 {
		list = append(list, OverTable(f.Options.Over).Sheet(f.Over))
	}
	return list
}

// Remarks stand below the tables, those of each kind below an empty line.
func (f Found) Remarks() (lines []string) {
	if len(f.Layers) > 0 {
		with := ", with its 95 % interval,"
		if f.Options.Samples == 0 {
			with = ""
		}
		lines = append(lines, fmt.Sprintf("nothing is lost where the loss of accuracy%s is at most %g", with,
			f.Options.Tolerance))
	}
	for k, one := range f.Augmented {
		if k == 0 {
			lines = append(lines, "")
		}
		done := "padded"
		if math.IsNaN(one.P) {
			done = "changed"
		}
		lines = append(lines, fmt.Sprintf("%d images in %s, %d of them %s%s", one.Images, one.Folder, one.Changed, done,
			map[bool]string{true: " (there already)"}[one.There]))
	}
	notes := Notes(f.Scores)
	for _, line := range LeftOutLines(f.Left) {
		notes = append(notes, "left out: "+line)
	}
	if len(notes) > 0 {
		lines = slices.Concat(lines, []string{""}, notes)
	}
	return lines
}
