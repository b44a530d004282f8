package invariance

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Strand is what the chart over the transformations shows of a row.
type Strand struct {
	Name  string
	parts []part
}

// part is one line of a strand.
type part struct {
	name  string
	value func(measure.Row) float64
}

func meanPart(m measure.Measure) part {
	return part{MeasureTitle(m), func(r measure.Row) float64 { return r.Mean[m] }}
}

// Strands are what the chart can show.
func Strands() []Strand {
	accuracy := part{"accuracy", func(r measure.Row) float64 { return r.Accuracy }}
	drop := part{"drop", func(r measure.Row) float64 { return r.AccuracyDrop }}
	return []Strand{
		{"EI, consistency, accuracy", []part{meanPart(measure.EI), meanPart(measure.Consistent), accuracy}},
		{"JS divergence", []part{meanPart(measure.JS)}},
		{"KL, both ways", []part{meanPart(measure.KL), meanPart(measure.KLReverse)}},
		{"L2 distance", []part{meanPart(measure.L2)}},
		{"accuracy drop", []part{drop}},
	}
}

// along is where a row's transformations stand on the horizontal axis: the sampling value, degrees for turns, else their number.
func along(family string, r measure.Row) float64 {
	switch {
	case !math.IsNaN(r.V):
		return r.V
	case family == transform.Rot90:
		return 90 * float64(r.Transformation)
	}
	return float64(r.Transformation)
}

// axisOf is the name and the unit of that axis.
func axisOf(family string) (name, unit string) {
	f, err := transform.ParseAny(family)
	switch {
	case family == transform.Rot90:
		return "turned by", "°"
	case err == nil && f.Name() == transform.ShiftSet:
		return "shifted to region", ""
	case err != nil || f.IsSet():
		return "transformation", ""
	}
	return "V: " + f.Name(), f.Unit()
}

// Chart is a row's course over the transformations. A line without any value is left away.
func (r Row) Chart(s Strand) widget.ChartData {
	d := widget.ChartData{
		Title: fmt.Sprintf("%s on %s", r.Model.ID, r.SuiteName), Note: fmt.Sprintf("%s, %s", r.FamilyName, present.Counted(int64(r.Images), "image")),
		YName: s.Name, Empty: fmt.Sprintf("no values: %s", s.Name),
	}
	if len(s.parts) == 1 {
		d.YName = s.parts[0].name
	}
	d.XName, d.XUnit = axisOf(r.Family)
	for _, p := range s.parts {
		line := widget.Series{Name: p.name}
		some := false
		for _, row := range r.Rows {
			y := p.value(row)
			some = some || !math.IsNaN(y)
			line.X, line.Y = append(line.X, along(r.Family, row)), append(line.Y, y)
		}
		if some {
			d.Series = append(d.Series, line)
		}
	}
	if len(r.Rows) > 0 && len(r.Rows) <= 12 {
		for _, row := range r.Rows {
			d.XTicks = append(d.XTicks, along(r.Family, row))
		}
	}
	return d
}

// stepTitles are the columns of the table of transformations.
func stepTitles() []string {
	list := []string{"transformation"}
	for _, m := range tableMeasures {
		list = append(list, MeasureTitle(m))
	}
	return append(list, "accuracy", "drop")
}

// StepCell is a cell of the table of transformations; row 0 is the mean over all, row k transformation k of r.Rows, from 1.
func (r Row) StepCell(row, col int) string {
	if row < 0 || row > len(r.Rows) {
		return ""
	}
	values, accuracy, drop, name := r.Mean, meanAccuracy(r), r.Drop, "all"
	if row > 0 {
		step := r.Rows[row-1]
		values, accuracy, drop, name = step.Mean, step.Accuracy, step.AccuracyDrop, step.Name
	}
	switch {
	case col == 0:
		return name
	case col <= len(tableMeasures):
		return present.Number(values[tableMeasures[col-1]])
	case col == len(tableMeasures)+1:
		return present.Number(accuracy)
	case col == len(tableMeasures)+2:
		return present.Number(drop)
	}
	return ""
}

// meanAccuracy is the accuracy under the transformations, mean over them.
func meanAccuracy(r Row) float64 { return r.Accuracy - r.Drop }

// Steps is a row's table of transformations for a file.
func (v *View) Steps() (head []string, rows [][]string) {
	head = []string{"model_id", "model_hash", "suite", "suite_hash", "family", "transformation", "name", "v"}
	for _, m := range tableMeasures {
		head = append(head, m.String())
	}
	head = append(head, "accuracy", "accuracy_drop")
	for k := range v.shown {
		r, _ := v.At(k)
		for _, step := range r.Rows {
			line := []string{r.Model.ID, r.Model.Hash, r.SuiteName, r.Suite, r.Family, strconv.Itoa(step.Transformation), step.Name, number(step.V)}
			for _, m := range tableMeasures {
				line = append(line, number(step.Mean[m]))
			}
			rows = append(rows, append(line, number(step.Accuracy), number(step.AccuracyDrop)))
		}
	}
	return head, rows
}

// Low is an image with a low EI under a transformation.
type Low struct {
	Image, Transformation int
	EI, JS                float64 // JS is NaN where whole softmax vectors are not kept
}

// mostLow is how many images the list of the lowest has.
const mostLow = 60

// lowest keeps the images with the lowest EI: each once, under the transformation in which it is lowest. Among equals the one that changed
// more, by JS, comes first: a prediction that flips with confidence says more than one that hesitates.
type lowest struct {
	list  []Low
	image Low // of which values still come
	any   bool
}

// add takes in a value; images must come one after the other.
func (l *lowest) add(image, transformation int, v measure.Values) {
	next := Low{Image: image, Transformation: transformation, EI: v[measure.EI], JS: v[measure.JS]}
	if l.any && l.image.Image == image {
		if less(next, l.image) {
			l.image = next
		}
		return
	}
	l.flush()
	l.image, l.any = next, true
}

func (l *lowest) flush() {
	if !l.any {
		return
	}
	l.list = append(l.list, l.image)
	if len(l.list) >= 4*mostLow {
		l.cut()
	}
}

func (l *lowest) cut() {
	slices.SortStableFunc(l.list, func(a, b Low) int {
		switch {
		case less(a, b):
			return -1
		case less(b, a):
			return 1
		}
		return a.Image - b.Image
	})
	l.list = l.list[:min(len(l.list), mostLow)]
}

// found are the lowest, the lowest first.
func (l *lowest) found() []Low {
	l.flush()
	l.any = false
	l.cut()
	return l.list
}

func less(a, b Low) bool {
	if a.EI != b.EI {
		return a.EI < b.EI
	}
	return a.JS > b.JS
}
