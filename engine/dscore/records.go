package dscore

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
)

// Diagnosis is one model on one suite with one grid: a row of Scores.
type Diagnosis struct {
	Model            model.Model
	Suite, SuiteName string // content hash and name
	Grid
	Height, Width int // of the model's input on the suite, in pixels; 0 where neither says
	Images        int // with a label: all that a score rests on
	Accuracies    Accuracies
	Score         Score
	Intervals     Intervals // zero where none were asked for
	// Untouched compares what both sets of signals say of the untouched model; f_b and a-hat are
	// those of the masks.
	Untouched Untouched
	// MaskKey and ShiftKey name the sets of signals.
	MaskKey, ShiftKey string
	// ClassMap is the run's: the model's class of each of the suite's labels; nil for the same
	// numbers.
	ClassMap []int
	// Maps is what the masks do to the model's file; nil where it is not here, or nobody has
	// looked.
	Maps *Maps
}

// ID names the row, also after another diagnosis. Scores of a table of accuracies may have no
// hashes.
func (d Diagnosis) ID() string {
	return cmp.Or(d.Model.Hash, d.Model.ID) + "/" + cmp.Or(d.Suite, d.SuiteName) + "/" + d.Mask + "/" + d.Shift
}

// Flags are those of the score, and SmallMaps where a region is empty in a map.
func (d Diagnosis) Flags() []Flag {
	if d.Maps != nil && slices.ContainsFunc(d.Maps.Deleted, func(m model.FeatureMap) bool { return len(m.Empty) > 0 }) {
		return append(slices.Clone(d.Score.Flags), SmallMaps)
	}
	return d.Score.Flags
}

// Recipe is the augmentation that the score recommends for images of the model's input size; zero
// where that is not known.
func (d Diagnosis) Recipe() Recipe {
	r, err := NewRecipe(d.Height, d.Width, d.Score.P)
	if err != nil {
		return Recipe{}
	}
	return r
}

// NoInterval is why the score has no interval; none where it has one, or where none was asked for.
func (d Diagnosis) NoInterval() result.Reason {
	if d.Intervals.DScore.Reason == "" {
		return result.Reason{}
	}
	return result.Reason{Code: FewImages, Text: d.Intervals.DScore.Reason}
}

// Maps is what masks do to a model's file.
type Maps struct {
	Deleted   []model.FeatureMap // regions are deleted of these
	Small     []model.FeatureMap // left out, since they are smaller than n x n
	LeftAlone []int              // numbers of the convolutions whose output is not 4-D
}

// NewMaps sorts the feature maps of a model's file by what masks do to them.
func NewMaps(maps []model.FeatureMap, leftAlone []int) *Maps {
	m := &Maps{LeftAlone: leftAlone}
	for _, one := range maps {
		if one.Small {
			m.Small = append(m.Small, one)
		} else {
			m.Deleted = append(m.Deleted, one)
		}
	}
	return m
}

// Untouched is what the signals of the masks and those of the padded translations, computed apart,
// say of the same images and the same model. In another batch or on another processor an output
// can be rounded otherwise, and a prediction change with it.
type Untouched struct {
	// images with a label that are predicted rightly in the signals of the masks, of the padded
	// translations
	Masks, Shifts int
	Differ        int // images with a label that only one of both is right about
}

// Add counts an image with a label, by what both sets are right about.
func (u *Untouched) Add(masks, shifts bool) {
	if masks {
		u.Masks++
	}
	if shifts {
		u.Shifts++
	}
	if masks != shifts {
		u.Differ++
	}
}

// Remark says in words that the two sets of signals disagree about the untouched model, "" where
// they do not.
func (u Untouched) Remark() string {
	if u.Differ == 0 {
		return ""
	}
	return fmt.Sprintf("the signals of the masks have %d images right without a mask, "+
		"those of the shifts %d without a shift (%d differ); the score rests on the former",
		u.Masks, u.Shifts, u.Differ)
}

// Region is one region of a score: a row of Regions.
type Region struct {
	Of     *Diagnosis
	Number int // from 1, row by row from the upper left
}

// RegionsOf are the regions of all scores, in order.
func RegionsOf(rows []Diagnosis) []Region {
	var list []Region
	for k := range rows {
		for i := range rows[k].Accuracies.Variants {
			list = append(list, Region{&rows[k], i + 1})
		}
	}
	return list
}

// Row is the row in which the region lies, from 1.
func (r Region) Row() int { return (r.Number-1)/r.Of.N + 1 }

// Col is the column in which it lies, from 1.
func (r Region) Col() int { return (r.Number-1)%r.Of.N + 1 }

// Loss is the accuracy that deleting the region costs.
func (r Region) Loss() float64 {
	return r.Of.Accuracies.Original - r.Of.Accuracies.Variants[r.Number-1]
}

// Layer is what deleting regions of one convolution alone costs a model, or of all convolutions of
// a grid together: a row of Layers.
type Layer struct {
	Model            model.Model
	Suite, SuiteName string // content hash and name
	N                int
	// The map has the number 0 for all convolutions together. Its height and width are 0, and Empty
	// is nil, where nobody has looked into the model's file.
	model.FeatureMap
	AfterBatchNorm bool   // regions were deleted behind the batch-norm that follows
	Mask, Key      string // canonical text of the masks, and their set of signals
	Images         int    // with a label
	Original       float64
	Variants       []float64  // accuracy per region
	Intervals      []Interval // of Original - variant per region; nil where none were asked for
	// Reason says why there are no numbers of the layer in spite of its signals: they are stale or
	// damaged.
	Reason result.Reason
}

// Layer is the diagnosis with masks of one layer, or of all of a grid for a map without number, as
// what that costs.
func (d Diagnosis) Layer(m model.FeatureMap) Layer {
	return Layer{
		Model: d.Model, Suite: d.Suite, SuiteName: d.SuiteName, N: d.N, FeatureMap: m, Mask: d.Mask, Key: d.MaskKey,
		Images:   d.Images,
		Original: d.Accuracies.Original, Variants: d.Accuracies.Variants, Intervals: d.Intervals.Loss,
	}
}

// Free are the regions (from 1) that nothing is lost with: neither the loss of accuracy nor the
// end of its interval is above the tolerance, a share, and the maps are large enough to hold the
// region.
func (l Layer) Free(tolerance float64) []int {
	const slack = 1e-12 // accuracies are quotients: their differences are rounded
	list := []int{}
	for k, variant := range l.Variants {
		most := l.Original - variant
		if k < len(l.Intervals) {
			most = max(most, l.Intervals[k].High)
		}
		if most <= tolerance+slack && !slices.Contains(l.Empty, k+1) {
			list = append(list, k+1)
		}
	}
	return list
}

// LayerRegion is one region of a layer: a row of LayerRegions.
type LayerRegion struct {
	Of     *Layer
	Number int // from 1
	Free   bool
}

// LayerRegionsOf are the regions of all layers that have numbers, in order. Tolerance is that of
// Layer.Free.
func LayerRegionsOf(layers []Layer, tolerance float64) []LayerRegion {
	var list []LayerRegion
	for k := range layers {
		free := layers[k].Free(tolerance)
		for i := range layers[k].Variants {
			list = append(list, LayerRegion{&layers[k], i + 1, slices.Contains(free, i+1)})
		}
	}
	return list
}

// The codes of why there is no score or no interval, besides those of signals.
const (
	NoLabels      = "no_labels"
	NoConvolution = "no_convolution"
	OtherSettings = "other_settings" // of the model, for masks and padded translations
	OtherClasses  = "other_classes"  // other mappings of classes, likewise
	NotRun        = "not_run"        // a run failed, or the model cannot be masked
	FewImages     = "few_images"     // for intervals
)

// LeftOut is a model on a suite with a grid that has no score: a row of LeftOuts.
type LeftOut struct {
	ID, Hash         string // of the model
	Suite, SuiteName string // content hash and name
	Grid             Grid
	Reason           result.Reason
	// Sets are the canonical texts of the sets without usable signals: a run of them is what is
	// missing. Empty where a run does not help.
	Sets []string
}

// Augmented is a training set that was written: a row of Augmentations.
type Augmented struct {
	Folder, Format string
	Method         string  // of store/augmented
	P              float64 // NaN for a method without one
	Seed           uint64
	Images         int
	Changed        int  // images of these that are padded, or otherwise changed
	There          bool // it had been written before
}

func (d Diagnosis) subject() subject.Subject {
	return subject.Subject{Model: d.Model.ID, ModelHash: d.Model.Hash, Suite: d.SuiteName, SuiteHash: d.Suite}
}

func (l Layer) subject() subject.Subject {
	return subject.Subject{Model: l.Model.ID, ModelHash: l.Model.Hash, Suite: l.SuiteName, SuiteHash: l.Suite}
}

func (l LeftOut) subject() subject.Subject {
	return subject.Subject{Model: l.ID, ModelHash: l.Hash, Suite: l.SuiteName, SuiteHash: l.Suite}
}
