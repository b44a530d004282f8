package training

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Spread is how a feature or a score varies between and within groups of models, such as several
// trainings of one recipe: a row of Spreads.
type Spread struct {
	Name string
	stats.Components
}

// SpreadsOf parts the variance of accuracy, scores and features by the values of a column of the
// training records. Models without a value take no part; left counts them. The error names a column
// that no record has.
func SpreadsOf(layout feature.Layout, rows []Row, column string) (list []Spread, left int, err error) {
	var names []string
	var groups []int // of the rows that take part
	var in []Row
	models := make([]model.Model, len(rows))
	for i, r := range rows {
		models[i] = r.Model
		name := strings.TrimSpace(r.Model.Value(column))
		if name == "" {
			left++
			continue
		}
		g := slices.Index(names, name)
		if g < 0 {
			g, names = len(names), append(names, name)
		}
		groups, in = append(groups, g), append(in, r)
	}
	if err := model.CheckRecord(models, column); err != nil {
		return nil, 0, err
	}
	add := func(name string, of func(Row) float64) {
		values := make([]float64, len(in))
		for i, r := range in {
			values[i] = of(r)
		}
		list = append(list, Spread{name, stats.OneWay(values, groups)})
	}
	add("accuracy", func(r Row) float64 { return r.Accuracy })
	add(string(invariance.ScoreRobustAccuracy), func(r Row) float64 { return r.Scores.CorrectProduct })
	add(string(invariance.ScoreCorrectMean), func(r Row) float64 { return r.Scores.CorrectMean })
	add(string(invariance.ScoreConsistencyProduct), func(r Row) float64 { return r.Scores.ConsistencyProduct })
	add(string(invariance.ScoreConsistencyMean), func(r Row) float64 { return r.Scores.ConsistencyMean })
	for k, name := range layout.Names() {
		add(name, func(r Row) float64 { return r.Shown[k] })
	}
	return list, left, nil
}

// Spreads is the table of how features vary between and within groups of models.
var Spreads = result.Table[Spread]{
	Name: "groups", Title: "Between and within groups", Noun: "feature", ID: func(s Spread) string { return s.Name },
	Columns: []result.Column[Spread]{
		result.Texts("feature", "feature", "feature or score", func(s Spread) string { return s.Name }),
		result.Counts("n", "models", "models with a value", func(s Spread) int { return s.N }),
		result.Counts("groups", "groups", "groups with a model", func(s Spread) int { return s.Groups }),
		result.Counts("groups_of_one", "of one", "groups of one model, which say nothing of what varies within a group",
			func(s Spread) int { return s.Singles }),
		result.Numbers("mean", "mean", "of all models", result.Number,
			func(s Spread) float64 { return s.Mean }).Significant(3),
		result.Numbers("sd_between", "SD between",
			"standard deviation of what a group adds; 0 where groups differ no more "+
				"than models of one group let expect", result.Number,
			func(s Spread) float64 { return s.Between }).Because(Spread.why).Significant(3),
		result.Numbers("sd_within", "SD within", "standard deviation of models around their group", result.Number,
			func(s Spread) float64 { return s.Within }).Because(Spread.why).Significant(3),
		result.Numbers("icc", "ICC",
			"share of the variance that lies between groups, with its 95 % interval: near 1 a training stands for "+
				"its recipe, near 0 the recipe says nothing; below 0 models of a group differ more than groups",
			result.Coefficient, func(s Spread) float64 { return s.ICC }).Because(Spread.why).
			Between(func(s Spread) float64 { return s.Low }, func(s Spread) float64 { return s.High }),
		result.Numbers("f", "F", "mean square between groups over that within", result.Number,
			func(s Spread) float64 { return s.F }).In(result.Offered),
		result.Numbers("p", "p", "of the test that groups add nothing", result.P,
			func(s Spread) float64 { return s.P }).Because(Spread.why),
		result.Numbers("ms_between", "MS between", "mean square between groups", result.Number,
			func(s Spread) float64 { return s.MeanBetween }).In(result.FileOnly),
		result.Numbers("ms_within", "MS within", "mean square within groups", result.Number,
			func(s Spread) float64 { return s.MeanWithin }).In(result.FileOnly),
	},
}

func (s Spread) why() result.Reason {
	switch {
	case s.N == 0:
		return result.Because("no_values", "no model has a value")
	case s.Groups < 2:
		return result.Because("one_group", "all models are of one group")
	case s.N == s.Groups:
		return result.Because("groups_of_one", "every group has one model")
	}
	return result.Because("same_within", "models of a group do not differ")
}

// Cautions say what to know of the table: groups of one model, models without a group.
func Cautions(column string, list []Spread, left int) (lines []string) {
	most := Spread{}
	for _, s := range list {
		if s.N > most.N {
			most = s
		}
	}
	if most.Singles > 0 {
		lines = append(lines,
			fmt.Sprintf("%d of %s of %s have one model and say nothing of how trainings of one recipe differ",
				most.Singles, result.Counted(most.Groups, "group"), column))
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("left out, since they have no value of %s: %s", column,
			result.Counted(left, "model")))
	}
	return lines
}
