package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/export"
)

// perLayer is what each convolution alone costs the models that have a score. Layers without signals are left out.
func (w *dscoreWork) perLayer(found []diagnosis.Diagnosis) ([]layerReport, error) {
	type about struct {
		model, suite string
		n            int
	}
	seen := map[about]bool{}
	var list []layerReport
	for _, d := range found {
		key := about{d.Model.Hash, d.Suite, d.N}
		if seen[key] {
			continue // another t
		}
		seen[key] = true
		layers, err := diagnosis.Layers(w.s.ctx, w.ws, d.Model, d.Suite, d.N)
		if err != nil {
			return nil, err
		}
		wantedLayers := w.edits[editKey{d.Model.Hash, d.Suite, d.N}]
		for _, l := range layers {
			if wantedLayers.known && !wantedLayers.has(l.Number) {
				continue // kept from another call
			}
			list = append(list, w.layerOf(d, l))
		}
	}
	return list, nil
}

// has tells whether the masks delete regions of a convolution.
func (e edited) has(layer int) bool {
	for _, m := range e.maps {
		if m.Number == layer {
			return true
		}
	}
	return false
}

func (w *dscoreWork) layerOf(d diagnosis.Diagnosis, l diagnosis.Layer) layerReport {
	r := layerReport{
		Model: d.Model.ID, Hash: d.Model.Hash, Suite: d.SuiteName, SuiteHash: d.Suite, N: d.N, Layer: l.Number, Tensor: l.Tensor,
		Baseline: l.Original, Variants: l.Variants, Loss: pairs(l.Loss), NothingLost: []int{},
	}
	for i, loss := range l.Loss {
		if loss.High <= w.Tolerance {
			r.NothingLost = append(r.NothingLost, i+1)
		}
	}
	return r
}

// layerRows are the layers for people: one line each.
func layerRows(r dscoreReport) [][]string {
	rows := [][]string{{"model", "suite", "n", "layer", "tensor", "smallest loss", "largest loss", "in region", "nothing lost without"}}
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
			l.Model, l.Suite, strconv.Itoa(l.N), strconv.Itoa(l.Layer), l.Tensor, decimals4(l.Baseline - l.Variants[best]),
			decimals4(l.Baseline - l.Variants[worst]), strconv.Itoa(worst + 1), lostWords(l),
		})
	}
	return append(rows, []string{fmt.Sprintf("nothing is lost where the loss of accuracy, with its 95 %% interval, is at most %g", *r.Tolerance)})
}

// lostWords names regions in words: all, none, or their numbers.
func lostWords(l layerReport) string {
	switch len(l.NothingLost) {
	case 0:
		return "none"
	case len(l.Variants):
		return "any region"
	}
	return numbers(l.NothingLost)
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
				err := row(export.Guard(l.Model), l.Hash, export.Guard(l.Suite), l.SuiteHash, strconv.Itoa(l.N), strconv.Itoa(l.Layer), export.Guard(l.Tensor),
					strconv.Itoa(i+1), digits(&l.Baseline), digits(&accuracy), digits(&loss), digits(&l.Loss[i][0]), digits(&l.Loss[i][1]),
					strconv.FormatBool(slices.Contains(l.NothingLost, i+1)))
				if err != nil {
					return err
				}
			}
		}
		return nil
	}}
}
