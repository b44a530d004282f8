package app

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/store/diagnosis"
)

// print writes the document, or the tables for people: scores, the regions of a single score, layers, and remarks.
func (w *dscoreWork) print(r dscoreReport) error {
	if w.s.common.JSON {
		return writeJSON(w.s.stdout, r)
	}
	tables := [][][]string{scoreRows(r)}
	if len(r.Scores) == 1 {
		tables = append(tables, regionRows(r.Scores[0]))
	}
	if len(r.Layers) > 0 {
		tables = append(tables, layerRows(r))
	}
	for k, rows := range tables {
		if k > 0 {
			w.s.say("")
		}
		if err := w.s.print(nil, rows); err != nil {
			return err
		}
	}
	if a := r.Augmented; a != nil {
		w.s.say("")
		w.s.say("%d images in %s, %d of them padded%s", a.Images, a.Folder, a.Padded, map[bool]string{true: " (there already)"}[a.There])
	}
	for k, line := range w.remarks(r) {
		if k == 0 {
			w.s.say("")
		}
		w.s.say("%s", line)
	}
	return nil
}

// scoreRows are the paper's Table V, with intervals where there are some.
func scoreRows(r dscoreReport) [][]string {
	intervals := r.Scores[0].Intervals != nil
	head := []string{"model", "suite", "n", "t", "accuracy"}
	for _, name := range []string{"v_robust", "v_fitness", "D-Score"} {
		head = append(head, name)
		if intervals {
			head = append(head, "95 % interval")
		}
	}
	rows := [][]string{append(head, "g", "p", "padded to", "flags")}
	for _, one := range r.Scores {
		row := []string{one.Model, one.Suite, strconv.Itoa(one.N), strconv.Itoa(one.T), decimals4(one.Baseline), decimals4(one.Robust)}
		if intervals {
			row = append(row, between(one.Intervals.Robust))
		}
		row = append(row, decimals4(one.Fitness))
		if intervals {
			row = append(row, between(one.Intervals.Fitness))
		}
		row = append(row, decimals4(one.DScore))
		if intervals {
			row = append(row, between(one.Intervals.DScore))
		}
		rows = append(rows, append(row, decimals4(one.Bound), decimals4(one.P), sizeText(one.Augmentation.PaddedSize), flagText(one.Flags)))
	}
	return rows
}

// between is an interval for people; why there is none is said once (intervalRemarks).
func between(i *[2]float64) string {
	if i == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f .. %.4f", i[0], i[1])
}

func sizeText(size [2]int) string { return fmt.Sprintf("%d x %d", size[0], size[1]) }

func flagText(flags []dscore.Flag) string {
	if len(flags) == 0 {
		return "-"
	}
	words := make([]string, len(flags))
	for i, f := range flags {
		words[i] = string(f)
	}
	return strings.Join(words, ", ")
}

// regionRows are the maps of one score as numbers.
func regionRows(r dscoreRow) [][]string {
	rows := [][]string{{
		"region", "row", "column", "accuracy without it", "loss", "share of features", "accuracy shifted there", "share of attention", "difference",
		"padding: top", "bottom", "left", "right",
	}}
	for i, p := range r.Padding {
		rows = append(rows, []string{
			strconv.Itoa(i + 1), strconv.Itoa(i/r.N + 1), strconv.Itoa(i%r.N + 1), decimals4(r.Variants[i]), decimals4(r.Baseline - r.Variants[i]),
			decimals4(r.Features[i]), decimals4(r.Shifted[i]), decimals4(r.Attention[i]), decimals4(r.Features[i] - r.Attention[i]),
			strconv.Itoa(p.Top), strconv.Itoa(p.Bottom), strconv.Itoa(p.Left), strconv.Itoa(p.Right),
		})
	}
	return rows
}

// remarks say in words what flags, empty regions and convolutions that are left alone mean, and what is left out.
func (w *dscoreWork) remarks(r dscoreReport) []string {
	var lines []string
	for _, one := range r.Scores {
		who := fmt.Sprintf("%s on %s, n = %d, t = %d", one.Model, one.Suite, one.N, one.T)
		for _, f := range one.Flags {
			lines = append(lines, who+": "+flagWords(f))
		}
		if one.Remark != "" {
			lines = append(lines, who+": "+one.Remark)
		}
		if one.N > 1 && one.PaddedSize == one.ImageSize {
			lines = append(lines, fmt.Sprintf("%s: the sides of %s pixels cannot be cut into %d units: nothing is shifted", who, sizeText(one.ImageSize), one.T))
		}
	}
	lines = append(lines, emptyRemarks(r.Scores)...)
	lines = append(lines, aloneRemarks(r.Scores)...)
	lines = append(lines, intervalRemarks(r.Scores)...)
	return append(lines, w.leftOutTexts(r)...)
}

// emptyRemarks name the regions that are empty in a map; models with equal maps share a line, whatever t and the suite are.
func emptyRemarks(scores []dscoreRow) []string {
	var all together
	for _, one := range scores {
		for _, e := range one.Empty {
			what := "regions " + numbers(e.Regions) + " are"
			if len(e.Regions) == 1 {
				what = "region " + numbers(e.Regions) + " is"
			}
			text := fmt.Sprintf(", n = %d: %s empty in convolution %d with its maps of %d x %d, where nothing is deleted", one.N, what, e.Layer, e.Height, e.Width)
			all.add(text, one.Model)
		}
	}
	return all.lines()
}

// intervalRemarks say why scores have no interval.
func intervalRemarks(scores []dscoreRow) []string {
	var all together
	for _, one := range scores {
		if one.Intervals != nil && one.Intervals.Reason != "" {
			all.add(": "+agreement.NoInterval+one.Intervals.Reason, one.Model)
		}
	}
	return all.lines()
}

func aloneRemarks(scores []dscoreRow) []string {
	var all together
	for _, one := range scores {
		for _, s := range one.Small {
			all.add(fmt.Sprintf(", n = %d: convolution %d with its maps of %d x %d is left out (--layers all takes it)", one.N, s.Layer, s.Height, s.Width), one.Model)
		}
		if len(one.LeftAlone) > 0 {
			all.add(fmt.Sprintf(": the output of convolution %s is not 4-D and is left alone", numbers(one.LeftAlone)), one.Model)
		}
	}
	return all.lines()
}

// together are sentences with the models that each is about, in the order in which they came first.
type together struct {
	texts []string
	ids   map[string][]string
}

// add notes a sentence once for a model; a model's sentences come one after the other.
func (t *together) add(text, id string) {
	if t.ids == nil {
		t.ids = map[string][]string{}
	}
	if t.ids[text] == nil {
		t.texts = append(t.texts, text)
	}
	if !slices.Contains(t.ids[text], id) {
		t.ids[text] = append(t.ids[text], id)
	}
}

// lines are the models, "a, b, c, d, e and 2 more", with the sentence behind them.
func (t *together) lines() []string {
	lines := make([]string, len(t.texts))
	for i, text := range t.texts {
		ids := t.ids[text]
		who := strings.Join(ids[:min(shownIDs, len(ids))], ", ")
		if more := len(ids) - shownIDs; more > 0 {
			who += fmt.Sprintf(" and %d more", more)
		}
		lines[i] = who + text
	}
	return lines
}

// flagWords are a flag for people.
func flagWords(f dscore.Flag) string {
	switch f {
	case dscore.NoRegionMatters:
		return "no region matters: deleting none of them makes the model worse, so the features are taken as spread evenly"
	case dscore.NoAttention:
		return "no attention: no shifted image is classified correctly, so the attention is taken as spread evenly"
	case dscore.AboveBound:
		return "v_robust is above its bound g, since the model is worse than chance somewhere; p is cut to 1"
	}
	return string(f)
}

// leftLines are one line per combination without a score; the same reason of several models is one line.
func (w *dscoreWork) leftLines(left []diagnosis.LeftOut) []string {
	list := make([]dscoreLeft, len(left))
	for i, l := range left {
		list[i] = dscoreLeft{Model: l.ID, Suite: suiteName(w.ws, l.Suite), N: l.Grid.N, T: l.Grid.T, Reason: l.Reason}
	}
	return linesOf(list)
}

func (w *dscoreWork) leftOutTexts(r dscoreReport) []string {
	lines := linesOf(r.LeftOut)
	for i := range lines {
		lines[i] = "left out: " + lines[i]
	}
	return lines
}

// linesOf names models with one reason together, whatever n and t are.
func linesOf(left []dscoreLeft) []string {
	var all together
	for _, l := range left {
		all.add(" on "+l.Suite+": "+l.Reason, l.Model)
	}
	return all.lines()
}

func decimals4(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}
