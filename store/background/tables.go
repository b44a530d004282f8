package background

import (
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/suite"
)

// Interpolated describes the matrix that an interpolant made of a cloud.
func (e Evidence) Interpolated(
	measure Measure, cloud scatter.Cloud, by scatter.Interpolant, m scatter.Matrix,
) background.Interpolated {
	return background.Interpolated{
		Model: e.Model.ID, Hash: e.Model.Hash, Selection: e.Selection.Name, Measure: string(measure), Name: by.Name(),
		By: by, Targets: len(cloud.Signals), Points: cloud.Points(), Constant: e.Constants[measure], Matrix: m,
		Far: cloud.D, Apart: math.NaN(), ApartSD: math.NaN(),
	}.Measured()
}

// InScenes is what the model did, for the table of outcomes.
func (e Evidence) InScenes() background.InScenes {
	return background.InScenes{
		Model: e.Model, Selection: e.Selection.Name, Key: e.Set.Key, Outcome: e.Outcome, Flags: e.Flags,
	}
}

// Signal is a measure's signal of image j of a target, divided by the constant; NaN where the
// measure is not there.
func (e Evidence) Signal(measure Measure, target, j int) float64 {
	if cloud, there := e.Clouds[measure]; there {
		return cloud.Signals[target][j]
	}
	return math.NaN()
}

// Notes are what has to be known about a model's signals in the scenes: accuracies, constants, what
// is not there and why, and what is unusual.
func (e Evidence) Notes() []string {
	o := e.Outcome
	share := func(v float64) string { return result.Share.Say(v, 0) }
	list := []string{
		fmt.Sprintf("%s in the scenes of %s", e.Model.ID, e.Selection.Name),
		fmt.Sprintf("%s, %s of them with a label; %d scenes each, chosen by %s", result.Counted(o.Targets, "target"),
			result.Whole(o.Labelled), e.Selection.N, e.Selection.Method),
		fmt.Sprintf("accuracy: %s clean, %s in scenes, %s worst case", share(o.Accuracy), share(o.MeanComposite),
			share(o.WorstCase)),
		fmt.Sprintf("The prediction changes in %s of the composites.", share(o.ChangedShare)),
		fmt.Sprintf("largest distance: %s", result.Number.Say(e.Selection.Selection.Far(), 0)),
	}
	for _, m := range Measures() {
		switch constant, scaled := e.Constants[m]; {
		case e.Absent[m] != "":
			list = append(list, fmt.Sprintf("%s is not there: %s", m, e.Absent[m]))
		case scaled && constant != 1:
			list = append(list, fmt.Sprintf("%s is divided by %s.", m, result.Number.Say(constant, 0)))
		}
	}
	for _, flag := range e.Flags {
		list = append(list, "Note: "+flag)
	}
	return list
}

// Facts say how different a plan's scenes are, how near to the keywords of their targets, and which
// targets have no keywords.
func (p Plan) Facts(targets suite.Manifest) []string {
	d := p.Selection.Diversity(p.Selection.Far())
	number, share := func(v float64) string { return result.Number.Say(v, 0) },
		func(v float64) string { return result.Share.Say(v, 0) }
	all := p.Plausibility()
	lines := []string{
		fmt.Sprintf("Distances from %s to %s, mean %s.", number(d.Distance.Least), number(d.Distance.Far),
			number(d.Distance.Mean)),
		fmt.Sprintf("Diversity: %s different backgrounds of %s, the most used one for %s; "+
			"%s of the intervals filled, evenness %s.", result.Whole(d.Different), result.Whole(len(p.Scenes)),
			result.Counted(d.MostUsed, "target"), share(d.Filled), number(d.Even)),
		fmt.Sprintf("Plausibility: %s of the scenes have a keyword of their target, %s one of its expansion.",
			share(all.Share(0)), share(all.Share(len(all.ByLevel)))),
	}
	if len(p.WithoutKeywords) > 0 {
		var names []string
		for _, t := range p.WithoutKeywords {
			names = append(names, targets.ImageName(t))
		}
		verb := "have no keyword and take"
		if len(names) == 1 {
			verb = "has no keyword and takes"
		}
		lines = append(lines, fmt.Sprintf("%s %s the nearest scenes: %s.", result.Counted(len(names), "target"), verb,
			result.Some(names)))
	}
	return lines
}

// Plausibility says how near a plan's scenes are to the keywords of their targets: of these
// targets, or of all without any.
func (p Plan) Plausibility(targets ...int) (all background.Plausibility) {
	from := background.Scenes{Table: p.Table, Keywords: p.Keywords}
	for t, chosen := range p.Selection.Chosen {
		if len(targets) > 0 && !slices.Contains(targets, t) {
			continue
		}
		rows := make([]background.Scene, len(chosen))
		for k, scene := range chosen {
			scene.Background = p.Scenes[scene.Background]
			rows[k] = scene
		}
		all.Add(from, p.Expansions[t], rows)
	}
	return all
}
