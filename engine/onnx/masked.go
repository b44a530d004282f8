package onnx

import (
	"errors"
	"fmt"
	"slices"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/region"
)

// maskedModel is a loaded model whose feature maps lose a region (maskEdit). It is shared by all
// runners of a session.
type maskedModel struct {
	before     *ort.DynamicAdvancedSession // what no mask changes; nil where nothing is cut off
	behind     *ort.DynamicAdvancedSession // all else, with the session's results
	takesImage bool                        // the first input of behind is the image
	handed     int                         // results of before, the next inputs of behind
	sizes      []maskSize                  // of the masks, the last inputs of behind
	n          int                         // regions per side
}

// loadMasked edits a model for the masks of a feed and loads what came out. outputs are the
// session's tensors. Errors go on behind the model's name.
func loadMasked(data []byte, a *analysis, feed engine.Feed, outputs []string) (m *maskedModel, err error) {
	spots, err := measureSpots(data, feed, a.spots(*feed.Mask, outputs))
	if err != nil {
		return nil, fmt.Errorf("cannot be run: %w", reason(err))
	}
	found := len(spots)
	if feed.Mask.Auto {
		spots = slices.DeleteFunc(spots, func(s spot) bool { return tooSmall(*feed.Mask, s.shape[2], s.shape[3]) })
	}
	if len(spots) == 0 {
		return nil, noRegions(*feed.Mask, found > 0)
	}
	e, err := newMaskEdit(a, data, spots, outputs)
	if err != nil {
		return nil, err
	}
	m = &maskedModel{handed: len(e.shared), sizes: e.sizes, n: feed.Mask.N}
	if err := m.open(e, feed.Input.Name); err != nil {
		_ = m.destroy() // err is the one to report
		return nil, fmt.Errorf("cannot be loaded with masks: %w", reason(err))
	}
	return m, nil
}

func (m *maskedModel) open(e *maskEdit, image string) (err error) {
	inputs, takesImage := e.inputNames(image)
	m.takesImage = takesImage
	if m.behind, err = create(e.masked(image), inputs, e.outputs); err != nil || len(e.shared) == 0 {
		return err
	}
	m.before, err = create(e.before(), []string{image}, e.shared)
	return err
}

// destroy frees the sessions.
func (m *maskedModel) destroy() error {
	var errs []error
	for _, s := range []*ort.DynamicAdvancedSession{m.before, m.behind} {
		if s != nil {
			errs = append(errs, s.Destroy())
		}
	}
	return errors.Join(errs...)
}

// maskedRun is what one runner needs of a maskedModel.
type maskedRun struct {
	*maskedModel
	region  int      // 0 for none
	results *results // with the region deleted
	shared  *results // what is the same for all regions
	stale   bool     // the batch may be another one than that of shared
	masks   []*ort.Tensor[float32]
	inputs  []ort.Value
}

func newMaskedRun(m *maskedModel, results int) (r *maskedRun, err error) {
	r = &maskedRun{maskedModel: m, results: newResults(results), shared: newResults(m.handed), stale: true}
	for _, size := range m.sizes {
		mask, err := ort.NewEmptyTensor[float32](ort.NewShape(1, int64(size.channels), int64(size.height),
			int64(size.width)))
		if err != nil {
			r.free()
			return nil, err
		}
		for k := range mask.GetData() {
			mask.GetData()[k] = 1
		}
		r.masks = append(r.masks, mask)
	}
	return r, nil
}

// choose sets the masks: 0 inside the region and 1 elsewhere.
func (r *maskedRun) choose(number int) {
	if number < 0 || number > r.n*r.n {
		panic(fmt.Sprintf("onnx: region %d of %d x %d", number, r.n, r.n))
	}
	r.set(r.region, 1)
	r.set(number, 0)
	r.region = number
}

// set writes one number into a region of all masks.
func (r *maskedRun) set(number int, value float32) {
	if number == 0 {
		return
	}
	row, column := (number-1)/r.n, (number-1)%r.n
	for k, size := range r.sizes {
		rows, columns := region.Edges(size.height, r.n), region.Edges(size.width, r.n)
		for c := range size.channels {
			for y := rows[row]; y < rows[row+1]; y++ {
				line := r.masks[k].GetData()[(c*size.height+y)*size.width:]
				for x := columns[column]; x < columns[column+1]; x++ {
					line[x] = value
				}
			}
		}
	}
}

// run computes what no mask changes, unless that was done for this batch, and the rest.
func (r *maskedRun) run(image ort.Value, options *ort.RunOptions) error {
	if r.before != nil && r.stale {
		if err := r.shared.run(r.before, []ort.Value{image}, options); err != nil {
			return err
		}
		r.stale = false
	}
	r.inputs = r.inputs[:0]
	if r.takesImage {
		r.inputs = append(r.inputs, image)
	}
	r.inputs = append(r.inputs, r.shared.outputs...)
	for _, mask := range r.masks {
		r.inputs = append(r.inputs, mask)
	}
	return r.results.run(r.behind, r.inputs, options)
}

// free frees what the runner has of its own.
func (r *maskedRun) free() {
	r.results.drop()
	r.shared.drop()
	for _, mask := range r.masks {
		destroy(mask)
	}
}
