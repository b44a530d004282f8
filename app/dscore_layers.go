package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/diagnosis"
)

// perLayer is what each convolution alone costs the models that have a score: scores with masks of it alone. The shifts do not
// matter here, so that one t will do.
func (w *dscoreWork) perLayer(found []diagnosis.Diagnosis) ([]layerReport, error) {
	var grids []diagnosis.Grid
	for _, n := range w.N {
		shift, err := transform.Shift(n, w.T[0])
		if err != nil {
			return nil, err
		}
		for _, layer := range w.allLayers(n) {
			mask, err := transform.Mask(w.masks(n, layer))
			if err != nil {
				return nil, err
			}
			grids = append(grids, diagnosis.Grid{N: n, T: w.T[0], Mask: mask.String(), Shift: shift.String()})
		}
	}
	if len(grids) == 0 {
		return nil, nil // no model's file is here
	}
	bar := newBar(w.s.stderr, "layers")
	list, _, err := diagnosis.Diagnose(w.s.ctx, w.ws, w.ask(grids), bar)
	bar.done()
	if err != nil {
		return nil, err
	}
	scored := map[[2]string]bool{}
	for _, d := range found {
		scored[[2]string{d.Model.Hash, d.Suite}] = true
	}
	var layers []layerReport
	for _, d := range list {
		if scored[[2]string{d.Model.Hash, d.Suite}] {
			layers = append(layers, w.layerOf(d)...)
		}
	}
	return layers, nil
}

// allLayers are the convolutions that single masks are wanted of, on any suite.
func (w *dscoreWork) allLayers(n int) []int {
	var layers []int
	for _, s := range w.suites {
		layers = append(layers, w.layersOf(s, n)...)
	}
	return ascending(layers)
}

// layerOf is the score with masks of one layer as what the layer costs; nothing where the masks of the flags leave it alone.
func (w *dscoreWork) layerOf(d diagnosis.Diagnosis) []layerReport {
	masks, err := d.Masks()
	if err != nil {
		return nil
	}
	maps := w.edits[editKey{d.Model.Hash, d.Suite, d.N}].maps
	at := slices.IndexFunc(maps, func(m onnx.Map) bool { return slices.Equal(masks.Layers, []int{m.Number}) })
	if at < 0 {
		return nil
	}
	a := d.Accuracies
	r := layerReport{
		Model: d.Model.ID, Hash: d.Model.Hash, Suite: d.SuiteName, SuiteHash: d.Suite, N: d.N, Layer: maps[at].Number, Tensor: maps[at].Tensor,
		Height: maps[at].Height, Width: maps[at].Width, Baseline: a.Original, Variants: a.Variants, NothingLost: []int{},
		Empty: slices.Concat([]int{}, maps[at].Empty),
	}
	if w.Samples > 0 {
		r.Loss = pairs(d.Intervals.Loss)
	}
	for i, accuracy := range a.Variants {
		most := a.Original - accuracy
		if r.Loss != nil {
			most = max(most, r.Loss[i][1])
		}
		if most <= w.Tolerance && !slices.Contains(r.Empty, i+1) {
			r.NothingLost = append(r.NothingLost, i+1)
		}
	}
	return []layerReport{r}
}

// layerRows are the layers for people: one line each.
func layerRows(r dscoreReport) [][]string {
	rows := [][]string{{"model", "suite", "n", "layer", "tensor", "map", "smallest loss", "largest loss", "in region", "nothing lost without"}}
	for _, l := range r.Layers {
		worst, best := 0, 0
		for i, v := range l.Variants {
			if v < l.Variants[worst] {
				worst = i
			}
			if v > l.Variants[best] {
				best = i
			}
		}
		rows = append(rows, []string{
			l.Model, l.Suite, strconv.Itoa(l.N), strconv.Itoa(l.Layer), l.Tensor, mapText(l), decimals4(l.Baseline - l.Variants[best]),
			decimals4(l.Baseline - l.Variants[worst]), strconv.Itoa(worst + 1), lostWords(l),
		})
	}
	with := ", with its 95 % interval,"
	if r.Layers[0].Loss == nil {
		with = ""
	}
	return append(rows, []string{fmt.Sprintf("nothing is lost where the loss of accuracy%s is at most %g", with, *r.Tolerance)})
}

// mapText is the size of a layer's maps, where the file tells.
func mapText(l layerReport) string {
	if l.Height == 0 || l.Width == 0 {
		return "-"
	}
	return sizeText([2]int{l.Height, l.Width})
}

// lostWords names regions in words: all, none, or their numbers, and those that the layer's maps are too small for.
func lostWords(l layerReport) string {
	text := numbers(l.NothingLost)
	switch len(l.NothingLost) {
	case 0:
		text = "none"
	case len(l.Variants):
		text = "any region"
	}
	if len(l.Empty) > 0 {
		text += " (empty: " + numbers(l.Empty) + ")"
	}
	return text
}

// numbers are "1, 2, 5".
func numbers(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ", ")
}

// layerSheet has a row per layer and region.
func (r dscoreReport) layerSheet() sheet {
	head := []string{
		"model_id", "model_hash", "suite", "suite_hash", "n", "layer", "tensor", "region", "baseline_accuracy", "variant_accuracy", "loss",
		"loss_low", "loss_high", "nothing_lost",
	}
	return sheet{"layers.csv", head, func(row func(...string) error) error {
		for _, l := range r.Layers {
			for i, accuracy := range l.Variants {
				loss := l.Baseline - accuracy
				low, high := "", ""
				if l.Loss != nil {
					low, high = digits(&l.Loss[i][0]), digits(&l.Loss[i][1])
				}
				err := row(comma.Guard(l.Model), l.Hash, comma.Guard(l.Suite), l.SuiteHash, strconv.Itoa(l.N), strconv.Itoa(l.Layer), comma.Guard(l.Tensor),
					strconv.Itoa(i+1), digits(&l.Baseline), digits(&accuracy), digits(&loss), low, high,
					strconv.FormatBool(slices.Contains(l.NothingLost, i+1)))
				if err != nil {
					return err
				}
			}
		}
		return nil
	}}
}
