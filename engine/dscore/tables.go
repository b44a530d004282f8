package dscore

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
)

// scoreDecimals are those of scores in the tables of the paper.
const scoreDecimals = 4

// Scores is the table of scores, the paper's Table V. A column record.NAME is offered for each
// column NAME of the models' training records.
var Scores = result.Table[Diagnosis]{
	Name: "scores", Title: "D-Scores", Noun: "score", ID: Diagnosis.ID,
	First: result.Order{Key: "d_score", Descending: true},
	Columns: slices.Concat(about(Diagnosis.subject, func(d Diagnosis) int { return d.N }),
		[]result.Column[Diagnosis]{
			shift(func(d Diagnosis) int { return d.T }),
			result.Texts("masks", "masks", "what is deleted, as a family of masks",
				func(d Diagnosis) string { return d.Mask }).In(result.FileOnly),
			result.Texts("layers", "layers", "numbers of the convolutions that lose the region, from 1",
				Diagnosis.layers).In(result.FileOnly),
			result.Bools("after_batchnorm", "after batch-norm",
				"regions are deleted behind a batch-norm that follows a convolution directly",
				Diagnosis.afterNorm).In(result.FileOnly),
			result.Numbers("images", "images",
				"images with a label: all that a score rests on; missing for a table of accuracies", result.Count,
				func(d Diagnosis) float64 {
					if d.Images == 0 {
						return math.NaN()
					}
					return float64(d.Images)
				}),
			result.Counts("classes", "classes", "classes of the model",
				func(d Diagnosis) int { return d.Accuracies.Classes }).In(result.FileOnly),
			within(result.Numbers("baseline_accuracy", "accuracy",
				"f_b: accuracy of the model as it is on the images as they are", result.Share,
				func(d Diagnosis) float64 { return d.Accuracies.Original }),
				asked(func(i Intervals) Interval { return i.Original })),
			smallest(within(scored("v_robust", "unevenness",
				"v_robust, the smaller the better: how unevenly features and attention lie over the regions, "+
					"and how much accuracy is lost by shifting", func(s Score) float64 { return s.Robust }),
				asked(func(i Intervals) Interval { return i.Robust }))),
			within(scored("v_fitness", "fitness",
				"v_fitness, the larger the better: accuracy minus the distance between where the features are "+
					"and where the model looks", func(s Score) float64 { return s.Fitness }),
				asked(func(i Intervals) Interval { return i.Fitness })),
			within(scored("d_score", "D-Score",
				"D-Score, the larger the better: fitness minus unevenness, v_fitness - v_robust",
				func(s Score) float64 { return s.DScore }), asked(func(i Intervals) Interval { return i.DScore })),
			smallest(scored("robust_features", "uneven features",
				"addend of v_robust: how unevenly features lie over the regions",
				func(s Score) float64 { return s.RobustTerms[0] })).In(result.Offered),
			smallest(scored("robust_attention", "uneven attention",
				"addend of v_robust: how unevenly attention lies over the regions",
				func(s Score) float64 { return s.RobustTerms[1] })).In(result.Offered),
			smallest(scored("robust_shift", "loss by shifting",
				"addend of v_robust: how much accuracy is lost by shifting",
				func(s Score) float64 { return s.RobustTerms[2] })).In(result.Offered),
			smallest(scored("g", "most uneven",
				"g(n): the bound of v_robust for n x n regions and the suite's number of classes",
				func(s Score) float64 { return s.Bound })),
			smallest(within(scored("p", "share to pad",
				"p: v_robust divided by g(n), the recommended probability of augmentation, "+
					"and share by which images are padded",
				func(s Score) float64 { return s.P }), asked(func(i Intervals) Interval { return i.P }))),
			pixels("padded_height", "padded height",
				"height to which the recommended augmentation pads images, in pixels",
				func(d Diagnosis) int { r := d.Recipe(); return r.Height + r.TotalHeight }),
			pixels("padded_width", "padded width", "width to which the recommended augmentation pads images, in pixels",
				func(d Diagnosis) int { r := d.Recipe(); return r.Width + r.TotalWidth }),
			pixels("image_height", "image height", "height of the model's input, in pixels",
				func(d Diagnosis) int { return d.Height }).In(result.FileOnly),
			pixels("image_width", "image width", "width of the model's input, in pixels",
				func(d Diagnosis) int { return d.Width }).In(result.FileOnly),
			pixels("shifted_height", "shifted height", "height of a shifted image, in pixels",
				func(d Diagnosis) int {
					h, _ := region.PaddedSize(d.Height, d.Width, d.N, d.T)
					return h
				}).In(result.FileOnly),
			pixels("shifted_width", "shifted width", "width of a shifted image, in pixels",
				func(d Diagnosis) int {
					_, w := region.PaddedSize(d.Height, d.Width, d.N, d.T)
					return w
				}).In(result.FileOnly),
			result.Texts("flags", "flags",
				"what a score rests on where its formula has no value, and scores beyond their bound",
				func(d Diagnosis) string { return joined(d.Flags(), ";", Flag.code) }).
				Told(func(d Diagnosis) string { return joined(d.Flags(), ", ", Flag.Word) }),
			result.Texts("interval_reason", "no interval", "why the score has no interval",
				func(d Diagnosis) string { return d.NoInterval().Text }).In(result.FileOnly),
			result.Texts("layers_left_alone", "layers left alone",
				"numbers of the convolutions whose output is not 4-D",
				Diagnosis.leftAlone).In(result.FileOnly),
			result.Texts("remark", "remark",
				"where the signals of masks and of shifts disagree about the untouched model",
				func(d Diagnosis) string { return d.Untouched.Remark() }).In(result.FileOnly),
		}),
	More: func(rows []Diagnosis) []result.Column[Diagnosis] {
		return model.RecordColumns(rows, func(d Diagnosis) model.Model { return d.Model })
	},
}

// Regions is the table of all regions of scores. OfOneScore is the same for the regions of one
// score: people do not see its model, suite, n and t again.
var (
	Regions = result.Table[Region]{
		Name: "regions", Title: "Regions", Noun: "region", First: result.Order{Key: "region"},
		ID: func(r Region) string { return r.Of.ID() + "/" + strconv.Itoa(r.Number) },
		Columns: slices.Concat(about(func(r Region) subject.Subject { return r.Of.subject() },
			func(r Region) int { return r.Of.N }),
			[]result.Column[Region]{
				shift(func(r Region) int { return r.Of.T }),
				smallest(result.Counts("region", "region", "number of the region, row by row from the upper left",
					func(r Region) int { return r.Number })),
				smallest(result.Counts("row", "row", "row of the region, from 1", Region.Row)),
				smallest(result.Counts("column", "column", "column of the region, from 1", Region.Col)),
				result.Numbers("baseline_accuracy", "accuracy",
					"f_b: accuracy of the model as it is on the images as they are",
					result.Share, func(r Region) float64 { return r.Of.Accuracies.Original }).In(result.FileOnly),
				result.Counts("classes", "classes", "classes of the model",
					func(r Region) int { return r.Of.Accuracies.Classes }).In(result.FileOnly),
				ofRegion("variant_accuracy", "accuracy without it",
					"f_i: accuracy with the region deleted from the model's feature maps", result.Share,
					func(d *Diagnosis) []float64 { return d.Accuracies.Variants },
					func(i Intervals) []Interval { return i.Variants }),
				within(result.Numbers("loss", "loss", "f_b - f_i: what deleting the region costs",
					result.Points, Region.Loss),
					func(r Region) Interval { return at(r.Of.Intervals.Loss, r.Number-1) }),
				ofRegion("feature", "share of features", "f~_i: the region's share of the features", result.Share,
					func(d *Diagnosis) []float64 { return d.Score.Features },
					func(i Intervals) []Interval { return i.Features }),
				ofRegion("shifted_accuracy", "accuracy shifted there",
					"a_i: accuracy on images that are shifted to the region",
					result.Share,
					func(d *Diagnosis) []float64 { return d.Accuracies.Shifted },
					func(i Intervals) []Interval { return i.Shifted }),
				ofRegion("attention", "share of attention", "a~_i: the region's share of the attention", result.Share,
					func(d *Diagnosis) []float64 { return d.Score.Attention },
					func(i Intervals) []Interval { return i.Attention }),
				result.Numbers("difference", "difference", "f~_i - a~_i: share of features minus share of attention",
					result.Points,
					func(r Region) float64 {
						return r.Of.Score.Features[r.Number-1] - r.Of.Score.Attention[r.Number-1]
					}),
				padding("top", "padding: top", "above", func(p region.Padding) int { return p.Top }),
				padding("bottom", "bottom", "below", func(p region.Padding) int { return p.Bottom }),
				padding("left", "left", "left of", func(p region.Padding) int { return p.Left }),
				padding("right", "right", "right of", func(p region.Padding) int { return p.Right }),
			}),
	}
	OfOneScore = Regions.Place(result.FileOnly, "model_id", "suite", "n", "t")
)

// featureMaps is the table of what masks do to the convolutions of models whose files are here.
var featureMaps = result.Table[featureMap]{
	Name: "maps", Title: "Feature maps", Noun: "map",
	ID: func(m featureMap) string { return fmt.Sprint(m.of.ID(), "/", m.Number) },
	Columns: slices.Concat(about(func(m featureMap) subject.Subject { return m.of.subject() },
		func(m featureMap) int { return m.of.N }),
		convolution(func(m featureMap) model.FeatureMap { return m.FeatureMap }),
		[]result.Column[featureMap]{
			result.Bools("left_out", "left out", "the maps are smaller than n x n, and the layer is left out",
				func(m featureMap) bool { return m.Small }),
		}),
}

// featureMap is a convolution of a model with a grid.
type featureMap struct {
	of *Diagnosis
	model.FeatureMap
}

// MapsOf is the sheet of the feature maps of all scores; those that differ by t alone share theirs.
func MapsOf(rows []Diagnosis) *result.Sheet {
	var list []featureMap
	seen := map[[3]string]bool{}
	for k := range rows {
		d := &rows[k]
		key := [3]string{d.Model.Hash, d.Suite, d.Mask}
		if d.Maps == nil || seen[key] {
			continue
		}
		seen[key] = true
		for _, m := range slices.Concat(d.Maps.Deleted, d.Maps.Small) {
			list = append(list, featureMap{d, m})
		}
	}
	slices.SortStableFunc(list, func(a, b featureMap) int {
		if a.of != b.of {
			return 0
		}
		return a.Number - b.Number
	})
	return featureMaps.Sheet(list)
}

// Layers is the table of what deleting regions of single layers costs, with the regions that
// nothing is lost with (Layer.Free with this tolerance).
func Layers(tolerance float64) result.Table[Layer] {
	worst := func(l Layer) int { return slices.Index(l.Variants, slices.Min(l.Variants)) }
	return result.Table[Layer]{
		Name: "layer_totals", Title: "Layers", Noun: "layer", ID: Layer.id,
		Columns: slices.Concat(about(Layer.subject, func(l Layer) int { return l.N }),
			convolution(func(l Layer) model.FeatureMap { return l.FeatureMap }),
			[]result.Column[Layer]{
				result.Numbers("smallest_loss", "smallest loss", "accuracy lost without the region that costs least",
					result.Points,
					numeric(func(l Layer) float64 { return l.Original - slices.Max(l.Variants) })).
					Because(func(l Layer) result.Reason { return l.Reason }),
				result.Numbers("largest_loss", "largest loss",
					"accuracy lost without the region that costs most", result.Points,
					numeric(func(l Layer) float64 { return l.Original - slices.Min(l.Variants) })),
				result.Numbers("largest_region", "in region", "the region that costs most", result.Count,
					numeric(func(l Layer) float64 { return float64(worst(l) + 1) })),
				result.Texts("nothing_lost", "nothing lost without",
					"regions whose loss of accuracy, with its 95 % interval, is within the tolerance",
					func(l Layer) string { return joined(l.Free(tolerance), ";", strconv.Itoa) }).
					Told(func(l Layer) string { return l.freeWords(tolerance) }),
			}),
	}
}

// LayerRegions is the table of the regions of layers.
var LayerRegions = result.Table[LayerRegion]{
	Name: "layers", Title: "Regions of layers", Noun: "region",
	ID: func(r LayerRegion) string { return r.Of.id() + "/" + strconv.Itoa(r.Number) },
	Columns: slices.Concat(about(func(r LayerRegion) subject.Subject { return r.Of.subject() },
		func(r LayerRegion) int { return r.Of.N }),
		convolution(func(r LayerRegion) model.FeatureMap { return r.Of.FeatureMap })[:2],
		[]result.Column[LayerRegion]{
			result.Counts("region", "region", "number of the region, row by row from the upper left",
				func(r LayerRegion) int { return r.Number }),
			result.Numbers("baseline_accuracy", "accuracy", "accuracy of the model as it is", result.Share,
				func(r LayerRegion) float64 { return r.Of.Original }),
			result.Numbers("variant_accuracy", "accuracy without it",
				"accuracy with the region deleted from the layer's maps", result.Share,
				func(r LayerRegion) float64 { return r.Of.Variants[r.Number-1] }),
			within(result.Numbers("loss", "loss", "what deleting the region costs", result.Points,
				func(r LayerRegion) float64 { return r.Of.Original - r.Of.Variants[r.Number-1] }),
				func(r LayerRegion) Interval { return at(r.Of.Intervals, r.Number-1) }),
			result.Bools("nothing_lost", "nothing lost", "the loss, with its 95 % interval, is within the tolerance",
				func(r LayerRegion) bool { return r.Free }),
		}),
}

// LeftOuts is the table of what has no score.
var LeftOuts = result.Table[LeftOut]{
	Name: "left_out", Title: "Left out", Noun: "row",
	ID: func(l LeftOut) string { return l.Hash + "/" + l.Suite + "/" + l.Grid.Mask + "/" + l.Grid.Shift },
	Columns: slices.Concat(about(LeftOut.subject, func(l LeftOut) int { return l.Grid.N }),
		[]result.Column[LeftOut]{
			shift(func(l LeftOut) int { return l.Grid.T }),
			result.Texts("masks", "masks", "what is deleted, as a family of masks",
				func(l LeftOut) string { return l.Grid.Mask }).In(result.FileOnly),
			result.Texts("reason", "why", "why there is no score", func(l LeftOut) string { return l.Reason.Text }),
			result.Texts("code", "code", "the reason in a word, for programs",
				func(l LeftOut) string { return l.Reason.Code }).In(result.FileOnly),
			result.Texts("families", "families", "families whose run would end it",
				func(l LeftOut) string { return strings.Join(l.Sets, " ") }).In(result.FileOnly),
		}),
}

// Augmentations is the table of augmented training sets that were written.
var Augmentations = result.Table[Augmented]{
	Name: "augmented", Title: "Augmented training sets", Noun: "set", ID: func(a Augmented) string { return a.Folder },
	Columns: []result.Column[Augmented]{
		result.Texts("folder", "folder", "where the set lies", func(a Augmented) string { return a.Folder }).Once(),
		result.Texts("format", "format", "folder (PNG files in class folders) or idx",
			func(a Augmented) string { return a.Format }),
		result.Texts("method", "method",
			"guided as a score recommends, or one that the D-Score paper compares: rhf, rvf, rhv, rr, rpr",
			func(a Augmented) string { return a.Method }),
		result.Numbers("p", "p",
			"probability of guided augmentation, and share by which images are padded", result.Number,
			func(a Augmented) float64 { return a.P }),
		result.Numbers("seed", "seed", "of what is drawn", result.Count,
			func(a Augmented) float64 { return float64(a.Seed) }),
		result.Counts("images", "images", "images of the set", func(a Augmented) int { return a.Images }),
		result.Counts("padded", "padded", "images of these that are padded, or otherwise changed",
			func(a Augmented) int { return a.Changed }),
		result.Bools("there_already", "there already", "the set had been written before",
			func(a Augmented) bool { return a.There }).Once(),
	},
}

// about are the columns of what a row is about: model, suite and n.
func about[R any](of func(R) subject.Subject, n func(R) int) []result.Column[R] {
	return append(result.Lift(subject.Columns[:4], of), side(n))
}

func side[R any](n func(R) int) result.Column[R] {
	return smallest(result.Counts("n", "regions a side", "n: images are cut into n x n regions", n))
}

func shift[R any](t func(R) int) result.Column[R] {
	return smallest(result.Counts("t", "units a side", "t: units of an image's side; shifting moves it by units", t))
}

// smallest is a column that is sorted from its smallest value on.
func smallest[R any](c result.Column[R]) result.Column[R] { c.Descending = false; return c }

func scored(key, title, help string, of func(Score) float64) result.Column[Diagnosis] {
	c := result.Numbers(key, title, help, result.Number, func(d Diagnosis) float64 { return of(d.Score) })
	c.Decimals = scoreDecimals
	return c
}

// pixels is a column of sizes that are missing where the size of images is.
func pixels(key, title, help string, of func(Diagnosis) int) result.Column[Diagnosis] {
	return result.Numbers(key, title, help, result.Count, func(d Diagnosis) float64 {
		if d.Height < 1 || d.Width < 1 {
			return math.NaN()
		}
		return float64(of(d))
	})
}

// asked is one of the intervals of a score, none where none were asked for.
func asked(of func(Intervals) Interval) func(Diagnosis) Interval {
	return func(d Diagnosis) Interval {
		if d.Intervals.Samples == 0 {
			return noInterval
		}
		return of(d.Intervals)
	}
}

// noInterval stands where intervals were not asked for.
var noInterval = Interval{Reason: "not asked for"}

// within is a column with intervals; one with a reason is none.
func within[R any](c result.Column[R], of func(R) Interval) result.Column[R] {
	end := func(pick func(Interval) float64) func(R) float64 {
		return func(r R) float64 {
			i := of(r)
			if i.Reason != "" {
				return math.NaN()
			}
			return pick(i)
		}
	}
	return c.Between(end(func(i Interval) float64 { return i.Low }), end(func(i Interval) float64 { return i.High }))
}

// at is an interval of a list, none where there are none.
func at(list []Interval, k int) Interval {
	if k >= len(list) {
		return noInterval
	}
	return list[k]
}

// ofRegion is a column of a list over regions, with intervals.
func ofRegion(
	key, title, help string, format result.Format, of func(*Diagnosis) []float64, in func(Intervals) []Interval,
) result.Column[Region] {
	c := result.Numbers(key, title, help, format, func(r Region) float64 { return of(r.Of)[r.Number-1] })
	return within(c, func(r Region) Interval { return at(in(r.Of.Intervals), r.Number-1) })
}

func padding(key, title, where string, of func(region.Padding) int) result.Column[Region] {
	return result.Numbers(key, title, "pixels that are put "+where+" an image to shift it to the region", result.Count,
		func(r Region) float64 {
			if r.Of.Height < 1 || r.Of.Width < 1 {
				return math.NaN()
			}
			return float64(of(region.Pad(r.Of.Height, r.Of.Width, r.Of.N, r.Of.T, r.Number)))
		})
}

// convolution are the columns of a convolution: number and tensor, then size and empty regions.
func convolution[R any](of func(R) model.FeatureMap) []result.Column[R] {
	side := func(key, help string, of func(model.FeatureMap) int) result.Column[model.FeatureMap] {
		return result.Numbers(key, key, help, result.Count, func(m model.FeatureMap) float64 {
			if v := of(m); v > 0 {
				return float64(v)
			}
			return math.NaN()
		})
	}
	return result.Lift([]result.Column[model.FeatureMap]{
		smallest(result.Counts("layer", "layer", "number of the convolution, from 1; 0 for all together",
			func(m model.FeatureMap) int { return m.Number })),
		result.Texts("tensor", "tensor", "output of the convolution",
			func(m model.FeatureMap) string { return m.Tensor }),
		side("height", "rows of the maps, where the file tells", func(m model.FeatureMap) int { return m.Height }),
		side("width", "columns of the maps, where the file tells", func(m model.FeatureMap) int { return m.Width }),
		result.Texts("empty_regions", "empty regions",
			"regions that hold no entry of the maps: deleting them does nothing there",
			func(m model.FeatureMap) string { return joined(m.Empty, ";", strconv.Itoa) }).In(result.FileOnly),
	}, of)
}

func (l Layer) id() string { return l.Model.Hash + "/" + l.Suite + "/" + l.Mask }

// numeric is a value of layers with numbers, missing in others.
func numeric(value func(Layer) float64) func(Layer) float64 {
	return func(l Layer) float64 {
		if len(l.Variants) == 0 {
			return math.NaN()
		}
		return value(l)
	}
}

// freeWords names the regions that nothing is lost with, and those that the maps are too small
// for.
func (l Layer) freeWords(tolerance float64) string {
	free := l.Free(tolerance)
	text := numbers(free)
	switch len(free) {
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

func (d Diagnosis) layers() string {
	if d.Maps == nil {
		return ""
	}
	return joined(d.Maps.Deleted, ";", func(m model.FeatureMap) string { return strconv.Itoa(m.Number) })
}

func (d Diagnosis) leftAlone() string {
	if d.Maps == nil {
		return ""
	}
	return joined(d.Maps.LeftAlone, ";", strconv.Itoa)
}

func (d Diagnosis) afterNorm() bool {
	masks, err := d.Masks()
	return err == nil && masks.AfterBatchNorm
}

func (f Flag) code() string { return string(f) }

// joined are the words of a list.
func joined[V any](list []V, between string, word func(V) string) string {
	words := make([]string, len(list))
	for k, v := range list {
		words[k] = word(v)
	}
	return strings.Join(words, between)
}

// numbers are "1, 2, 5".
func numbers(list []int) string { return joined(list, ", ", strconv.Itoa) }
