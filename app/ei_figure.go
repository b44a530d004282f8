package app

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// writeStudies draws every study that has points to draw, as svg and png: study.svg where it is the only one, else
// study_OF_FAMILY.svg. It returns the number of files.
func writeStudies(folder string, studies []studyReport) (files int, err error) {
	taken := map[string]bool{}
	for _, r := range studies {
		figure := r.figure()
		if len(figure.Dots) == 0 {
			continue
		}
		name := "study"
		if len(studies) > 1 {
			name = unused(taken, fileName("study_"+r.Of+"_"+familyName(r.Family)))
		}
		for _, format := range []string{"svg", "png"} {
			path := filepath.Join(folder, name+"."+format)
			if err := durable.WriteFile(path, func(w io.Writer) error { return figure.Write(w, format) }); err != nil {
				return files, err
			}
			files++
		}
	}
	return files, nil
}

// unused is a name that no file has yet, also where capitals do not tell files apart: families that differ by their range alone share
// a name, and models that differ in what no file's name can hold.
func unused(taken map[string]bool, name string) string {
	free := name
	for n := 2; taken[strings.ToLower(free)]; n++ {
		free = fmt.Sprintf("%s_%d", name, n)
	}
	taken[strings.ToLower(free)] = true
	return free
}

func familyName(text string) string {
	name, _, _ := strings.Cut(text, ":")
	return name
}

// figure is the scatter of a study with its line and band; suites without labels stand on the line with their intervals.
func (r studyReport) figure() render.Scatter {
	figure := render.Scatter{
		Title: r.title(), X: render.AxisRange{Name: scoreTitle(invariance.Score(r.Score)) + " under " + shortFamily(r.Family)},
		Y: render.AxisRange{Name: "accuracy (logit scale)"}, Note: r.note(), Logit: !r.Unscaled,
		Crossed: chance.NotAbove.Word(),
	}
	if r.Unscaled {
		figure.Y.Name = "accuracy"
	}
	if r.Line != nil {
		figure.Trends = []render.Trend{{X: r.Grid, Y: r.Fitted, Low: r.Low, High: r.High}}
	}
	names := r.groupNames()
	for k, name := range names {
		figure.Groups = append(figure.Groups, widget.Group{Name: name, Look: widget.Category(k)}.Figure())
	}
	for _, p := range r.Points {
		if p.Score != nil && p.Y != nil {
			figure.Dots = append(figure.Dots, render.Dot{X: *p.Score, Y: *p.Y, Group: slices.Index(names, r.groupOf(p)), Crossed: p.Chance.Code == chance.NotAbove})
		}
	}
	r.addEstimates(&figure)
	return figure
}

// addEstimates draws the predicted suites.
func (r studyReport) addEstimates(figure *render.Scatter) {
	if r.Prediction == nil || len(r.Prediction.Estimates) == 0 {
		return
	}
	scaled := func(accuracy float64) float64 {
		if r.Unscaled {
			return accuracy
		}
		return invariance.Logit(accuracy, r.Eps)
	}
	figure.Groups = append(figure.Groups, widget.Group{Name: "predicted, without labels", Look: widget.LookNone}.Figure())
	for _, e := range r.Prediction.Estimates {
		if e.Low != nil && e.High != nil {
			figure.Dots = append(figure.Dots, render.Dot{
				X: e.Score, Y: scaled(e.Accuracy), Low: scaled(*e.Low), High: scaled(*e.High), Group: len(figure.Groups) - 1,
			})
		}
	}
}

// groupNames are the groups of the points in natural order of their names; those beyond what looks tell apart share the last.
func (r studyReport) groupNames() []string {
	var names []string
	for _, p := range r.Points {
		if name := r.groupTitle(p); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) > widget.Categories {
		names = append(names[:widget.Categories-1], otherGroups)
	}
	return names
}

const otherGroups = "others"

// groupOf is the name of a point's group among groupNames.
func (r studyReport) groupOf(p pointReport) string {
	if name := r.groupTitle(p); slices.Contains(r.groupNames(), name) {
		return name
	}
	return otherGroups
}

func (r studyReport) groupTitle(p pointReport) string {
	switch {
	case p.Group != "":
		return p.Group
	case r.Over == "suites":
		return "not corrupted"
	case r.Column != "":
		return "no " + r.Column
	}
	return "models"
}

func (r studyReport) title() string {
	count := len(r.Points) - r.Dropped
	if r.Over == "suites" {
		return fmt.Sprintf("model %s on %d suites", r.Of, count)
	}
	return fmt.Sprintf("%d models on %s", count, r.Of)
}

// note says what the figure rests on.
func (r studyReport) note() string {
	parts := []string{present.Correlation("Pearson r", r.Pearson), present.Correlation("Spearman rho", r.Spearman), fmt.Sprintf("n %d", r.Pearson.N)}
	if r.Line != nil {
		parts = append(parts, fmt.Sprintf("robust line with 95 %% band of %d resamples", r.Defined))
	}
	note := strings.Join(parts, ", ")
	if above := r.aboveNote(); above != "" {
		note += "\n" + above
	}
	return note
}

// scoreTitle is a score's name on an axis.
func scoreTitle(score invariance.Score) string {
	switch score {
	case invariance.ScoreEI:
		return "effective invariance"
	case invariance.ScoreProduct:
		return "EI without the root"
	case invariance.ScoreJS:
		return "Jensen-Shannon divergence"
	case invariance.ScoreL2:
		return "L2 distance"
	case invariance.ScoreKL:
		return "Kullback-Leibler divergence"
	case invariance.ScoreConsistent:
		return "prediction consistency"
	}
	return strings.ReplaceAll(string(score), "_", " ")
}
