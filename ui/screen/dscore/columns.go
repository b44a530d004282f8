package dscore

import (
	"math"
	"strconv"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/ui/present"
)

// Column is a column of the table of models. Text is nil for numbers, Value for texts.
type Column struct {
	Key      string // also in files
	Title    string
	Hint     string // what the column tells, with its formula in words
	Value    func(r Row) float64
	Text     func(r Row) string
	Interval func(r Row) score.Interval // nil without one
	Share    bool                       // a share that is written in percent
	// Up tells that larger is better: numbers are sorted with the best first.
	Up bool
}

// The keys of columns that are no numbers of a score.
const (
	keyMark   = "mark"
	keyModel  = "model"
	keyFlags  = "flags"
	keyRecord = "record." // before the name of a column of the training records
)

// scoreColumns are the numbers of a score.
func scoreColumns() []Column {
	return []Column{
		{
			Key: "accuracy", Title: "accuracy", Share: true, Up: true, Value: func(r Row) float64 { return r.Accuracies.Original },
			Interval: func(r Row) score.Interval { return r.Intervals.Original },
			Hint:     "f_b: accuracy of the model as it is on the images as they are",
		},
		{
			Key: "v_robust", Title: "v_robust", Value: func(r Row) float64 { return r.Score.Robust },
			Interval: func(r Row) score.Interval { return r.Intervals.Robust },
			Hint:     "v_robust, the smaller the better: how unevenly features and attention lie over the regions, and how much accuracy is lost by shifting",
		},
		{
			Key: "v_fitness", Title: "v_fitness", Up: true, Value: func(r Row) float64 { return r.Score.Fitness },
			Interval: func(r Row) score.Interval { return r.Intervals.Fitness },
			Hint:     "v_fitness, the larger the better: accuracy minus the distance between where the features are and where the model looks",
		},
		{
			Key: "d_score", Title: "D-Score", Up: true, Value: func(r Row) float64 { return r.Score.DScore },
			Interval: func(r Row) score.Interval { return r.Intervals.DScore },
			Hint:     "D-Score, the larger the better: v_fitness minus v_robust",
		},
		{
			Key: "g", Title: "g(n)", Value: func(r Row) float64 { return r.Score.Bound },
			Hint: "g(n): the bound of v_robust for n x n regions and the suite's number of classes",
		},
		{
			Key: "p", Title: "p", Value: func(r Row) float64 { return r.Score.P },
			Interval: func(r Row) score.Interval { return r.Intervals.P },
			Hint:     "p: v_robust divided by g(n), the recommended probability of augmentation, and share by which images are padded",
		},
	}
}

// Columns are the table's columns with these of the training records.
func Columns(records []string) []Column {
	list := []Column{
		{Key: keyMark, Title: "●", Hint: "a click here marks a model: the other tabs compare the marked ones"},
		{Key: keyModel, Title: "model", Text: func(r Row) string { return r.Model.ID }},
	}
	for _, name := range records {
		list = append(list, Column{Key: keyRecord + name, Title: name, Text: func(r Row) string { return r.Model.Value(name) }})
	}
	list = append(list, scoreColumns()...)
	return append(list,
		Column{
			Key: keyFlags, Title: "flags", Text: func(r Row) string { return flagWords(r.Score.Flags) },
			Hint: "what a score rests on where its formula has no value, and scores beyond their bound",
		},
		Column{
			Key: "images", Title: "images", Value: func(r Row) float64 { return float64(r.Images) },
			Hint: "images with a label: all that a score rests on",
		})
}

// cell is the text of a cell, with the interval where one is wanted and there is one; Caption says why there is none.
func (c Column) cell(r Row, intervals bool) string {
	switch {
	case c.Text != nil:
		return c.Text(r)
	case c.Value == nil:
		return ""
	case c.Key == "images":
		return present.Count(int64(r.Images))
	}
	text := c.number(c.Value(r))
	if !intervals || c.Interval == nil || r.Intervals.Samples == 0 {
		return text
	}
	in := c.Interval(r)
	if in.Reason != "" {
		return text
	}
	if c.Share {
		return text + "  (" + shortPercent(in.Low) + ".." + shortPercent(in.High) + ")"
	}
	return text + "  (" + fixed(in.Low, 3) + ".." + fixed(in.High, 3) + ")"
}

func (c Column) number(v float64) string {
	if c.Share {
		return present.Percent(v)
	}
	return fixed(v, 4)
}

// shortPercent is a share in percent without the sign.
func shortPercent(v float64) string { return fixed(100*v, 1) }

// fixed writes a number with so many decimals, never as a negative zero.
func fixed(v float64, decimals int) string {
	if math.IsNaN(v) {
		return present.None
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if zero := strconv.FormatFloat(0, 'f', decimals, 64); text == "-"+zero {
		return zero
	}
	return text
}

// points writes a difference of accuracies in percentage points with its sign: "+3.2", "-0.5", "0.0".
func points(v float64) string {
	text := fixed(100*v, 1)
	if v > 0 && text != "0.0" {
		return "+" + text
	}
	return text
}

// whole is a number in a file, with all digits; empty where there is none.
func whole(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
