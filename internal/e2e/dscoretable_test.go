package e2e

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// diagnosed is what the tests read of `dscore --json`: the rows of its sheets.
type diagnosed struct {
	Scores []diagnosis
	Layers []layer
}

// row is a row of a sheet by the keys of its columns.
type row map[string]any

func (r row) text(key string) string {
	text, _ := r[key].(string)
	return text
}

func (r row) number(key string) float64 {
	v, _ := r[key].(float64)
	return v
}

// diagnosis is the D-Score of a model, with its regions.
type diagnosis struct {
	row
	Model  string
	Images int
	per    []row
}

// layer is what deleting regions of one layer costs, by regions.
type layer []row

// between writes the ends of a number's interval with a way to write numbers; "" where there is
// none.
func (r row) between(key string, write func(float64) string) string {
	if r[key+"_low"] == nil {
		return ""
	}
	return " (" + write(r.number(key+"_low")) + ".." + write(r.number(key+"_high")) + ")"
}

// sheets are the rows of a command's JSON by the names of its sheets.
func (d *desk) sheets(args ...string) map[string][]row {
	d.t.Helper()
	var doc struct {
		Sheets []struct {
			Name string
			Rows []row
		}
	}
	d.parse(d.run(args...), &doc)
	sheets := map[string][]row{}
	for _, s := range doc.Sheets {
		sheets[s.Name] = s.Rows
	}
	return sheets
}

// diagnosedBy asks the command line.
func (d *desk) diagnosedBy(args ...string) diagnosed {
	d.t.Helper()
	sheets := d.sheets(append([]string{"dscore", "--json"}, args...)...)
	var all diagnosed
	for _, r := range sheets["scores"] {
		one := diagnosis{row: r, Model: r.text("model_id"), Images: int(r.number("images"))}
		for _, region := range sheets["regions"] {
			if region.text("model_id") == one.Model {
				one.per = append(one.per, region)
			}
		}
		all.Scores = append(all.Scores, one)
	}
	for _, r := range sheets["layers"] {
		if r.number("region") == 1 {
			all.Layers = append(all.Layers, nil)
		}
		last := &all.Layers[len(all.Layers)-1]
		*last = append(*last, r)
	}
	if len(all.Scores) == 0 {
		d.t.Fatalf("dscore %s has no scores", strings.Join(args, " "))
	}
	return all
}

// of is the score of a model.
func (all diagnosed) of(model string) diagnosis {
	return all.Scores[slices.IndexFunc(all.Scores, func(s diagnosis) bool { return s.Model == model })]
}

// numbers are the cells of the table of models that hold numbers, with their intervals.
func (s diagnosis) numbers() []string {
	bare := func(share float64) string { return decimals(100*share, 1) }
	list := []string{inPercent(s.number("baseline_accuracy")) + s.between("baseline_accuracy", bare)}
	for _, key := range []string{"v_robust", "v_fitness", "d_score", "g", "p"} {
		list = append(list, decimals(s.number(key), 4)+s.between(key, func(v float64) string { return decimals(v, 4) }))
	}
	return list
}

// regions are the lines of the table of regions by what stands first.
func (s diagnosis) regions() map[string][]string {
	rows := map[string][]string{}
	share := func(r row, key string) string { return result.Share.Say(r.number(key), 0) }
	for _, r := range s.per {
		rows[fmt.Sprint(r.number("region"))] = []string{
			share(r, "variant_accuracy"),
			r.lost(),
			share(r, "feature"), share(r, "shifted_accuracy"), share(r, "attention"),
			result.Points.Say(r.number("difference"), 0),
		}
	}
	return rows
}

// line is what the window says of a region under the mouse.
func (s diagnosis) line(region int) string {
	r := s.per[region-1]
	return fmt.Sprintf("region %d, row %v, column %v: deleting it costs %s; features %s, attention %s, accuracy when "+
		"shifted to it %s", region, r.number("row"), r.number("column"), r.lost(),
		inPercent(r.number("feature")), inPercent(r.number("attention")), inPercent(r.number("shifted_accuracy")))
}

// losses are the lines of the table of what a model would lose, by what stands first, for its
// single layers.
func (all diagnosed) losses(model string) map[string][]string {
	rows := map[string][]string{}
	for _, l := range all.Layers {
		first := l[0]
		if first.text("model_id") != model {
			continue
		}
		free := 0
		var losses []string
		for _, r := range l {
			cell := r.lost()
			if r["nothing_lost"] == true {
				cell = "✓ " + cell
				free++
			}
			losses = append(losses, cell)
		}
		head := []string{
			first.text("tensor"), inPercent(first.number("baseline_accuracy")),
			fmt.Sprintf("%d of %d", free, len(l)),
		}
		rows[fmt.Sprintf("layer %v", first.number("layer"))] = append(head, losses...)
	}
	return rows
}

// unsigned writes no zero with a sign.
func unsigned(text string) string {
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// inPercent writes a share as the window does.
func inPercent(share float64) string { return unsigned(decimals(100*share, 1)) + " %" }

// lost is what a region costs, with its interval.
func (r row) lost() string {
	return result.Points.SayInterval(r.number("loss"), r.number("loss_low"), r.number("loss_high"), 0)
}
