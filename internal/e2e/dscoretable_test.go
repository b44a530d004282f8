package e2e

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// diagnosed is what the tests read of `dscore --json`.
type diagnosed struct {
	Scores []diagnosis `json:"scores"`
	Layers []layer     `json:"per_layer"`
}

// diagnosis is the D-Score of a model.
type diagnosis struct {
	Model     string    `json:"model_id"`
	Images    int       `json:"images"`
	Baseline  float64   `json:"baseline_accuracy"`
	Variants  []float64 `json:"variant_accuracy"`
	Shifted   []float64 `json:"shifted_accuracy"`
	Features  []float64 `json:"feature_distribution"`
	Attention []float64 `json:"attention_distribution"`
	Robust    float64   `json:"v_robust"`
	Fitness   float64   `json:"v_fitness"`
	DScore    float64   `json:"d_score"`
	Bound     float64   `json:"g"`
	P         float64   `json:"p"`
	Flags     []string  `json:"flags"`
	Intervals struct {
		Baseline ends   `json:"baseline_accuracy"`
		Robust   ends   `json:"v_robust"`
		Fitness  ends   `json:"v_fitness"`
		DScore   ends   `json:"d_score"`
		P        ends   `json:"p"`
		Loss     []ends `json:"loss"`
	} `json:"intervals"`
}

// layer is what deleting regions of one layer costs.
type layer struct {
	Model    string    `json:"model_id"`
	Number   int       `json:"layer"`
	Tensor   string    `json:"tensor"`
	Baseline float64   `json:"baseline_accuracy"`
	Variants []float64 `json:"variant_accuracy"`
	Loss     []ends    `json:"loss_interval"`
	Free     []int     `json:"nothing_lost"`
}

// ends are those of an interval, nil where there is none.
type ends []float64

// between writes the ends with a way to write numbers.
func (e ends) between(write func(float64) string) string {
	if e == nil {
		return ""
	}
	return "  (" + write(e[0]) + ".." + write(e[1]) + ")"
}

// diagnosedBy asks the command line.
func (d *desk) diagnosedBy(args ...string) diagnosed {
	d.t.Helper()
	var all diagnosed
	d.parse(d.run(append([]string{"dscore", "--json"}, args...)...), &all)
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
	in := s.Intervals
	return []string{
		inPercent(s.Baseline) + in.Baseline.between(func(v float64) string { return decimals(100*v, 1) }),
		decimals(s.Robust, 4) + in.Robust.between(thousandths), decimals(s.Fitness, 4) + in.Fitness.between(thousandths),
		decimals(s.DScore, 4) + in.DScore.between(thousandths), decimals(s.Bound, 4), decimals(s.P, 4) + in.P.between(thousandths),
	}
}

// regions are the lines of the table of regions by what stands first.
func (s diagnosis) regions() map[string][]string {
	rows := map[string][]string{}
	for k := range s.Variants {
		loss := s.Intervals.Loss[k]
		share := func(v float64) string { return result.Share.Say(v, 0) }
		rows[strconv.Itoa(k+1)] = []string{
			share(s.Variants[k]), result.Points.SayInterval(s.Baseline-s.Variants[k], loss[0], loss[1], 0),
			share(s.Features[k]), share(s.Shifted[k]), share(s.Attention[k]), result.Points.Say(s.Features[k]-s.Attention[k], 0),
		}
	}
	return rows
}

// line is what the window says of a region under the mouse.
func (s diagnosis) line(region int) string {
	k := region - 1
	return fmt.Sprintf("region %d, row %d, column %d: deleting it costs %s points (%s to %s); features %s, attention %s, accuracy when shifted to it %s",
		region, k/3+1, k%3+1, inPoints(s.Baseline-s.Variants[k]), inPoints(s.Intervals.Loss[k][0]), inPoints(s.Intervals.Loss[k][1]),
		inPercent(s.Features[k]), inPercent(s.Attention[k]), inPercent(s.Shifted[k]))
}

// losses are the lines of the table of what a model would lose, by what stands first, for its single layers.
func (all diagnosed) losses(model string) map[string][]string {
	rows := map[string][]string{}
	for _, l := range all.Layers {
		if l.Model != model {
			continue
		}
		cells := []string{l.Tensor, inPercent(l.Baseline), fmt.Sprintf("%d of %d", len(l.Free), len(l.Variants))}
		for k, v := range l.Variants {
			cell := inPoints(l.Baseline-v) + l.Loss[k].between(inPoints)
			if slices.Contains(l.Free, k+1) {
				cell = "✓ " + cell
			}
			cells = append(cells, cell)
		}
		rows["layer "+strconv.Itoa(l.Number)] = cells
	}
	return rows
}

func thousandths(v float64) string { return decimals(v, 3) }

// unsigned writes no zero with a sign.
func unsigned(text string) string {
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// inPercent writes a share as the window does.
func inPercent(share float64) string { return unsigned(decimals(100*share, 1)) + " %" }

// inPoints writes a difference of shares as the window does.
func inPoints(v float64) string {
	text := unsigned(decimals(100*v, 1))
	if v > 0 && text != "0.0" {
		return "+" + text
	}
	return text
}
