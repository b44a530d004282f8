package transform

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/region"
)

// Two transformation sets have parameters. shift:n:t is padded translation: the identity, then the
// image shifted to region 1..n*n (spec/dscore.md section 2). mask:n leaves the image as it is and
// deletes region 1..n*n of the model's feature maps: a list of model edits whose first is none,
// which runs, is kept and is resumed as any set (spec/dscore.md section 1).
const (
	ShiftSet = "shift"
	MaskSet  = "mask"
)

// The usual parameters: n = 3 regions a side, and the paper's t = 5.
const (
	UsualGrid = 3
	UsualT    = 5
)

// The bounds of what a text may say: a t above every side pads nothing, and no graph has that many
// convolutions.
const (
	maxT     = maxSide
	maxLayer = 9999
)

// The words for layers in place of numbers: those whose maps are large enough, and all, which is
// the rule of the D-Score paper and the same as none in a canonical text.
const (
	AutoLayers = "auto"
	AllLayers  = "all"
)

// afterBatchNorm is the one word that the option after knows.
const afterBatchNorm = "batchnorm"

// regions are the parameters of shift and mask; the zero value stands in every other family. It is
// comparable, as Family is.
type regions struct {
	n, t   int
	layers string // of mask: numbers with commas between them, ascending, each once; AutoLayers; empty for all
	after  bool   // of mask: behind the batch-norm
}

// Masks says what mask:n:... deletes regions of.
type Masks struct {
	N int
	// Layers are numbers of Conv nodes of the main graph in graph order, from 1, ascending; empty
	// for all.
	Layers []int
	// Auto leaves out the layers whose maps have fewer than N rows or columns, in which some
	// regions would be empty. It goes with no Layers.
	Auto bool `json:",omitempty"`
	// AfterBatchNorm moves the deletion behind a batch-norm that follows a convolution directly.
	AfterBatchNorm bool
}

// Shift is the set shift:n:t; n from 1 to region.MaxGrid, t from 1.
func Shift(n, t int) (Family, error) {
	if err := fitsGrid(ShiftSet, n); err != nil {
		return Family{}, err
	}
	if t < 1 || t > maxT {
		return Family{}, fmt.Errorf("%s: t is %d; it is a whole number from 1 to %d, usually 5", ShiftSet, t, maxT)
	}
	return Family{name: ShiftSet, regions: regions{n: n, t: t}}, nil
}

// Mask is the set of masks; its canonical text is mask:3, mask:3;layers=auto, mask:3;layers=1,3 or
// mask:3;layers=2;after=batchnorm. Layers may come in any order and more than once.
func Mask(m Masks) (Family, error) {
	if err := fitsGrid(MaskSet, m.N); err != nil {
		return Family{}, err
	}
	if m.Auto {
		if len(m.Layers) > 0 {
			return Family{}, fmt.Errorf("%s: layers are %s or numbers, not both", MaskSet, AutoLayers)
		}
		return Family{name: MaskSet, regions: regions{n: m.N, layers: AutoLayers, after: m.AfterBatchNorm}}, nil
	}
	layers := slices.Compact(slices.Sorted(slices.Values(m.Layers)))
	texts := make([]string, len(layers))
	for k, layer := range layers {
		if layer < 1 || layer > maxLayer {
			return Family{}, fmt.Errorf("%s: there is no layer %d; convolutions are numbered from 1, at most to %d",
				MaskSet, layer, maxLayer)
		}
		texts[k] = strconv.Itoa(layer)
	}
	return Family{name: MaskSet, regions: regions{n: m.N, layers: strings.Join(texts, ","), after: m.AfterBatchNorm}},
		nil
}

func fitsGrid(name string, n int) error {
	if n < 1 || n > region.MaxGrid {
		return fmt.Errorf("%s: n is %d; it is a whole number from 1 to %d, for n x n regions", name, n, region.MaxGrid)
	}
	return nil
}

// Shifted gives n and t of a set shift:n:t; ok is false for everything else.
func (f Family) Shifted() (n, t int, ok bool) {
	if f.name != ShiftSet {
		return 0, 0, false
	}
	return f.regions.n, f.regions.t, true
}

// Masked gives what a set mask:n deletes; ok is false for everything else.
func (f Family) Masked() (m Masks, ok bool) {
	if f.name != MaskSet {
		return Masks{}, false
	}
	m = Masks{N: f.regions.n, AfterBatchNorm: f.regions.after}
	switch f.regions.layers {
	case "":
		return m, true
	case AutoLayers:
		m.Auto = true
		return m, true
	}
	for text := range strings.SplitSeq(f.regions.layers, ",") {
		layer, err := strconv.Atoi(text)
		if err != nil {
			panic("transform: a Family that Mask did not make: " + err.Error())
		}
		m.Layers = append(m.Layers, layer)
	}
	return m, true
}

// text is the canonical text behind the name.
func (r regions) text() string {
	text := ":" + strconv.Itoa(r.n)
	if r.t > 0 {
		text += ":" + strconv.Itoa(r.t)
	}
	if r.layers != "" {
		text += ";layers=" + r.layers
	}
	if r.after {
		text += ";after=" + afterBatchNorm
	}
	return text
}

// short is the text for people behind the name: " 3x3 t5", " 3x3 layers 1,3 after batch-norm".
func (r regions) short() string {
	text := fmt.Sprintf(" %dx%d", r.n, r.n)
	if r.t > 0 {
		text += " t" + strconv.Itoa(r.t)
	}
	if r.layers != "" {
		text += " " + r.layersNamed()
	}
	if r.after {
		text += " after batch-norm"
	}
	return text
}

// words are Family.Words.
func (r regions) words() string {
	if r.t > 0 {
		return fmt.Sprintf("shift to each of %d × %d regions, t = %d", r.n, r.n, r.t)
	}
	text := fmt.Sprintf("each of %d × %d regions deleted from the feature maps", r.n, r.n)
	switch {
	case r.layers == AutoLayers:
		text += " that are large enough"
	case r.layers != "":
		text += " of " + strings.ReplaceAll(r.layersNamed(), ",", ", ")
	}
	if r.after {
		text += ", behind batch-norm"
	}
	return text
}

// layersNamed are the layers that are named: "layer 1", "layers 1,3", "layers auto".
func (r regions) layersNamed() string {
	if strings.Contains(r.layers, ",") || r.layers == AutoLayers {
		return "layers " + r.layers
	}
	return "layer " + r.layers
}

// parseShift reads what stands behind the name: ":n:t".
func parseShift(rest string) (Family, error) {
	values, options := parameters(rest)
	if len(options) > 0 {
		return Family{}, fmt.Errorf("%s takes no options; leave out %q", ShiftSet, strings.Join(options, ";"))
	}
	if len(values) != 2 {
		return Family{}, errors.New("shift needs n and t: shift:3:5")
	}
	n, err := whole("n", values[0])
	if err != nil {
		return Family{}, err
	}
	t, err := whole("t", values[1])
	if err != nil {
		return Family{}, err
	}
	return Shift(n, t)
}

// parseMask reads what stands behind the name: ":n" and then the options layers and after, in any
// order, each at most once.
func parseMask(rest string) (Family, error) {
	values, options := parameters(rest)
	if len(values) != 1 || strings.TrimSpace(values[0]) == "" {
		return Family{}, errors.New("mask needs n alone: mask:3, or mask:3;layers=1,3")
	}
	n, err := whole("n", values[0])
	if err != nil {
		return Family{}, err
	}
	m := Masks{N: n}
	seen := map[string]bool{}
	for _, option := range options {
		key, value, ok := strings.Cut(option, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key != "layers" && key != "after" {
			return Family{}, fmt.Errorf("unknown option %q; write layers=1,3 or after=%s", option, afterBatchNorm)
		}
		if seen[key] {
			return Family{}, fmt.Errorf("%s is given twice", key)
		}
		seen[key] = true
		if err := m.setOption(key, value); err != nil {
			return Family{}, err
		}
	}
	return Mask(m)
}

func (m *Masks) setOption(key, value string) error {
	if key == "after" {
		if value != afterBatchNorm {
			return fmt.Errorf("unknown word %q; regions are deleted right behind a convolution, or, with after=%s, "+
				"behind its batch-norm", value, afterBatchNorm)
		}
		m.AfterBatchNorm = true
		return nil
	}
	switch value {
	case AutoLayers:
		m.Auto = true
		return nil
	case AllLayers:
		return nil
	}
	for text := range strings.SplitSeq(value, ",") {
		layer, err := whole("a layer", text)
		if err != nil {
			return err
		}
		m.Layers = append(m.Layers, layer)
	}
	return nil
}

// parameters are the values behind colons and the options behind semicolons.
func parameters(rest string) (values, options []string) {
	parts := strings.Split(rest, ";")
	if head := strings.TrimSpace(parts[0]); head != "" {
		values = strings.Split(strings.TrimPrefix(head, ":"), ":")
	}
	return values, parts[1:]
}

// whole reads a whole number in decimal digits.
func whole(what, text string) (int, error) {
	text = strings.TrimSpace(text)
	n, err := strconv.Atoi(text)
	if err != nil || strings.Trim(text, "0123456789") != "" {
		return 0, fmt.Errorf("%s is %q; it must be a whole number from 1 on", what, text)
	}
	return n, nil
}

// copies is the image part of mask, whose change is made inside the model, and of scenes, whose
// images an engine.Composer makes.
func copies(dst, src []float32, _ imageSize, _ int) { copy(dst, src) }
