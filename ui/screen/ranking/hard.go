package ranking

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

// MostHard is how many of the hardest images are shown.
const MostHard = 60

// Hard is an image that models find hard.
type Hard struct {
	Image      int
	Difficulty float64 // the negative of LaF's log-easiness
	Pseudo     int32   // most probable class by LaF
	Sure       float64 // its probability
	Truth      int32   // -1 where it is not known
	Agree      int     // models that predict the pseudo label
}

// hardest are the images that LaF finds hardest, at most n, the hardest first, equal ones in the
// order of the suite.
func (v Answer) hardest(n int) []Hard {
	laf := v.Board.LaF
	if v.noLaF() != "" {
		return nil
	}
	order := make([]int, len(laf.Kept))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(laf.Easiness[a], laf.Easiness[b]) })
	list := make([]Hard, min(n, len(order)))
	for k := range list {
		at := order[k]
		list[k] = Hard{
			Image: laf.Kept[at], Difficulty: -laf.Easiness[at], Pseudo: laf.Labels[at], Sure: laf.Sure[at],
			Truth: v.truth(laf.Kept[at]),
		}
		for _, c := range v.predicted(laf.Kept[at]) {
			if c == laf.Labels[at] {
				list[k].Agree++
			}
		}
	}
	return list
}

// truth is an image's true class, -1 where it is not known.
func (v Answer) truth(image int) int32 {
	if image < len(v.Data.Truth) {
		return v.Data.Truth[image]
	}
	return -1
}

// predicted are the models' classes of an image.
func (v Answer) predicted(image int) []int32 {
	n := len(v.Data.Models)
	return v.Data.Labels[image*n : (image+1)*n]
}

// The kinds of cells: against the truth, and where it is not known against the pseudo label.
const (
	cellRight = iota
	cellWrong
	cellAgrees
	cellDiffers
)

// kindOf is what a model's prediction of a hard image is.
func kindOf(h Hard, predicted int32, byTruth bool) int {
	wanted, good, bad := h.Pseudo, cellAgrees, cellDiffers
	if byTruth && h.Truth >= 0 {
		wanted, good, bad = h.Truth, cellRight, cellWrong
	}
	if predicted == wanted {
		return good
	}
	return bad
}

// Mosaic is the hardest images and the models by rank: who is right, or agrees with LaF's class
// where byTruth is not set or the truth is not known. Cells come row by row; their ID is the image.
func (v Answer) Mosaic(list []Hard, byTruth bool) result.Figure {
	f := result.Figure{
		Title: "The hardest images of " + v.Material.Source.Name, Note: v.Caption(), Empty: v.noLaF(),
		X: result.Axis{Name: "models by LaF's rank, best first"}, Y: result.Axis{Name: "images, hardest first"},
	}
	if len(list) == 0 {
		return f
	}
	order := v.byLaF()
	for _, j := range order {
		f.X.Names = append(f.X.Names, v.Board.Models[j].ID)
	}
	used := map[int]bool{}
	for r, h := range list {
		id, predicted := result.Whole(h.Image), v.predicted(h.Image)
		f.Y.Names = append(f.Y.Names, id)
		for c, j := range order {
			cell := result.Cell(r, c)
			cell.ID, cell.Group = id, kindOf(h, predicted[j], byTruth)
			used[cell.Group] = true
			f.Boxes = append(f.Boxes, cell)
		}
	}
	groups := map[int]int{} // of kinds that there are
	for kind, g := range []result.Group{
		{Name: "right", Look: result.LookInvariant},
		{Name: "wrong", Look: result.LookVariant},
		{Name: "agrees with LaF's class", Look: result.Category(2)},
		{Name: "differs from LaF's class", Look: result.Category(4)},
	} {
		if used[kind] {
			groups[kind] = len(f.Groups)
			f.Groups = append(f.Groups, g)
		}
	}
	for k := range f.Boxes {
		f.Boxes[k].Group = groups[f.Boxes[k].Group]
	}
	return f
}

// CellText is the line about a cell of the mosaic.
func (v Answer) CellText(h Hard, column int) string {
	order := v.byLaF()
	if column < 0 || column >= len(order) {
		return v.HardText(h)
	}
	j := order[column]
	class := v.Material.Class(v.predicted(h.Image)[j])
	text := fmt.Sprintf("%s, %s (%d by LaF): %s", v.Material.Sample(h.Image), v.Board.Models[j].ID, column+1, class)
	if h.Truth >= 0 {
		return fmt.Sprintf("%s; truly %s, LaF's class %s", text, v.Material.Class(h.Truth), v.Material.Class(h.Pseudo))
	}
	return fmt.Sprintf("%s; LaF's class %s", text, v.Material.Class(h.Pseudo))
}

// HardText is the line about an image.
func (v Answer) HardText(h Hard) string {
	text := fmt.Sprintf("%s: difficulty %s, LaF's class %s (%s sure), %d of %d models agree",
		v.Material.Sample(h.Image), result.Number.Say(h.Difficulty, 0),
		v.Material.Class(h.Pseudo), result.Share.Say(h.Sure, 0), h.Agree, len(v.Data.Models))
	if h.Truth >= 0 {
		text = fmt.Sprintf("%s; truly %s", text, v.Material.Class(h.Truth))
	}
	return text
}

// Vote is a class that models predict for an image, with these models by LaF's rank.
type Vote struct {
	Class  int32
	Models []int
}

// votes counts the predictions of an image.
func (v Answer) votes(image int) []Vote {
	var list []Vote
	predicted := v.predicted(image)
	for _, j := range v.byLaF() {
		at := slices.IndexFunc(list, func(o Vote) bool { return o.Class == predicted[j] })
		if at < 0 {
			at = len(list)
			list = append(list, Vote{Class: predicted[j]})
		}
		list[at].Models = append(list[at].Models, j)
	}
	slices.SortStableFunc(list, func(a, b Vote) int {
		return cmp.Or(len(b.Models)-len(a.Models), int(a.Class)-int(b.Class))
	})
	return list
}

// VotesText is "7: 12 models, 1: 5 models".
func (v Answer) VotesText(image int) string {
	var parts []string
	for _, vote := range v.votes(image) {
		parts = append(parts, fmt.Sprintf("%s: %s", v.Material.Class(vote.Class), result.Whole(len(vote.Models))))
	}
	return strings.Join(parts, ", ")
}

// difficultyBins is the number of bars of the histogram.
const difficultyBins = 40

// Difficulties are how the difficulty of the images is distributed, by whether LaF's class is the
// true one where that is known.
func (v Answer) Difficulties() result.Figure {
	f := result.Figure{
		Title: "Difficulty of the images of " + v.Material.Source.Name, Note: v.Caption(), Empty: v.noLaF(),
		X: result.Axis{Name: "difficulty (LaF)", Format: result.Number},
		Y: result.Axis{Name: "images", Format: result.Count},
	}
	if f.Empty != "" || len(v.Board.LaF.Kept) == 0 {
		return f
	}
	laf := v.Board.LaF
	low, high := math.Inf(1), math.Inf(-1)
	for _, b := range laf.Easiness {
		low, high = min(low, -b), max(high, -b)
	}
	low, high = render.Widen(low, high)
	counts := make([][]int, 3) // LaF's class is true, is not, nobody knows
	for g := range counts {
		counts[g] = make([]int, difficultyBins)
	}
	for k, b := range laf.Easiness {
		bin := min(max(int((-b-low)/(high-low)*difficultyBins), 0), difficultyBins-1)
		counts[v.judged(laf.Kept[k], laf.Labels[k])][bin]++
	}
	var used [][]int
	for g, group := range []result.Group{
		{Name: "LaF's class is true", Look: result.LookInvariant},
		{Name: "LaF's class is wrong", Look: result.LookVariant},
		{Name: "true class unknown", Look: result.LookNone},
	} {
		if slices.ContainsFunc(counts[g], func(n int) bool { return n > 0 }) {
			f.Groups, used = append(f.Groups, group), append(used, counts[g])
		}
	}
	f.Boxes = result.Stacked(result.Edges(low, high, difficultyBins), used)
	return f
}

// judged is 0 where LaF's class of an image is true, 1 where it is not, 2 where nobody knows.
func (v Answer) judged(image int, pseudo int32) int {
	switch v.truth(image) {
	case -1:
		return 2
	case pseudo:
		return 0
	}
	return 1
}
