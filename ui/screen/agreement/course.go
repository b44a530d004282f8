package agreement

import (
	"cmp"
	"math"
	"slices"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
)

// hiddenSeries is why neither course nor kinds are shown in a blind round.
const hiddenSeries = "Hidden while the round is blind: with few models at a time, a number gives away single labels."

// Course is how agreement went over the models in the order in which they were completed.
type Course struct {
	Window  int
	Items   []float64 // 1, 2, ...
	Percent []float64 // NaN where it is undefined
	Fleiss  []float64
	// The last Window items only.
	WindowPercent, WindowFleiss []float64
	Hidden                      string
}

// Windows are the sizes of the sliding window to choose from.
var Windows = []int{10, 20, 50, 100}

func course(in Input, blind bool) Course {
	c := Course{Window: cmp.Or(in.Window, Windows[0])}
	if blind {
		c.Hidden = hiddenSeries
		return c
	}
	order := label.Completed(in.Round, in.Events)
	if len(order) == 0 {
		c.Hidden = "Nothing yet: no model has labels of two annotators."
		return c
	}
	number := func(v measure.Value) float64 {
		if v.Defined() {
			return v.Value
		}
		return math.NaN()
	}
	for _, p := range measure.Course(in.Ratings, in.Round.Classes, order, c.Window) {
		c.Items = append(c.Items, float64(p.Items))
		c.Percent, c.Fleiss = append(c.Percent, number(p.Percent)), append(c.Fleiss, number(p.Fleiss))
		c.WindowPercent = append(c.WindowPercent, number(p.WindowPercent))
		c.WindowFleiss = append(c.WindowFleiss, number(p.WindowFleiss))
	}
	return c
}

// Kind is a kind of models: those with one value in a column of their records.
type Kind struct {
	Name            string
	Models          int // of this kind in the round
	Percent, Fleiss Measure
	Items           []Item // on which the annotators disagree
}

// Kinds says which kinds of models divide the annotators, the most dividing ones first.
type Kinds struct {
	Columns []string // to choose from
	Column  string
	List    []Kind
	Hidden  string
}

func kinds(in Input, blind bool) Kinds {
	k := Kinds{Columns: recordColumns(in), Column: in.Column}
	switch {
	case len(k.Columns) == 0:
		k.Hidden = "The models of this round have no metadata. Import a models.csv for them, then this shows which kinds divide the annotators."
		return k
	case !slices.Contains(k.Columns, k.Column):
		k.Column = k.Columns[0]
	}
	if blind {
		k.Hidden = hiddenSeries
		return k
	}
	values := make([]string, len(in.Round.Models))
	for i, hash := range in.Round.Models {
		values[i] = fieldOf(in.Records[hash], k.Column)
	}
	v := View{Classes: in.Report.Classes}
	for _, g := range measure.MeasureGroups(in.Ratings, in.Round.Classes, measure.GroupBy(values), in.Options) {
		one := Kind{Name: g.Name, Models: len(g.Items), Percent: line(g.Name, &g.Percent), Fleiss: line(g.Name, &g.Fleiss)}
		for _, i := range g.Items {
			if item := v.labelled(in, i); item.divided() {
				one.Items = append(one.Items, item)
			}
		}
		k.List = append(k.List, one)
	}
	return k
}

// divided tells whether two labels of an item differ.
func (i Item) divided() bool {
	first := ""
	for _, word := range i.Labels {
		switch {
		case word == "":
		case first == "":
			first = word
		case word != first:
			return true
		}
	}
	return false
}

// recordColumns are the columns of the models' records that tell models apart, in the order in
// which they appear.
func recordColumns(in Input) []string {
	var columns []string
	seen := map[string]map[string]bool{}
	for _, hash := range in.Round.Models {
		for _, f := range in.Records[hash] {
			if seen[f.Name] == nil {
				seen[f.Name] = map[string]bool{}
				columns = append(columns, f.Name)
			}
			seen[f.Name][f.Value] = true
		}
	}
	telling := slices.DeleteFunc(slices.Clone(columns), func(name string) bool { return len(seen[name]) < 2 })
	if len(telling) > 0 {
		return telling
	}
	return columns
}
