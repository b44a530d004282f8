// Package inventory declares the table of a workspace's models: where each stands under a suite and
// a family, how accurate it is, what a round says of it, and its training record.
package inventory

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
)

// State is where a model stands under the suite and family that rows are of.
type State string

// The states.
const (
	Failed    State = "failed"
	Running   State = "running"
	Paused    State = "paused"
	Queued    State = "queued"
	Stale     State = "stale"
	NoSignals State = "no signals"
	Ready     State = "ready"
)

// urgency is the order of the states in a sort.
var urgency = []State{Failed, Running, Paused, Queued, Stale, NoSignals, Ready}

// Row is one model.
type Row struct {
	Model model.Model
	State State
	// Share is the part done in [0, 1] while the state is Running, Paused or Queued.
	Share float64
	// Reason says why the state is Failed or Stale.
	Reason string
	// Accuracy under the identity, and Robust, the correct_product of spec/assessors.md; NaN
	// without signals or labels.
	Accuracy, Robust float64
	Chance           chance.Level
	Looks            chance.Looks
	// Set is the key of the signals that matrices and accuracies rest on, "" without signals.
	Set string
	// Device is the kind of device that has computed the signals, empty for the processor.
	Device string
	// Verdict is what a round says; nil where it says nothing or may not be shown.
	Verdict *Verdict
	// Absent names the positions that the model does not have.
	Absent []string
}

// Said is the state with what belongs to it: "running 43 %".
func (r Row) Said() string {
	if r.State == Running || r.State == Paused {
		return string(r.State) + " " + result.Percent(math.Round(100*r.Share)/100)
	}
	return string(r.State)
}

// badges are those of the model and of its signals.
func (r Row) badges() []string {
	list := r.Model.Badges()
	if word, sentence := device.Badge(r.Device); word != "" {
		list = append(list, sentence)
	}
	return list
}

// Detail says in a line what the columns have no room for.
func (r Row) Detail() string {
	parts := []string{r.Model.ID + ": " + r.Said()}
	if r.Reason != "" {
		parts = append(parts, r.Reason)
	}
	if r.Chance.Flagged() {
		parts = append(parts, r.Chance.Sentence())
	}
	if r.Looks.Doubtful() {
		parts = append(parts, r.Looks.Sentence())
	}
	if len(r.Absent) > 0 {
		parts = append(parts, "absent: "+strings.Join(r.Absent, ", "))
	}
	if v := r.Verdict; v != nil && v.Label != "" {
		text := "label: " + v.Label
		if v.Final {
			text += " (final)"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " — ")
}

// parameters are those of the training record, else those that the graph has.
func (r Row) parameters() string {
	if text := r.Model.Value("parameters"); text != "" || r.Model.Graph.Parameters == 0 {
		return text
	}
	return strconv.FormatInt(r.Model.Graph.Parameters, 10)
}

// input is channels x height x width; a size that the file leaves open is written as ?.
func (r Row) input() string { return InputText(r.Model.Graph.Input) }

// recipe is the recipe in force; one that cannot be read says so.
func (r Row) recipe() string {
	s, err := r.Model.Settings()
	if err != nil {
		return "not understood"
	}
	return s.Recipe.Text()
}

func (r Row) recipeFrom() string {
	s, err := r.Model.Settings()
	if err != nil {
		return err.Error()
	}
	return s.RecipeFrom()
}

func (r Row) classes() float64 {
	if outputs := r.Model.Graph.Outputs; len(outputs) > 0 && outputs[0].Classes > 1 {
		return float64(outputs[0].Classes)
	}
	if s, err := r.Model.Settings(); err == nil && s.OutputKind.Binary() {
		return 2 // of one number per image
	}
	return math.NaN()
}

// Verdict is what a round says of a model.
type Verdict struct {
	Label   string // the adjudicated label or that of the majority; "tie" and "no majority" where there is none
	Final   bool   // adjudicated
	Ratings int    // annotators who have labelled the model
	// Agree is the share of them whose label is the most frequent one; NaN without ratings.
	Agree float64
}

// Verdicts decides every item of a round, by hash.
func Verdicts(r label.Round, events []label.Event) map[string]Verdict {
	decisions, ratings := label.Training(r, events, false), label.Ratings(r, events)
	list := make(map[string]Verdict, len(decisions))
	for i, d := range decisions {
		v := Verdict{Label: string(d.Value), Final: d.By == label.Adjudicated, Agree: math.NaN()}
		switch d.By {
		case label.Tie:
			v.Label = "tie"
		case label.NoMajority:
			v.Label = "no majority"
		}
		counts := make([]int, r.Classes)
		for _, row := range ratings {
			if row[i] != label.Missing {
				counts[row[i]]++
				v.Ratings++
			}
		}
		if v.Ratings > 0 {
			v.Agree = float64(slices.Max(counts)) / float64(v.Ratings)
		}
		list[d.Model] = v
	}
	return list
}

// verdict is a number of the round, NaN for a model outside of it.
func (r Row) verdict(of func(Verdict) float64) float64 {
	if r.Verdict == nil {
		return math.NaN()
	}
	return of(*r.Verdict)
}

// Matrices is the key of the column whose cells are pictures in the window.
const Matrices = "matrices"

// Models is the table of models. Which columns there are beside the state and the accuracies
// depends on the rows: chance where a model is not above it, looks where one looks
// as if it wants another recipe, a round's where it may be shown, and
// each column NAME of the training records as record.NAME.
var Models = result.Table[Row]{
	Name: "models", Title: "Models", Noun: "model", ID: func(r Row) string { return r.Model.Hash },
	First: result.Order{Key: "model_id"},
	Columns: []result.Column[Row]{
		result.Texts("model_id", "model", "name of the model", func(r Row) string { return r.Model.ID }),
		{
			Key: "model_hash", Title: "model hash", Help: "SHA-256 of the model's file", Format: result.ID,
			Show: result.FileOnly, Text: func(r Row) string { return r.Model.Hash },
		},
		result.Texts(Matrices, "matrices", "the five variance matrices of ML4ML; files have the key of their signals",
			func(r Row) string { return r.Set }),
		result.Texts("state", "state", "of the signals under the suite and family that are chosen",
			func(r Row) string { return string(r.State) }).Told(Row.Said).
			Ranked(func(r Row) float64 { return float64(slices.Index(urgency, r.State)) + r.Share/2 }),
		result.Texts("reason", "reason", "why the model failed or is stale",
			func(r Row) string { return r.Reason }).In(result.Offered),
		accuracy("accuracy", "accuracy", "share of the labelled images that are classified rightly",
			func(r Row) float64 { return r.Accuracy }),
		accuracy("robust_accuracy", "robust accuracy",
			"share of them that are right under all transformations of the family",
			func(r Row) float64 { return r.Robust }),
	},
	More: more,
}

func accuracy(key, title, help string, of func(Row) float64) result.Column[Row] {
	return result.Numbers(key, title, help, result.Share, of).Because(func(r Row) result.Reason {
		if r.Set == "" {
			return result.Because("no_signals", "no run has computed the model under the chosen suite and family")
		}
		return result.Because("no_labels", "the suite has no labels")
	})
}

func more(rows []Row) (list []result.Column[Row]) {
	if slices.ContainsFunc(rows, func(r Row) bool { return r.Chance.Flagged() }) {
		list = result.Lift(chance.Columns, func(r Row) chance.Level { return r.Chance })
	}
	if slices.ContainsFunc(rows, func(r Row) bool { return r.Looks.Doubtful() }) {
		list = append(list, result.Lift(chance.LookColumns, func(r Row) chance.Looks { return r.Looks })...)
	}
	if slices.ContainsFunc(rows, func(r Row) bool { return r.Verdict != nil }) {
		list = append(list, ofRound...)
	}
	if slices.ContainsFunc(rows, func(r Row) bool { return len(r.badges()) > 0 }) {
		list = append(list, badges)
	}
	architecture := result.Texts(result.RecordKey("architecture"), "architecture", "of the training record",
		func(r Row) string { return r.Model.Value("architecture") })
	list = append(list, architecture, parameters)
	for _, c := range model.RecordColumns(rows, func(r Row) model.Model { return r.Model }) {
		if c.Key != architecture.Key && c.Key != result.RecordKey("parameters") && c.Title != "" {
			c.Title = strings.ReplaceAll(c.Title, "_", " ")
			list = append(list, c.In(result.Shown))
		}
	}
	return append(list, ofFile...)
}

var (
	ofRound = []result.Column[Row]{
		{
			Key: "label", Title: "label", Help: "adjudicated, else that of more than half of the annotators",
			Format: result.Label,
			Text: func(r Row) string {
				if r.Verdict == nil {
					return ""
				}
				return r.Verdict.Label
			},
		},
		result.Numbers("agreement", "agreement",
			"share of the annotators whose label is the most frequent one", result.Share,
			func(r Row) float64 { return r.verdict(func(v Verdict) float64 { return v.Agree }) }),
		result.Numbers("ratings", "ratings", "annotators who have labelled the model", result.Count,
			func(r Row) float64 {
				return r.verdict(func(v Verdict) float64 {
					return float64(v.Ratings)
				})
			}).In(result.Offered),
	}
	badges = result.Texts("badges", "badges", "what a reader must know of the model",
		func(r Row) string { return strings.Join(r.badges(), "; ") })
	parameters = result.Column[Row]{
		Key: "parameters", Title: "parameters", Help: "of the training record, else of the file",
		Format: result.Numeral, Descending: true, Text: Row.parameters,
	}
	ofFile = []result.Column[Row]{
		result.Texts("input", "input", "channels, height and width; ? where the file leaves them open", Row.input),
		result.Texts("recipe", "recipe", "how an image becomes the input", Row.recipe).In(result.Offered),
		result.Texts("recipe_from", "recipe from", "the places that say how an image becomes the input",
			Row.recipeFrom).In(result.Offered),
		result.Numbers("classes", "classes", "of the model's first output", result.Count, Row.classes),
		result.Counts("opset", "opset", "version of the ONNX operators",
			func(r Row) int { return r.Model.Graph.Opset }).In(result.Offered),
		result.Texts("file", "file", "that was imported", func(r Row) string { return r.Model.File }),
	}
)
