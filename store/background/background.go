// Package background joins what background invariance needs of a workspace (spec/background.md): from keyword tables to ontologies, from
// ontologies to selections of testing scenes, from selections to runs, and from their signals to clouds and matrices.
package background

import (
	"context"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// Masks are the opened masks of a suite.
type Masks struct{}

// OpenMasks opens a mask set wherever it lies now; missing or changed files are errors as those of suites.
func OpenMasks(ws *store.Workspace, set store.MaskSet) (*Masks, error) { panic("not built yet") }

// Mask reads the mask of image i, which has height x width pixels. Safe for many goroutines. Errors name the file.
func (m *Masks) Mask(i, height, width int) (background.Mask, error) { panic("not built yet") }

// Ontology makes the graph of a record, with the table and its keywords.
func Ontology(ws *store.Workspace, o store.OntologyRecord) (itemset.Ontology, background.Table, background.Keywords, error) {
	panic("not built yet")
}

// Ask says what a selection is made of.
type Ask struct {
	Targets, Backgrounds string // content hashes of suites
	Masks                string // of a mask set
	Ontology             store.OntologyRecord
	Expansion            background.Expansion
	Choice               background.Choice
	Feather              float64
	Align                background.Alignment
	Vetoed               []int // images of the suite of backgrounds
}

// Plan is a selection with all that it came from, for looking at.
type Plan struct {
	Ontology   itemset.Ontology
	Table      background.Table
	Keywords   background.Keywords
	Targets    []int                  // rows of the table, one per image of the suite of targets
	Scenes     []int                  // rows of the table, one per image of the suite of backgrounds
	Expansions [][]background.Keyword // per target
	Selection  background.Selection
	// Bare are targets without any keyword: they are expanded to nothing and take the nearest scenes.
	Bare []int
}

// Select chooses the scenes of all targets. Images are matched with the table's rows by their paths; one that the table does not have is an error that
// names it. Nothing is stored. Progress counts targets.
func Select(ctx context.Context, ws *store.Workspace, ask Ask, p engine.Progress) (Plan, error) {
	panic("not built yet")
}

// Open opens the targets of a selection with their masks and scenes, for a run or for looking at composites. It streams: scenes are kept in memory up to a bound and read again
// beyond it. Close frees it.
func Open(ws *store.Workspace, selection string) (*Composites, error) { panic("not built yet") }

// Composites are the images of a selection; an engine.Composer.
type Composites struct{ engine.Composer }

// Picture is image j of target i (0: the target itself) at height x width pixels, as a model of that input size sees it.
func (c *Composites) Picture(i, j, height, width int) (suite.Image, error) { panic("not built yet") }

// Close frees files.
func (c *Composites) Close() error { panic("not built yet") }

// Measure is one of the four signals of spec/background.md section 8: max@CONF, true@CONF, max@HEAD, mean@HEAD.
type Measure string

// The measures, the defaults first.
const (
	ConfMax  Measure = "max@CONF"
	HeadMax  Measure = "max@HEAD"
	ConfTrue Measure = "true@CONF"
	HeadMean Measure = "mean@HEAD"
)

// Measures are all measures.
func Measures() []Measure { return []Measure{ConfMax, HeadMax, ConfTrue, HeadMean} }

// Evidence is what a run found out about one model in the scenes of a selection.
type Evidence struct {
	Model     model.Model
	Selection store.SelectionRecord
	Outcome   background.Outcome
	Clouds    map[Measure]scatter.Cloud // scaled; a measure whose position the model lacks is not there
	Constants map[Measure]float64       // what signals were divided by; 1 for CONF
	Absent    map[Measure]string        // why a measure is not there, in words
	Flags     []string
}

// Read reads a model's evidence; reason says in words why there is none yet.
func Read(ctx context.Context, ws *store.Workspace, m model.Model, selection string) (e Evidence, reason string, err error) {
	panic("not built yet")
}

// Matrices are a model's interpolated matrices, by measure and interpolant, kept in the workspace once they were computed: matrices[k] belongs to list[k].
func Matrices(ctx context.Context, ws *store.Workspace, e Evidence, measure Measure, raster int, list []scatter.Interpolant) ([]scatter.Matrix, error) {
	panic("not built yet")
}
