package intake

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
)

// Outcome is one thing that was imported, or was not.
type Outcome struct {
	What string // model, suite, labels, records, log, predictions or failed
	Name string
	ID   string // of a model or table of predictions; content hash of a suite
	Path string // of what failed, and of a table of records or a log
	// Details say what has come in, for people, part by part; Reason why nothing has, "" where
	// something has.
	Details []string
	Reason  string
	// Input, Recipe, RecipeFrom, Mapped and Positions say how a model is run: the form of its
	// input, the canonical text of its recipe, where that comes from, how its classes are those of
	// the current suite, and the positions that it has.
	Input, Recipe, RecipeFrom, Mapped, Positions string
	// Images, Classes and Models count what a suite or a table has, Changed and Unknown name the
	// models of a table of records whose records change, and those that are not in the workspace,
	// Columns its fields that no model had before.
	Images, Classes, Models   int
	Changed, Unknown, Columns []string
	ModelIDs                  []string // of a table of predictions
	Suite                     string   // of a table of predictions, "" for none
	// what of a suite, log or table of predictions was left out, each with the reason
	LeftOut  []string
	Soft     int             // models with probabilities
	Truth    bool            // true classes are there
	Manifest *suite.Manifest // of a suite
	Merged   bool            // the model was there already
	// Before and After are the records of models that were changed; PutRecords(Before) undoes that.
	Before, After []store.Record
}

// Outcomes is the table of what was imported.
var Outcomes = result.Table[Outcome]{
	Name: "import", Title: "Import", Noun: "row", ID: func(o Outcome) string {
		return o.What + "/" + o.Name + "/" + o.ID + "/" + o.Path
	},
	Columns: []result.Column[Outcome]{
		result.Texts("what", "what", "model, suite, records, log or predictions",
			func(o Outcome) string { return o.What }),
		result.Texts("name", "name", "of it in the workspace", func(o Outcome) string { return o.Name }),
		result.Texts("detail", "detail", "what has come in",
			func(o Outcome) string { return strings.Join(o.Details, "; ") }).Once(),
		fileText("id", "of a table of predictions; content hash of a suite", func(o Outcome) string { return o.ID }),
		fileText("path", "of a table of records or a log of training, and of what could not be imported",
			func(o Outcome) string { return o.Path }).Once(),
		fileText("reason", "why it could not be imported", func(o Outcome) string { return o.Reason }),
		fileText("input", "of a model: channels, height and width; ? where the file leaves them open",
			func(o Outcome) string { return o.Input }),
		fileText("recipe", "how an image becomes a model's input", func(o Outcome) string { return o.Recipe }),
		fileText("recipe_from", "the places that say so", func(o Outcome) string { return o.RecipeFrom }),
		fileText("mapped", "how a model's classes are those of the current suite",
			func(o Outcome) string { return o.Mapped }),
		fileText("positions", "that a model has", func(o Outcome) string { return o.Positions }),
		fileCount("images", "of a suite or table of predictions",
			func(o Outcome) int { return o.Images }, "suite", "predictions"),
		fileCount("files_left_out",
			"corrupt images of a suite, files beside its images and rows of its table that were left out",
			func(o Outcome) int { return o.leftOut() }, "suite"),
		fileText("notes", "how the files of a suite were understood", func(o Outcome) string {
			if o.Manifest == nil {
				return ""
			}
			return strings.Join(o.Manifest.Notes, "; ")
		}),
		fileCount("classes", "of a suite or table of predictions",
			func(o Outcome) int { return o.Classes }, "suite", "predictions"),
		fileCount("models", "of the table that the workspace has",
			func(o Outcome) int { return o.Models }, "records", "predictions"),
		fileText("model_ids", "models of a table of predictions",
			func(o Outcome) string { return strings.Join(o.ModelIDs, "; ") }),
		fileText("left_out",
			"files of a suite, columns or arrays of a table of predictions that are no models, or curves and "+
				"settings of a log, and why",
			func(o Outcome) string { return strings.Join(o.LeftOut, "; ") }),
		fileText("changed", "models whose records change",
			func(o Outcome) string { return strings.Join(o.Changed, "; ") }).Once(),
		fileText("unknown", "models of the table that the workspace lacks",
			func(o Outcome) string { return strings.Join(o.Unknown, "; ") }),
		fileText("columns", "fields that no model had before",
			func(o Outcome) string { return strings.Join(o.Columns, "; ") }).Once(),
		fileText("suite", "that predictions are about", func(o Outcome) string { return o.Suite }),
		fileCount("with_probabilities", "models with probabilities",
			func(o Outcome) int { return o.Soft }, "predictions"),
		result.Bools("truth", "truth", "the table has true classes",
			func(o Outcome) bool { return o.Truth }).In(result.FileOnly),
	},
}

// leftOut counts what a suite's folder or table holds and the suite does not.
func (o Outcome) leftOut() (n int) {
	if o.Manifest == nil {
		return 0
	}
	n = len(o.Manifest.Skipped)
	for _, p := range o.Manifest.Passed {
		n += p.Count
	}
	return n
}

func fileText(key, help string, text func(Outcome) string) result.Column[Outcome] {
	return result.Texts(key, key, help, text).In(result.FileOnly)
}

// fileCount is missing for all but these kinds of things.
func fileCount(key, help string, count func(Outcome) int, of ...string) result.Column[Outcome] {
	return result.Numbers(key, strings.ReplaceAll(key, "_", " "), help, result.Count, func(o Outcome) float64 {
		if o.Reason != "" || !slices.Contains(of, o.What) {
			return math.NaN()
		}
		return float64(count(o))
	}).In(result.FileOnly)
}

// Class is a class of an imported suite.
type Class struct {
	Suite  suite.Manifest
	Number int
}

// Classes is the table of the classes of imported suites, Left that of their images, and of files
// beside them, that were left out.
var (
	Classes = result.Table[Class]{
		Name: "classes", Title: "Classes", Noun: "class",
		ID: func(c Class) string { return c.Suite.Hash + "/" + c.Suite.Classes[c.Number] },
		Columns: []result.Column[Class]{
			result.Texts("suite", "suite", "name of the test suite", func(c Class) string { return c.Suite.Name }),
			result.Texts("class", "class", "its name", func(c Class) string { return c.Suite.Classes[c.Number] }),
			result.Counts("images", "images", "of the class", func(c Class) int { return c.Suite.Counts[c.Number] }),
		},
	}
	Left = result.Table[LeftImage]{
		Name: "left_out", Title: "Left out", Noun: "file",
		ID: func(l LeftImage) string { return l.Suite + "/" + l.Path },
		Columns: []result.Column[LeftImage]{
			result.Texts("suite", "suite", "name of the test suite", func(l LeftImage) string { return l.Suite }),
			result.Texts("path", "path", "of the image or file; of many files of one reason the first 100",
				func(l LeftImage) string { return l.Path }),
			result.Texts("reason", "reason", "why it was left out", func(l LeftImage) string { return l.Reason }),
		},
	}
)

// LeftImage is an image or another file that an imported suite left out.
type LeftImage struct {
	Suite string
	suite.Skipped
}

// Sheets are the tables of what was imported; classes and images that were left out where suites
// were.
func Sheets(list []Outcome) []*result.Sheet {
	var classes []Class
	var left []LeftImage
	suites := false
	for _, o := range list {
		if o.Manifest == nil {
			continue
		}
		suites = true
		for k := range o.Manifest.Classes {
			classes = append(classes, Class{*o.Manifest, k})
		}
		for _, s := range o.Manifest.Skipped {
			left = append(left, LeftImage{o.Manifest.Name, s})
		}
		for _, p := range o.Manifest.Passed {
			for _, path := range p.Paths {
				left = append(left, LeftImage{o.Manifest.Name, suite.Skipped{Path: path, Reason: p.Reason}})
			}
		}
	}
	sheets := []*result.Sheet{Outcomes.Sheet(list)}
	if suites {
		sheets = append(sheets, Classes.Sheet(classes), Left.Sheet(left))
	}
	return sheets
}

// NotImported is a path that could not be imported, and why.
func NotImported(path, why string) Outcome {
	return Outcome{What: "failed", Name: filepath.Base(path), Path: path, Reason: why}
}

// suiteOutcome is a suite that has come in: its images, classes with their names and numbers of
// images, what was left out, and how the files were understood.
func suiteOutcome(m suite.Manifest) Outcome {
	o := Outcome{What: "suite", Name: m.Name, ID: m.Hash, Images: m.Images, Classes: len(m.Classes), Manifest: &m}
	text := result.Counted(m.Images, "image")
	if len(m.Classes) == 0 {
		text += " without labels"
	} else {
		const most = 12 // classes that are named
		var parts []string
		rest := 0
		for i, name := range m.Classes {
			count := 0
			if i < len(m.Counts) {
				count = m.Counts[i]
			}
			if i < most {
				parts = append(parts, fmt.Sprintf("%s %d", name, count))
			} else {
				rest += count
			}
		}
		if more := len(m.Classes) - most; more > 0 {
			parts = append(parts, fmt.Sprintf("%d more with %s", more, result.Counted(rest, "image")))
		}
		text += ", " + result.Counted(len(m.Classes), "class") + ": " + strings.Join(parts, ", ")
	}
	o.Details = []string{text}
	if n := len(m.Skipped); n > 0 {
		o.Details = append(o.Details, result.Counted(n, "corrupt image")+" left out")
	}
	count := 0
	for _, p := range m.Passed {
		count += p.Count
		o.LeftOut = append(o.LeftOut, p.String())
	}
	if count > 0 {
		o.Details = append(o.Details, fmt.Sprintf("%d not taken: %s", count, strings.Join(o.LeftOut, ", ")))
	}
	o.Details = append(o.Details, m.Notes...)
	return o
}

// PredictionsOutcome is a table of predictions that was kept, of a suite, "" for none.
func PredictionsOutcome(kept store.PredictionTable, t predictions.Table, suite string) Outcome {
	o := Outcome{
		What: "predictions", Name: kept.Name, ID: kept.ID, Suite: suite, Models: len(kept.Models),
		ModelIDs: kept.Models, Images: kept.Samples, Classes: kept.Classes, Truth: kept.Truth,
	}
	for _, soft := range kept.Soft {
		if soft {
			o.Soft++
		}
	}
	parts := []string{
		result.Counted(o.Models, "model"), result.Counted(o.Images, "image"), result.Counted(o.Classes, "class"),
		"probabilities of " + result.Whole(o.Soft),
	}
	if o.Truth {
		parts = append(parts, "true classes")
	}
	if t.Form != "" {
		parts = append(parts, t.Form)
	}
	for _, l := range t.LeftOut {
		o.LeftOut = append(o.LeftOut, l.String())
		parts = append(parts, "left out "+l.String())
	}
	o.Details = []string{strings.Join(parts, ", ")}
	return o
}

// Outcomes are the models that have come in, each with how it is run, and how its classes are those
// of the current suite.
func (r Report) Outcomes(ws *store.Workspace) (list []Outcome, err error) {
	current, err := ws.Current()
	if err != nil {
		return nil, err
	}
	var of *suite.Manifest
	if s, err := ws.Suite(current.Suite); err == nil {
		of = &s
	}
	add := func(ids []string, merged bool, what string) {
		for _, id := range ids {
			m, failed := ws.FindModel(id)
			if failed != nil {
				err = errors.Join(err, failed)
				continue
			}
			o := ModelOutcome(m, of, append([]string{what}, r.of(id)...))
			o.Merged = merged
			list = append(list, o)
		}
	}
	add(r.Added, false, "added")
	add(r.Merged, true, "there already; its record was merged")
	return list, err
}

// ModelOutcome is a model that has come in: how it is run, and how its classes are those of a
// suite, nil for none.
func ModelOutcome(m model.Model, of *suite.Manifest, details []string) Outcome {
	o := Outcome{What: "model", Name: m.ID, Details: details}
	s, err := m.Settings()
	if err != nil {
		o.Details = append(o.Details, err.Error())
		return o
	}
	o.Input, o.Recipe, o.RecipeFrom = inventory.InputText(m.Graph.Input), s.Recipe.Text(), s.RecipeFrom()
	positions := []string{model.CONF}
	for _, name := range []string{model.Conv1, model.Conv2, model.Head} {
		if _, ok := m.Graph.Tensor(name, m.Correction.Positions); ok {
			positions = append(positions, name)
		}
	}
	o.Positions = strings.Join(positions, ", ")
	o.Details = append(o.Details, "input "+o.Input, fmt.Sprintf("recipe %q from %s", o.Recipe, o.RecipeFrom))
	o.Details = append(o.Details, s.Notes...)
	classes := inventory.ClassText(s)
	if len(s.ClassNames) > 0 {
		classes += " from " + string(s.NamesBy)
	}
	o.Details = append(o.Details, "classes: "+classes)
	if of != nil {
		last := &o.Details[len(o.Details)-1]
		if _, o.Mapped, err = engine.MatchClasses(*of, s, max(s.Classes, len(s.ClassNames)), nil); err != nil {
			o.Mapped = "not mapped: " + err.Error()
			o.Details = append(o.Details, fmt.Sprintf("it cannot run on suite %s yet: %v", of.Name, err))
		} else {
			*last += ", " + o.Mapped + " on suite " + of.Name
		}
	}
	o.Details = append(o.Details, "positions "+o.Positions)
	return o
}
