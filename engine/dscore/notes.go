package dscore

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/result"
)

// Notes say in words what is to know about scores: flags, signals that disagree, images that are
// not shifted, regions that are empty, convolutions that are left out, and missing intervals.
// Models with equal maps share a line, whatever t and the suite are.
func Notes(rows []Diagnosis) []string {
	var lines []string
	for _, d := range rows {
		who := fmt.Sprintf("%s on %s, n = %d, t = %d: ", d.Model.ID, d.SuiteName, d.N, d.T)
		for _, f := range d.Flags() {
			lines = append(lines, who+f.Sentence())
		}
		if text := d.Untouched.Remark(); text != "" {
			lines = append(lines, who+text)
		}
		if h, w := region.PaddedSize(d.Height, d.Width, d.N, d.T); d.N > 1 && d.Height > 0 && h == d.Height &&
			w == d.Width {
			lines = append(lines,
				fmt.Sprintf("%sthe sides of %d x %d pixels cannot be cut into %d units: nothing is shifted",
					who, h, w, d.T))
		}
	}
	return slices.Concat(lines, together(rows, emptyNotes), together(rows, aloneNotes),
		together(rows, func(d Diagnosis) []string {
			if why := d.NoInterval(); !why.None() {
				return []string{": no interval: " + why.Text}
			}
			return nil
		}))
}

// emptyNotes name the regions that are empty in a map.
func emptyNotes(d Diagnosis) []string {
	var list []string
	if d.Maps == nil {
		return nil
	}
	for _, m := range d.Maps.Deleted {
		what := "regions " + numbers(m.Empty) + " are"
		switch len(m.Empty) {
		case 0:
			continue
		case 1:
			what = "region " + numbers(m.Empty) + " is"
		}
		list = append(list, fmt.Sprintf(
			", n = %d: %s empty in convolution %d with its maps of %d x %d, where nothing is deleted",
			d.N, what, m.Number, m.Height, m.Width))
	}
	return list
}

// aloneNotes name the convolutions that masks leave alone.
func aloneNotes(d Diagnosis) []string {
	var list []string
	if d.Maps == nil {
		return nil
	}
	for _, m := range d.Maps.Small {
		list = append(list, fmt.Sprintf(
			", n = %d: convolution %d with its maps of %d x %d is left out (--layers all takes it)",
			d.N, m.Number, m.Height, m.Width))
	}
	if len(d.Maps.LeftAlone) > 0 {
		list = append(list, fmt.Sprintf(": the output of convolution %s is not 4-D and is left alone",
			numbers(d.Maps.LeftAlone)))
	}
	return list
}

// LeftOutLines name models that are left out on a suite for one reason together, whatever n and t
// are.
func LeftOutLines(left []LeftOut) []string {
	var all lines
	for _, l := range left {
		all.add(" on "+l.SuiteName+": "+l.Reason.Text, l.ID)
	}
	return all.list()
}

// together are the notes of all rows, each once with its models before it.
func together(rows []Diagnosis, of func(Diagnosis) []string) []string {
	var all lines
	for _, d := range rows {
		for _, text := range of(d) {
			all.add(text, d.Model.ID)
		}
	}
	return all.list()
}

// lines are sentences with the models that each is about, in the order in which they came first.
type lines struct {
	texts []string
	ids   map[string][]string
}

// add notes a sentence once for a model.
func (l *lines) add(text, id string) {
	if l.ids == nil {
		l.ids = map[string][]string{}
	}
	if l.ids[text] == nil {
		l.texts = append(l.texts, text)
	}
	if !slices.Contains(l.ids[text], id) {
		l.ids[text] = append(l.ids[text], id)
	}
}

// list are the models with the sentence behind them.
func (l *lines) list() []string {
	list := make([]string, len(l.texts))
	for i, text := range l.texts {
		list[i] = result.Some(l.ids[text]) + text
	}
	return list
}
