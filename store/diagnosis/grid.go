package diagnosis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// Grid is one setting of a D-Score. NewGrid makes one; where Mask or Shift is empty it is that of N and T, of the layers whose
// maps are large enough.
type Grid struct {
	N, T int
	// Mask is the canonical text of the masks, transform.Mask: which layers, and whether behind batch-norm.
	Mask string
	// Shift is the canonical text of the padded translation, transform.Shift.
	Shift string
}

// NewGrid is the grid of some masks and a t. The errors are those of transform.Mask and transform.Shift.
func NewGrid(masks transform.Masks, t int) (Grid, error) {
	mask, err := transform.Mask(masks)
	if err != nil {
		return Grid{}, err
	}
	shift, err := transform.Shift(masks.N, t)
	if err != nil {
		return Grid{}, err
	}
	return Grid{N: masks.N, T: t, Mask: mask.String(), Shift: shift.String()}, nil
}

// Masks says what the grid's masks delete regions of.
func (g Grid) Masks() (transform.Masks, error) {
	if g.Mask == "" {
		return transform.Masks{N: g.N, Auto: true}, nil
	}
	f, err := transform.ParseAny(g.Mask)
	if err != nil {
		return transform.Masks{}, err
	}
	masks, ok := f.Masked()
	if !ok {
		return transform.Masks{}, fmt.Errorf("%s is no set of masks; a grid needs one, such as mask:3", g.Mask)
	}
	return masks, nil
}

// String is the grid for people: "n=3, t=5", "n=3, t=5, layers auto", "n=3, t=5, layers 1,3", "n=3, t=5, layer 2, after batch-norm".
func (g Grid) String() string {
	text := fmt.Sprintf("n=%d, t=%d", g.N, g.T)
	masks, err := g.Masks()
	if err != nil {
		return text + ", " + g.Mask
	}
	if masks.Auto {
		text += ", layers " + transform.AutoLayers
	}
	if layers := layerText(masks.Layers); layers != "" {
		text += ", " + layers
	}
	if masks.AfterBatchNorm {
		text += ", after batch-norm"
	}
	return text
}

// Title is the grid in the window and beside rankings: "3 × 3 regions, t = 5", "2 × 2 regions, t
// = 4, layers 1,3, after batch-norm".
func (g Grid) Title() string {
	masks, err := g.Masks()
	if err != nil {
		return g.String()
	}
	text := fmt.Sprintf("%d × %d regions, t = %d", masks.N, masks.N, g.T)
	if of := MasksTitle(masks); of != "" {
		text += ", " + of
	}
	return text
}

// MasksTitle says what masks delete regions of, where that is not the outputs of all convolutions:
// "layers 1,3", "after batch-norm", "layers with maps large enough".
func MasksTitle(masks transform.Masks) string {
	text := layerText(masks.Layers)
	if masks.Auto && text == "" {
		text = "layers with maps large enough"
	}
	if masks.AfterBatchNorm {
		text = strings.TrimPrefix(text+", after batch-norm", ", ")
	}
	return text
}

func layerText(layers []int) string {
	texts := make([]string, len(layers))
	for k, layer := range layers {
		texts[k] = fmt.Sprint(layer)
	}
	switch len(layers) {
	case 0:
		return ""
	case 1:
		return "layer " + texts[0]
	}
	return "layers " + strings.Join(texts, ",")
}

// whole is the grid with both canonical texts, which must be those of its n and t.
func (g Grid) whole() (Grid, error) {
	masks, err := g.Masks()
	if err != nil {
		return g, err
	}
	full, err := NewGrid(masks, g.T)
	if err != nil {
		return g, err
	}
	if full.N != g.N {
		return g, fmt.Errorf("masks %s are not of %d x %d regions", g.Mask, g.N, g.N)
	}
	if g.Shift != "" {
		if f, err := transform.ParseAny(g.Shift); err != nil || f.String() != full.Shift {
			return g, fmt.Errorf("padded translation %s is not that of n = %d and t = %d, %s", g.Shift, g.N, g.T, full.Shift)
		}
	}
	return full, nil
}

// byGrid orders grids by n, t, then masks of all layers first, then by number of layers, text and whether behind batch-norm.
func byGrid(a, b Grid) int {
	x, errX := a.Masks()
	y, errY := b.Masks()
	if errX != nil || errY != nil {
		return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.T, b.T), cmp.Compare(a.Mask, b.Mask))
	}
	return cmp.Or(
		cmp.Compare(a.N, b.N), cmp.Compare(a.T, b.T), cmp.Compare(len(x.Layers), len(y.Layers)), slices.Compare(x.Layers, y.Layers),
		cmp.Compare(a.Mask, b.Mask),
	)
}

// Available are the grids for which some model has both sets on the suite (content hash; "" for any), by n, then t, then masks
// of all layers first.
func Available(ws *store.Workspace, suite string) ([]Grid, error) {
	found, err := find(ws, suite)
	return found.grids(nil), err
}

// Usual is the grid that speaks for models (hashes; nil for all) on a suite where several are there: of those that most of them
// have it is n = 3, t = 5 with masks of the layers that are large enough, then of all, else the first of Available. ok is false where there is none.
func Usual(ws *store.Workspace, suite string, models []string) (g Grid, ok bool, err error) {
	found, err := find(ws, suite)
	if err != nil {
		return g, false, err
	}
	var usual [2]Grid // the second one is preferred
	for k := range usual {
		if usual[k], err = NewGrid(transform.Masks{N: transform.UsualGrid, Auto: k == 1}, transform.UsualT); err != nil {
			return g, false, err
		}
	}
	most, best := 0, -1
	for _, one := range found.grids(nil) {
		n := 0
		for at := range found[one] {
			if models == nil || slices.Contains(models, at.model) {
				n++
			}
		}
		if rank := slices.Index(usual[:], one); n > most || n == most && n > 0 && rank > best {
			g, most, best = one, n, rank
		}
	}
	return g, most > 0, nil
}

// place is a model on a suite, by their hashes.
type place struct{ model, suite string }

// finding are the places where both sets of a grid are finished.
type finding map[Grid]map[place]bool

// find looks through the finished sets of a suite, "" for all.
func find(ws *store.Workspace, suite string) (finding, error) {
	masks, shifts := map[place][]transform.Masks{}, map[place][][2]int{}
	err := lookup.EachSet(ws, suite, func(info store.SetInfo) {
		f, err := transform.ParseAny(info.Spec.Family)
		if err != nil {
			return // of another version of the program
		}
		at := place{info.Spec.Model, info.Spec.Source}
		if m, ok := f.Masked(); ok {
			masks[at] = append(masks[at], m)
		}
		if n, t, ok := f.Shifted(); ok {
			shifts[at] = append(shifts[at], [2]int{n, t})
		}
	})
	if err != nil {
		return nil, err
	}
	found := finding{}
	for at, list := range masks {
		for _, m := range list {
			for _, s := range shifts[at] {
				if s[0] != m.N {
					continue
				}
				g, err := NewGrid(m, s[1])
				if err != nil {
					return nil, err
				}
				if found[g] == nil {
					found[g] = map[place]bool{}
				}
				found[g][at] = true
			}
		}
	}
	return found, nil
}

// grids are those that some model has on one of the suites, nil for any, in order.
func (f finding) grids(suites []string) []Grid {
	var list []Grid
	for g, places := range f {
		for at := range places {
			if suites == nil || slices.Contains(suites, at.suite) {
				list = append(list, g)
				break
			}
		}
	}
	slices.SortFunc(list, byGrid)
	return list
}

// suites are those on which some model has some grid.
func (f finding) suites() map[string]bool {
	in := map[string]bool{}
	for _, places := range f {
		for at := range places {
			in[at.suite] = true
		}
	}
	return in
}
