package saved

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

// Source is what models were measured on and where their labels come from: a row of Sources.
type Source struct {
	Suite          Suite
	Family, Images string // canonical texts
	Layout         feature.Layout
	Labels         Labels
	Models         int // with a label
}

// Source is what the assessor learned from.
func (f File) Source() Source {
	return Source{f.Suite, f.Family, f.Images, f.Layout, f.Labels, len(f.Training)}
}

// String says how many models there are and what labels they have.
func (s Source) String() string {
	return fmt.Sprintf("%s, labels: %s (%s)", result.Counted(s.Models, "model"), s.Labels.Source, s.Labels.Said())
}

// Said says how often each label occurs, most variant last.
func (l Labels) Said() string {
	var parts []string
	for _, v := range label.Values(3) {
		if n, ok := l.Counts[string(v)]; ok {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// Sources is the table of what assessors learn from or judge.
var Sources = result.Table[Source]{
	Name: "source", Title: "Source", Noun: "source", ID: func(s Source) string { return s.Suite.Hash + "/" + s.Family },
	Columns: []result.Column[Source]{
		result.Texts("suite", "suite", "", func(s Source) string { return s.Suite.Name }),
		{
			Key: "suite_hash", Title: "suite hash", Format: result.ID, Show: result.FileOnly,
			Text: func(s Source) string { return s.Suite.Hash },
		},
		result.Counts("suite_images", "images", "of the suite",
			func(s Source) int { return s.Suite.Images }).In(result.Offered),
		result.Texts("family", "family", "", func(s Source) string { return s.Family }),
		result.Texts("images", "choice of images", "over which features are measured",
			func(s Source) string { return s.Images }).In(result.Offered),
		result.Texts("matrices", "matrices", "",
			func(s Source) string { return strings.Join(s.Layout.Matrices(), ", ") }).In(result.Offered),
		result.Texts("features", "features", "",
			func(s Source) string { return strings.Join(s.Layout.Names(), ", ") }).In(result.FileOnly),
		result.Texts("profile", "profile", "formulas of the features",
			func(s Source) string { return string(s.Layout.Profile) }).In(result.FileOnly),
		result.Texts("labels", "labels", "where the labels come from",
			func(s Source) string { return s.Labels.Source }),
		result.Texts("round_id", "round", "", func(s Source) string { return s.Labels.Round }).In(result.FileOnly),
		result.Texts("borderline_labels", "borderline labels", "what becomes of them",
			func(s Source) string { return s.Labels.Borderline }).In(result.FileOnly),
		result.Counts("models", "models", "with a label", func(s Source) int { return s.Models }),
		labelled(label.Invariant), labelled(label.Borderline), labelled(label.Variant),
	},
}

// labelled counts the models of a label; there is no number where the labels do not know it.
func labelled(v label.Value) result.Column[Source] {
	return result.Column[Source]{
		Key: string(v), Title: string(v), Help: "models with this label", Format: result.Count,
		Value: func(s Source) float64 {
			if n, ok := s.Labels.Counts[string(v)]; ok {
				return float64(n)
			}
			return math.NaN()
		},
	}
}

// Trained is an assessor that was trained, and where it was put: a row of Assessors.
type Trained struct {
	File
	SHA256 string
	Files  []string // that hold it
	Kept   string   // its name in the workspace, "" for none
}

// Assessors is the table of trained assessors.
var Assessors = result.Table[Trained]{
	Name: "assessor", Title: "Assessor", Noun: "assessor", ID: func(t Trained) string { return t.Name },
	Columns: slices.Concat(
		[]result.Column[Trained]{
			result.Texts("assessor", "assessor", "", func(t Trained) string { return t.Name }),
			{
				Key: "algorithm", Title: "algorithm",
				Text: func(t Trained) string { return string(t.Assessor.Settings.Algorithm) },
				Said: func(t Trained) string { return t.Assessor.Settings.Algorithm.Title(t.Layout.OfBackground()) },
			},
			{
				Key: "results", Title: "in tests", Help: "how its settings did on models that were not learned from",
				Text: func(t Trained) string { return strings.Join(t.Tested(), "\n") },
			},
		},
		result.Lift(Sources.Columns, func(t Trained) Source { return t.Source() }),
		[]result.Column[Trained]{
			{
				Key: "training_hash", Title: "training set", Help: "hash of ids, features and labels",
				Format: result.ID, Text: func(t Trained) string { return t.TrainingHash },
			},
			{
				Key: "sha256", Title: "SHA-256", Help: "of the file", Format: result.ID, Show: result.FileOnly,
				Text: func(t Trained) string { return t.SHA256 }, Fleeting: true, // the file says when it was made
			},
			result.Texts("files", "files", "", func(t Trained) string { return strings.Join(t.Files, ", ") }).Once(),
			result.Texts("kept_as", "kept as", "its name in the workspace", func(t Trained) string { return t.Kept }).
				Told(func(t Trained) string { return t.Kept + ", in the workspace" }),
		},
		result.Lift(assess.SettingsColumns, func(t Trained) assess.Settings { return t.Assessor.Settings })),
}

// Tested says how the settings did, a line per evaluation.
func (f File) Tested() []string {
	lines := make([]string, len(f.Results))
	for k, r := range f.Results {
		lines[k] = r.String()
	}
	return lines
}

// String says how well the settings did.
func (r Result) String() string {
	share := func(v float64) string { return result.Share.Say(v, 2) }
	text := fmt.Sprintf("%s: accuracy %s ± %s, SD %s, balanced %s, F1 %s", r.Scheme.Kind.Title(), share(r.Accuracy),
		share(r.LargestDeviation),
		share(r.SD), share(r.Balanced), share(r.F1))
	for _, v := range []struct {
		name   string
		value  *float64
		format result.Format
	}{{"AUC", r.AUC, result.Number}, {"kappa", r.Kappa, result.Coefficient}} {
		if v.value != nil {
			text += fmt.Sprintf(", %s %s", v.name, v.format.Say(*v.value, 0))
		}
	}
	return text
}

// Results is the table of evaluations that are kept with an assessor.
var Results = result.Table[Result]{
	Name: "results", Title: "Evaluations", Noun: "evaluation",
	ID: func(r Result) string { return fmt.Sprint(r.Scheme, r.Tuned) },
	Columns: slices.Concat(
		result.Lift(assess.SchemeColumns, func(r Result) assess.Scheme { return r.Scheme }),
		[]result.Column[Result]{
			result.Bools("tuned", "tuned", "hyper-parameters were chosen by nested cross-validation",
				func(r Result) bool { return r.Tuned }),
			result.Texts("note", "note", "", func(r Result) string { return r.Note }),
			result.Counts("models", "models", "with a label", func(r Result) int { return r.Models }),
			number("accuracy", "accuracy", result.Share, func(r Result) *float64 { return &r.Accuracy }),
			number("largest_deviation", "±", result.Share, func(r Result) *float64 { return &r.LargestDeviation }),
			number("sd", "SD", result.Share, func(r Result) *float64 { return &r.SD }),
			number("balanced_accuracy", "balanced", result.Share, func(r Result) *float64 { return &r.Balanced }),
			number("f1", "F1", result.Share, func(r Result) *float64 { return &r.F1 }),
			number("auc", "AUC", result.Number, func(r Result) *float64 { return r.AUC }),
			number("kappa", "kappa", result.Coefficient, func(r Result) *float64 { return r.Kappa }),
			number("vote_kappa", "kappa of the most frequent verdicts", result.Coefficient,
				func(r Result) *float64 { return r.VoteKappa }),
		}),
}

func number(key, title string, format result.Format, of func(Result) *float64) result.Column[Result] {
	return result.Column[Result]{
		Key: key, Title: title, Format: format, Descending: true,
		Value: func(r Result) float64 {
			if v := of(r); v != nil {
				return *v
			}
			return math.NaN()
		},
	}
}

// Gated is a model that a gate has judged: a row of Gates.
type Gated struct {
	Judged assess.Judgement
	By     File
	On     Suite // that the model was judged on
	// Recipe says how an image became the model's input, canonical text, and From the places that
	// say so.
	Recipe, From string
	Bound        *float64 // largest probability of variant that passes; nil where the verdict decides
	Passed       bool
}

// Gates is the table of judged models.
var Gates = result.Table[Gated]{
	Name: "gate", Title: "Gate", Noun: "model", ID: func(g Gated) string { return g.Judged.Hash },
	Columns: slices.Concat(
		result.Lift(assess.Verdicts.Columns[:4], func(g Gated) assess.Judgement { return g.Judged }),
		[]result.Column[Gated]{
			result.Numbers("max_variance", "at most", "the largest probability of variant that passes", result.Share,
				func(g Gated) float64 {
					if g.Bound == nil {
						return math.NaN()
					}
					return *g.Bound
				}).In(result.FileOnly),
			result.Bools("passed", "passes", "whether the gate is met", func(g Gated) bool { return g.Passed }),
			result.Bools("in_training_set", "learned from",
				"the assessor learned from the model: it is judged with knowledge",
				func(g Gated) bool { return g.Judged.Learned > 0 }).In(result.FileOnly),
		},
		result.Lift(assess.DistanceColumns, func(g Gated) assess.Distance { return g.Judged.Distance }),
		[]result.Column[Gated]{
			result.Texts("assessor", "assessor", "", func(g Gated) string { return g.By.Name }).In(result.FileOnly),
			result.Texts("suite", "suite", "", func(g Gated) string { return g.On.Name }).In(result.FileOnly),
			{
				Key: "suite_hash", Title: "suite hash", Format: result.ID, Show: result.FileOnly,
				Text: func(g Gated) string { return g.On.Hash },
			},
			result.Counts("suite_images", "images", "of the suite",
				func(g Gated) int { return g.On.Images }).In(result.FileOnly),
			result.Texts("family", "family", "", func(g Gated) string { return g.By.Family }).In(result.FileOnly),
			result.Texts("recipe", "recipe", "how an image became the model's input",
				func(g Gated) string { return g.Recipe }).In(result.FileOnly),
			result.Texts("recipe_from", "recipe from", "the places that say so",
				func(g Gated) string { return g.From }).In(result.FileOnly),
			result.Texts("trained_on", "trained on", "the assessor's suite",
				func(g Gated) string { return g.By.Suite.Name }).In(result.FileOnly),
			{
				Key: "trained_on_hash", Title: "trained on, hash", Format: result.ID, Show: result.FileOnly,
				Text: func(g Gated) string { return g.By.Suite.Hash },
			},
			result.Counts("trained_on_images", "images trained on", "of the assessor's suite",
				func(g Gated) int { return g.By.Suite.Images }).In(result.FileOnly),
			result.Counts("training_models", "training models", "from which the assessor learned",
				func(g Gated) int { return len(g.By.Training) }).In(result.FileOnly),
		}),
	More: func(list []Gated) []result.Column[Gated] {
		judged := make([]assess.Judgement, len(list))
		for k, g := range list {
			judged[k] = g.Judged
		}
		return result.Lift(assess.ResampledColumns(judged), func(g Gated) assess.Judgement { return g.Judged })
	},
}

// Elsewhere says that models are judged by other images than the assessor was trained on, "" where
// they are not or where that is not known.
func (f File) Elsewhere(here Suite) string {
	if f.Suite.Hash == "" || here.Hash == "" || f.Suite.Hash == here.Hash {
		return ""
	}
	return "the assessor was trained on another suite, " + f.Suite.Name
}
