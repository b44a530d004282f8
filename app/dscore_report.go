package app

import (
	"slices"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/store/augmented"
	"github.com/variscope/variscope/store/diagnosis"
)

// dscoreReport is what dscore prints with --json. Accuracies are shares; lists over regions are row-major from the upper
// left, region 1 first.
type dscoreReport struct {
	Scores    []dscoreRow      `json:"scores"`
	Layers    []layerReport    `json:"per_layer,omitempty"`
	Tolerance *float64         `json:"tolerance,omitempty"` // of per_layer
	Augmented *augmentedReport `json:"augmented,omitempty"`
	LeftOut   []dscoreLeft     `json:"left_out"`
}

// dscoreRow is one model on one suite with one n and t.
type dscoreRow struct {
	Model          string           `json:"model_id"`
	Hash           string           `json:"model_hash"`
	Suite          string           `json:"suite"`
	SuiteHash      string           `json:"suite_hash"`
	N              int              `json:"n"`
	T              int              `json:"t"`
	Layers         []int            `json:"layers"` // convolutions that lose the region, from 1; null where the model's file is not here
	AfterBatchNorm bool             `json:"after_batchnorm"`
	Images         int              `json:"images"` // with a label
	Classes        int              `json:"classes"`
	Baseline       float64          `json:"baseline_accuracy"`
	Variants       []float64        `json:"variant_accuracy"`
	Shifted        []float64        `json:"shifted_accuracy"`
	Features       []float64        `json:"feature_distribution"`
	Attention      []float64        `json:"attention_distribution"`
	RobustTerms    [3]float64       `json:"robust_terms"`
	Robust         float64          `json:"v_robust"`
	Fitness        float64          `json:"v_fitness"`
	DScore         float64          `json:"d_score"`
	Bound          float64          `json:"g"`
	P              float64          `json:"p"`
	Flags          []dscore.Flag    `json:"flags"`
	Intervals      *intervalsReport `json:"intervals,omitempty"`
	ImageSize      [2]int           `json:"image_size"` // of the model's input: height, width
	PaddedSize     [2]int           `json:"padded_size"`
	Padding        []paddingReport  `json:"padding"`
	Augmentation   augmentReport    `json:"augmentation"`
	Empty          []emptyReport    `json:"empty_regions"`
	Small          []smallReport    `json:"layers_too_small,omitempty"` // left out by --layers auto
	LeftAlone      []int            `json:"layers_left_alone"`          // convolutions whose output is not 4-D
	Remark         string           `json:"remark,omitempty"`           // where the signals of masks and of shifts disagree
}

// intervalsReport holds pairs of low and high, null where there is no interval.
type intervalsReport struct {
	Level     float64       `json:"level"`
	Samples   int           `json:"samples"`
	Seed      uint64        `json:"seed"`
	Reason    string        `json:"reason,omitempty"` // why those of scores and of the features' distribution are null
	Baseline  *[2]float64   `json:"baseline_accuracy"`
	Robust    *[2]float64   `json:"v_robust"`
	Fitness   *[2]float64   `json:"v_fitness"`
	DScore    *[2]float64   `json:"d_score"`
	P         *[2]float64   `json:"p"`
	Variants  []*[2]float64 `json:"variant_accuracy"`
	Loss      []*[2]float64 `json:"loss"` // baseline - variant
	Shifted   []*[2]float64 `json:"shifted_accuracy"`
	Features  []*[2]float64 `json:"feature_distribution"`
	Attention []*[2]float64 `json:"attention_distribution"`
}

// paddingReport is what is put around an image to shift it to a region, in pixels.
type paddingReport struct {
	Region int `json:"region"`
	Top    int `json:"top"`
	Bottom int `json:"bottom"`
	Left   int `json:"left"`
	Right  int `json:"right"`
}

// augmentReport is what the score recommends for images of image_size: total padding of both sides together.
type augmentReport struct {
	P          float64 `json:"p"`
	Total      [2]int  `json:"total"` // height, width
	PaddedSize [2]int  `json:"padded_size"`
}

// emptyReport are regions of a map that hold no entry: deleting them does nothing there.
type emptyReport struct {
	Layer   int    `json:"layer"`
	Tensor  string `json:"tensor"`
	Height  int    `json:"height"`
	Width   int    `json:"width"`
	Regions []int  `json:"regions"`
}

// layerReport is what deleting regions of one convolution alone costs a model.
type layerReport struct {
	Model     string        `json:"model_id"`
	Hash      string        `json:"model_hash"`
	Suite     string        `json:"suite"`
	SuiteHash string        `json:"suite_hash"`
	N         int           `json:"n"`
	Layer     int           `json:"layer"`
	Tensor    string        `json:"tensor"`
	Height    int           `json:"height"` // of its maps; 0 where the file does not tell
	Width     int           `json:"width"`
	Baseline  float64       `json:"baseline_accuracy"`
	Variants  []float64     `json:"variant_accuracy"`
	Loss      []*[2]float64 `json:"loss_interval,omitempty"`
	// NothingLost are the regions whose loss is at most the tolerance, with its whole interval where there is one; Empty are those that
	// hold no entry of the layer's maps, of which nothing can be said.
	NothingLost []int `json:"nothing_lost"`
	Empty       []int `json:"empty_regions"`
}

// augmentedReport is the training set that --augment wrote.
type augmentedReport struct {
	Folder string  `json:"folder"`
	Format string  `json:"format"`
	P      float64 `json:"p"`
	Seed   uint64  `json:"seed"`
	Images int     `json:"images"`
	Padded int     `json:"padded"`
	There  bool    `json:"there_already"`
}

// dscoreLeft is a combination without a score.
type dscoreLeft struct {
	Model     string `json:"model_id"`
	Hash      string `json:"model_hash"`
	Suite     string `json:"suite"`
	SuiteHash string `json:"suite_hash"`
	N         int    `json:"n"`
	T         int    `json:"t"`
	Reason    string `json:"reason"`
}

// report is the whole document.
func (w *dscoreWork) report(found []diagnosis.Diagnosis, left []diagnosis.LeftOut) (dscoreReport, error) {
	r := dscoreReport{LeftOut: make([]dscoreLeft, len(left))}
	for i, l := range left {
		r.LeftOut[i] = dscoreLeft{l.ID, l.Hash, suiteName(w.ws, l.Suite), l.Suite, l.Grid.N, l.Grid.T, l.Reason}
	}
	for _, d := range found {
		row, err := w.row(d)
		if err != nil {
			return r, err
		}
		r.Scores = append(r.Scores, row)
	}
	return r, nil
}

func (w *dscoreWork) row(d diagnosis.Diagnosis) (dscoreRow, error) {
	a, sc := d.Accuracies, d.Score
	row := dscoreRow{
		Model: d.Model.ID, Hash: d.Model.Hash, Suite: d.SuiteName, SuiteHash: d.Suite, N: d.N, T: d.T, AfterBatchNorm: w.AfterBatchnorm,
		Images: d.Images, Classes: a.Classes, Baseline: a.Original, Variants: a.Variants, Shifted: a.Shifted,
		Features: sc.Features, Attention: sc.Attention, RobustTerms: sc.RobustTerms, Robust: sc.Robust, Fitness: sc.Fitness,
		DScore: sc.DScore, Bound: sc.Bound, P: sc.P, Flags: slices.Concat([]dscore.Flag{}, sc.Flags),
		Empty: []emptyReport{}, LeftAlone: []int{}, Remark: d.Untouched.Remark(),
	}
	if w.Samples > 0 {
		row.Intervals = newIntervals(d.Intervals, w.Seed)
	}
	if e := w.edits[editKey{d.Model.Hash, d.Suite, d.N}]; e.known {
		row.addMaps(e)
	}
	return row, w.addSizes(&row, d)
}

// addMaps says which layers lose a region, and where there is nothing to lose.
func (r *dscoreRow) addMaps(e edited) {
	r.LeftAlone = append(r.LeftAlone, e.leftAlone...)
	for _, one := range e.small {
		r.Small = append(r.Small, smallReport{one.Number, one.Tensor, one.Height, one.Width})
	}
	for _, one := range e.maps {
		r.Layers = append(r.Layers, one.Number)
		if len(one.Empty) > 0 {
			r.Empty = append(r.Empty, newEmpty(one))
		}
	}
	if len(r.Empty) > 0 {
		r.Flags = append(r.Flags, dscore.SmallMaps)
	}
}

// smallReport is a convolution whose map has fewer rows or columns than there are regions a side.
type smallReport struct {
	Layer  int    `json:"layer"`
	Tensor string `json:"tensor"`
	Height int    `json:"height"`
	Width  int    `json:"width"`
}

func newEmpty(m onnx.Map) emptyReport {
	return emptyReport{Layer: m.Number, Tensor: m.Tensor, Height: m.Height, Width: m.Width, Regions: m.Empty}
}

// addSizes adds the geometry at the model's input size.
func (w *dscoreWork) addSizes(row *dscoreRow, d diagnosis.Diagnosis) error {
	manifest, err := w.ws.Suite(d.Suite)
	if err != nil {
		return err
	}
	in := inputFor(d.Model, manifest)
	recipe, err := dscore.NewRecipe(in.Height, in.Width, d.Score.P)
	if err != nil {
		return err
	}
	row.ImageSize = [2]int{in.Height, in.Width}
	row.PaddedSize[0], row.PaddedSize[1] = region.PaddedSize(in.Height, in.Width, d.N, d.T)
	for i := 1; i <= d.N*d.N; i++ {
		p := region.Pad(in.Height, in.Width, d.N, d.T, i)
		row.Padding = append(row.Padding, paddingReport{i, p.Top, p.Bottom, p.Left, p.Right})
	}
	row.Augmentation = augmentReport{
		P: recipe.P, Total: [2]int{recipe.TotalHeight, recipe.TotalWidth},
		PaddedSize: [2]int{in.Height + recipe.TotalHeight, in.Width + recipe.TotalWidth},
	}
	return nil
}

// recipeOf is what recipe.json holds of a score.
func (r dscoreRow) recipeOf(d diagnosis.Diagnosis, seed uint64) augmented.Recipe {
	return augmented.Recipe{
		Model: r.Model, Suite: r.Suite, Grid: r.N, T: r.T, Mask: d.Mask, Shift: d.Shift, Seed: seed, Accuracies: d.Accuracies, Score: d.Score,
		Augmentation: dscore.Recipe{
			Height: r.ImageSize[0], Width: r.ImageSize[1], P: r.P,
			TotalHeight: r.Augmentation.Total[0], TotalWidth: r.Augmentation.Total[1],
		},
	}
}

func newIntervals(i dscore.Intervals, seed uint64) *intervalsReport {
	return &intervalsReport{
		Level: i.Level, Samples: i.Samples, Seed: seed, Reason: i.DScore.Reason, Baseline: pair(i.Original), Robust: pair(i.Robust), Fitness: pair(i.Fitness),
		DScore: pair(i.DScore), P: pair(i.P), Variants: pairs(i.Variants), Loss: pairs(i.Loss), Shifted: pairs(i.Shifted),
		Features: pairs(i.Features), Attention: pairs(i.Attention),
	}
}

// pair is nil where there is no interval.
func pair(i dscore.Interval) *[2]float64 {
	if i.Reason != "" {
		return nil
	}
	return &[2]float64{i.Low, i.High}
}

func pairs(list []dscore.Interval) []*[2]float64 {
	all := make([]*[2]float64, len(list))
	for k, i := range list {
		all[k] = pair(i)
	}
	return all
}
