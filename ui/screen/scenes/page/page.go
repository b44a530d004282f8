// Package page is the seam between the Background screen and its pages: what is looked at, and what
// a page may ask for. A page is one tab: keywords, ontology, scenes, matrices, findings.
package page

import (
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/history"
	quiet "github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
)

// Subject is what the screen looks at; what is empty is not there.
type Subject struct {
	Table     string `json:"table"`     // hash of the table of keyword vectors
	Ontology  string `json:"ontology"`  // ID
	Selection string `json:"selection"` // hash
}

// Page is one tab of the Background screen.
type Page interface {
	kit.Page
	// Look says what is looked at, whether the page is in front or not. The page reads anew, now or
	// when it is shown, only what is out of date then.
	Look(s Subject)
}

// Site is what the pages are made in: what the window gives them, and the way from one to another.
// What is said to be nil at times may be; the rest is there.
type Site struct {
	*kit.Host
	Workspace *store.Workspace
	Runtime   engine.Runtime
	Problem   string // why Runtime is nil
	Version   string
	// Compute starts runs, one after the other, without asking; NewRound opens the dialog of a new
	// round on a selection; Assess opens the Assessors screen. All may be nil.
	Compute  func(reqs ...job.Request)
	NewRound func(selection string)
	Assess   func()
	Did      func(history.Step)
	// Choose looks at something else; Open does so on the page of a kind.
	Choose func(s Subject)
	Open   func(k Kind, s Subject)
}

// Kit is what the parts of a page are made with; refocus gives the keyboard back to the page.
func (s Site) Kit(refocus func()) *kit.Host {
	h := *s.Host
	h.Refocus = refocus
	return &h
}

// Remember makes a memory of what was chosen: it is kept as a setting of the workspace.
func Remember[T comparable](s Site, setting string, now func() T) *quiet.Memory[T] {
	keep := func(v T) error { return s.Workspace.SetSetting(setting, v) }
	return quiet.NewMemory(s.Work, "remember "+setting, now, keep, s.Fail)
}

// Missing is the run of models in the scenes of a selection, as `variscope background run` makes
// it; none without models or scenes.
func Missing(s store.SelectionRecord, models []string) []kit.Missing {
	family, err := s.Family()
	if err != nil || len(models) == 0 {
		return nil
	}
	run := kit.Run{Models: models, Suite: s.Targets, Family: family, Positions: []string{model.CONF, model.Head}}
	return []kit.Missing{{Text: "Run " + result.Counted(len(models), "model"), Runs: []kit.Run{run}}}
}

// Matrices is the command that measures models (IDs, none for all) in the scenes of selections
// (names); also, which may be nil, changes its options.
func (s Site) Matrices(models, selections []string, also func(*background.MatrixOptions)) string {
	var o background.MatrixOptions
	option.SetDefaults(&o)
	if o.Selection = selections; also != nil {
		also(&o)
	}
	return option.Command(append([]string{"variscope", "background", "matrix", s.Workspace.Path()}, models...), &o)
}

// Ontology is the command that makes an ontology and expands keywords with it, without a bound;
// classes are words of its table that the command leaves out by itself. It is "" where the command
// has no such rule.
func (s Site) Ontology(r store.OntologyRecord, classes []string, levels int) string {
	choice := background.RuleChoiceOf(r.Rule, classes)
	o := background.OntologyOptions{
		Table: r.Table, Levels: levels,
		MiningOptions: background.MiningOptions{MinSupport: r.MinSupport, MinConfidence: r.MinConfidence},
		RuleOptions:   background.RuleOptions{Rule: choice.Rule, Exclude: choice.Exclude},
	}
	if !o.Of(classes).Equal(r.Rule) {
		return ""
	}
	for _, e := range r.Edits {
		o.Edit = append(o.Edit, fmt.Sprintf("%s>%s=%v", e.From, e.To, e.Weight))
	}
	return option.Command([]string{"variscope", "background", "rules", s.Workspace.Path()}, &o)
}

// Kind names a page.
type Kind int

// The pages in the order of their tabs.
const (
	Keywords Kind = iota
	Ontology
	Scenes
	Matrices
	Findings
	Kinds // their number
)

// Choices is what can be looked at, oldest first.
type Choices struct {
	Tables     []store.KeywordTable
	Ontologies []store.OntologyRecord
	Selections []store.SelectionRecord // without their scenes
}

// ReadChoices reads what can be looked at in a workspace.
func ReadChoices(ws *store.Workspace) (o Choices, err error) {
	if o.Tables, err = ws.KeywordTables(); err != nil {
		return o, err
	}
	if o.Ontologies, err = ws.Ontologies(); err != nil {
		return o, err
	}
	o.Selections, err = ws.Selections()
	return o, err
}
