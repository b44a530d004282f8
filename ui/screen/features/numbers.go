package features

import (
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/widget"
)

// places are those of the features of a matrix among all of a layout; of all for "".
func places(l feature.Layout, matrix string) (list []int) {
	for k, name := range l.Names() {
		if matrix == "" || strings.HasPrefix(name, matrix+".") {
			list = append(list, k)
		}
	}
	return list
}

// axes are the keys that a plot may have on an axis: the features of the table, then both
// accuracies.
func (s *Screen) axes() []string {
	names := s.data().Layout.Names()
	var list []string
	for _, k := range places(s.data().Layout, s.shownMatrix()) {
		list = append(list, names[k])
	}
	return append(list, training.KeyAccuracy, training.KeyRobust)
}

// axisOptions are the entries of a menu of an axis.
func (s *Screen) axisOptions() []widget.Option {
	var list []widget.Option
	for _, key := range s.axes() {
		list = append(list, widget.Option{Key: key, Name: training.AxisName(key)})
	}
	return list
}

// plots draws the models.
func (d Data) plots() training.Plots {
	return training.Plots{Layout: d.Layout, Classes: d.Classes, Rows: d.Rows, About: d.Suite + ", " + d.Family}
}

func groupName(r training.Row) string {
	if r.Label == "" {
		return "unlabelled"
	}
	return string(r.Label)
}

// facts are the lines about a scatter plot.
func facts(f result.Figure) string {
	_, lines, _ := strings.Cut(f.Note, "\n")
	return lines
}

// likeness is a model that looks like another.
type likeness struct {
	training.Row
	Distance float64 // 0 for the model itself, see feature.Nearest
}

// neighbours is how many models "looks like" shows beside the selected one.
const neighbours = 5

// alikes are a model (its hash) and the ones nearest to it, nearest first, by the features of a
// matrix, or of all for "", over all models; nil where the model is not there.
func (d Data) alikes(hash, matrix string) []likeness {
	at := slices.IndexFunc(d.Rows, func(r training.Row) bool { return r.Model.Hash == hash })
	if at < 0 {
		return nil
	}
	columns, x := places(d.Layout, matrix), make([][]float64, len(d.Rows))
	for i, r := range d.Rows {
		x[i] = make([]float64, len(columns))
		for k, c := range columns {
			x[i][k] = r.Vector.Values[c]
		}
	}
	list := []likeness{{Row: d.Rows[at]}}
	for _, n := range feature.Nearest(x, at, neighbours) {
		list = append(list, likeness{Row: d.Rows[n.Row], Distance: n.Distance})
	}
	return list
}

// title is the line over an alike model: its id and how far it is.
func (a likeness) title() string {
	if a.Distance == 0 {
		return a.Model.ID
	}
	return a.Model.ID + "  " + result.Number.Say(a.Distance, 0)
}
