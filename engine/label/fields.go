package label

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/variscope/variscope/engine/model"
)

// answerWords are the words in the name of a record's field that say it holds somebody's answer
// to what a round asks.
var answerWords = []string{
	"label", "labels", "labelled", "labeled", "verdict", "verdicts", "judgement", "judgements", "judgment", "judgments",
	"judged", "rating", "ratings", "annotation", "annotations", "annotator", "annotators", "adjudicated", "majority",
	"assessor", "invariant", "variant", "borderline",
}

// trainingWords stand behind "label" in the names of settings of a training, as in label_smoothing.
var trainingWords = []string{"smoothing", "smooth", "noise"}

// TellsAnswer tells whether a field of a model's record tells an annotator the answer: a label of
// any kind, its reason, the judgement of somebody else, or the verdict of an assessor. Its name
// says so (rule_label, label_reason, verdict), or its value is a label.
func TellsAnswer(name, value string) bool {
	if slices.Contains(Words(3), strings.ToLower(strings.TrimSpace(value))) {
		return true
	}
	parts := strings.FieldsFunc(strings.ToLower(name),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(parts) > 1 && parts[0] == "rule" { // rule_label and what explains it
		return true
	}
	return slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(answerWords, part) }) &&
		!slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(trainingWords, part) })
}

// Allows tells whether the round shows a field of a model's record: one that is listed in Fields,
// in a round without a list one that does not tell the answer.
func (r Round) Allows(name, value string) bool {
	if r.Fields == nil {
		return !TellsAnswer(name, value)
	}
	return slices.Contains(r.Fields, name)
}

// CurvePrefix stands before the name of a curve in Round.Pinned; fields of records stand there by
// their name alone.
const CurvePrefix = "curve:"

// AllowsCurve tells whether the round shows a training curve.
func (r Round) AllowsCurve(name string) bool {
	return r.Curves == nil || slices.Contains(r.Curves, name)
}

// checkShown returns what is wrong with what annotators see beside the matrices, "" when nothing
// is.
func (r Round) checkShown() string {
	for _, list := range []struct {
		what  string
		names []string
	}{{"field of the record", r.Fields}, {"curve", r.Curves}, {"pinned field or curve", r.Pinned}} {
		if len(list.names) > 0 {
			if problem := checkNames(list.what, list.names); problem != "" {
				return problem
			}
		}
	}
	for _, pinned := range r.Pinned {
		name, curve := strings.CutPrefix(pinned, CurvePrefix)
		if curve && !r.AllowsCurve(name) || !curve && !r.Allows(name, "") {
			return fmt.Sprintf("%s is pinned, but annotators do not see it", pinned)
		}
	}
	return ""
}

// Shown is a model as the round shows it: without the fields of its record, the curves, and the
// metadata of its file, that the round does not allow. Columns that the model's settings are read
// from stay unless they tell the answer.
func (r Round) Shown(m model.Model) model.Model {
	var kept []model.Field
	for _, f := range m.Record {
		if r.Allows(f.Name, f.Value) || model.IsSetting(f.Name) {
			kept = append(kept, f)
		}
	}
	m.Record = kept
	if r.Curves != nil {
		m.Curves = r.shownCurves(m.Curves)
	}
	metadata := map[string]string{}
	for name, value := range m.Graph.Metadata {
		if !TellsAnswer(name, value) || slices.Contains(r.Fields, name) {
			metadata[name] = value
		}
	}
	if len(metadata) < len(m.Graph.Metadata) {
		m.Graph.Metadata = metadata
	}
	return m
}

// shownCurves are the numbers of the curves that the round shows, in the epochs that have any of
// them.
func (r Round) shownCurves(curves []model.Epoch) (list []model.Epoch) {
	for _, epoch := range curves {
		values := maps.Clone(epoch.Values)
		maps.DeleteFunc(values, func(name string, _ float64) bool { return !r.AllowsCurve(name) })
		if len(values) > 0 {
			list = append(list, model.Epoch{Epoch: epoch.Epoch, Values: values})
		}
	}
	return list
}
