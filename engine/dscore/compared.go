package dscore

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
)

// ranked are the scores by which models are compared: their keys, names in the paper and titles.
var ranked = []struct {
	key, letters, title string
	up                  bool // the larger the better
	value               func(Diagnosis) float64
}{
	{"v_robust", "v_robust", "unevenness", false, func(d Diagnosis) float64 { return d.Score.Robust }},
	{"v_fitness", "v_fitness", "fitness", true, func(d Diagnosis) float64 { return d.Score.Fitness }},
	{"d_score", "D-Score", "D-Score", true, func(d Diagnosis) float64 { return d.Score.DScore }},
}

// Several are the scores of one model on one suite with several grids: a row of SeveralTable.
type Several struct {
	Model            model.Model
	Suite, SuiteName string
	By               []Diagnosis // in the order of the grids; without a model where there is none
}

// SeveralOf are the scores with these grids, of the models of which some are among all, in this
// order.
func SeveralOf(models []model.Model, all []Diagnosis, grids []Grid) []Several {
	var list []Several
	for _, m := range models {
		s, some := Several{Model: m, By: make([]Diagnosis, len(grids))}, false
		for k, g := range grids {
			at := slices.IndexFunc(all, func(d Diagnosis) bool { return d.Model.Hash == m.Hash && d.Grid == g })
			if at >= 0 {
				s.By[k], s.Suite, s.SuiteName, some = all[at], all[at].Suite, all[at].SuiteName, true
			}
		}
		if some {
			list = append(list, s)
		}
	}
	return list
}

// SeveralTable has the scores of models with several grids side by side, the paper's Table V.
func SeveralTable(grids []Grid) result.Table[Several] {
	about := result.Lift(subject.Columns[:4], func(s Several) subject.Subject {
		return subject.Subject{Model: s.Model.ID, ModelHash: s.Model.Hash, Suite: s.SuiteName, SuiteHash: s.Suite}
	})
	about[2].Show = result.FileOnly
	return result.Table[Several]{
		Name: "scores_by_n", Title: "D-Scores with several n", Noun: "model",
		ID: func(s Several) string { return s.Model.Hash }, Columns: about, First: result.Order{Key: "model_id"},
		More: func(rows []Several) []result.Column[Several] {
			var list []result.Column[Several]
			for k, g := range grids {
				for _, s := range ranked {
					c := result.Numbers(fmt.Sprintf("%s_n%d_t%d", s.key, g.N, g.T),
						fmt.Sprintf("%s, n = %d", s.title, g.N),
						s.letters+" with "+g.String(), result.Number, func(r Several) float64 {
							if r.By[k].Model.Hash == "" {
								return math.NaN()
							}
							return s.value(r.By[k])
						})
					c.Decimals, c.Descending = scoreDecimals, s.up
					list = append(list, c.Starred(rows))
				}
			}
			return list
		},
	}
}

// Quantity is a number of several models: a row of QuantityTable. Region is the one that it is
// about, 0 for none.
type Quantity struct {
	Key    string
	Words  string
	Region int
	values []float64 // by model
	score  bool      // a score, else a share
	up     bool      // the larger the better
	starry bool      // the best model is marked
	in     Interval  // of the difference of two models; with a reason, none
}

// QuantitiesOf are accuracy and scores of models, then a_i and f~_i of every region: the paper's
// Table VI. All models have the same n. Of two models, apart (nil for none) has the intervals of
// what sets them apart.
func QuantitiesOf(models []Diagnosis, apart *Differences) []Quantity {
	if len(models) == 0 {
		return nil
	}
	over := func(q Quantity, value func(Diagnosis) float64) Quantity {
		q.in = noInterval
		for _, d := range models {
			q.values = append(q.values, value(d))
		}
		return q
	}
	list := []Quantity{over(Quantity{Key: "accuracy", Words: "accuracy", up: true, starry: true},
		func(d Diagnosis) float64 { return d.Accuracies.Original })}
	for _, s := range ranked {
		of := Quantity{Key: s.letters, Words: s.title, score: true, up: s.up, starry: true}
		list = append(list, over(of, s.value))
	}
	for _, kind := range []struct {
		key, words string
		of         func(Diagnosis) []float64
	}{
		{"a", "accuracy shifted to region", func(d Diagnosis) []float64 { return d.Accuracies.Shifted }},
		{"f~", "share of features in region", func(d Diagnosis) []float64 { return d.Score.Features }},
	} {
		for i := range models[0].N * models[0].N {
			number := strconv.Itoa(i + 1)
			list = append(list,
				over(Quantity{Key: kind.key + "_" + number, Words: kind.words + " " + number, Region: i + 1},
					func(d Diagnosis) float64 { return kind.of(d)[i] }))
		}
	}
	if apart != nil {
		for k, in := range []Interval{apart.Original, apart.Robust, apart.Fitness, apart.DScore} {
			list[k].in = in
		}
	}
	return list
}

// QuantityTable has a column for each of the models, and one for the difference of two.
func QuantityTable(models []Diagnosis) result.Table[Quantity] {
	t := result.Table[Quantity]{
		Name: "scores_side_by_side", Title: "Models side by side", Noun: "quantity",
		ID: func(q Quantity) string { return q.Key },
		Columns: []result.Column[Quantity]{result.Texts("quantity", "quantity",
			"v_robust, v_fitness, D-Score; "+
				"a_i: accuracy on images shifted to region i; f~_i: the region's share of the features",
			func(q Quantity) string { return q.Key }).Told(func(q Quantity) string { return q.Words })},
	}
	for k, d := range models {
		key := "model." + d.Model.ID
		if slices.ContainsFunc(t.Columns, func(c result.Column[Quantity]) bool { return c.Key == key }) {
			key += "." + d.Model.Hash // another one of the same name
		}
		c := result.Numbers(key, d.Model.ID, "", result.Number, func(q Quantity) float64 { return q.values[k] })
		c = told(c, result.Share, func(q Quantity) bool { return !q.score })
		c.Sign = func(q Quantity) string {
			if !q.starry {
				return ""
			}
			return result.Star(q.values[k], q.values, q.up)
		}
		t.Columns = append(t.Columns, c)
	}
	if len(models) == 2 {
		c := result.Numbers("difference", "difference", differenceHelp, result.Number,
			func(q Quantity) float64 { return q.values[1] - q.values[0] })
		c = told(c, result.Points, func(q Quantity) bool { return !q.score })
		t.Columns = append(t.Columns, within(c, func(q Quantity) Interval { return q.in }))
	}
	return t
}

// Losses is the table of what deleting each region of layers costs a model, with ✓ before what is
// within the tolerance (Layer.Free). All layers have n x n regions.
func Losses(n int, tolerance float64) result.Table[Layer] {
	why := func(l Layer) result.Reason { return l.Reason }
	t := result.Table[Layer]{
		Name: "losses", Title: "What deleting regions costs", Noun: "layer", ID: Layer.id,
		Columns: []result.Column[Layer]{
			result.Texts("layer", "deleted in", "layers whose feature maps lose the region", Layer.Name),
			result.Texts("tensor", "tensor", "output of the convolution", func(l Layer) string { return l.Tensor }),
			result.Numbers("baseline_accuracy", "accuracy", "accuracy of the model as it is", result.Share,
				numeric(func(l Layer) float64 { return l.Original })).Because(why),
			result.Texts("free", "no loss in", "how many regions can be deleted, each alone, within the tolerance",
				func(l Layer) string { return l.FreeText(tolerance) }).Because(why),
		},
	}
	for i := range n * n {
		c := result.Numbers("region_"+strconv.Itoa(i+1), fmt.Sprintf("region %d", i+1),
			"what deleting the region costs",
			result.Points, numeric(func(l Layer) float64 { return l.Original - l.Variants[i] })).Because(why)
		c = within(c, func(l Layer) Interval { return at(l.Intervals, i) })
		c.Sign = func(l Layer) string {
			if slices.Contains(l.Free(tolerance), i+1) {
				return "✓"
			}
			return ""
		}
		t.Columns = append(t.Columns, c)
	}
	return t
}

// FreeText is "5 of 9": how many of the regions nothing is lost with; "" without numbers.
func (l Layer) FreeText(tolerance float64) string {
	if len(l.Variants) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", len(l.Free(tolerance)), len(l.Variants))
}

// Name says in which layers regions are deleted: "layer 2, after batch-norm", "all layers".
func (l Layer) Name() string {
	name := "all layers"
	if l.Number > 0 {
		name = "layer " + strconv.Itoa(l.Number)
	} else if masks, err := (Grid{N: l.N, Mask: l.Mask}).Masks(); err == nil && (len(masks.Layers) > 0 || masks.Auto) {
		return MasksText(masks)
	} else if err == nil {
		l.AfterBatchNorm = masks.AfterBatchNorm
	}
	if l.AfterBatchNorm {
		name += ", after batch-norm"
	}
	return name
}
