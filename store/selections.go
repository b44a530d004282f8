package store

import (
	"context"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/suite"
)

// MaskSet is the foreground masks of a suite's images: gray pictures in a folder, one per image, found by the image's path with the ending .png
// (spec/background.md section 7). They are referenced and checked as a suite's images are (DESIGN.md section 5), or lie inside the workspace.
type MaskSet struct {
	Hash   string       `json:"hash"`  // over the suite's hash and the masks' bytes, in the suite's order
	Suite  string       `json:"suite"` // content hash of the suite
	Root   string       `json:"root"`
	Inside string       `json:"inside,omitempty"` // folder relative to the workspace
	Made   string       `json:"made"`             // "files", or the segmentation model and classes that made them
	Files  []suite.File `json:"files"`            // one per image
	Added  time.Time    `json:"added"`
}

// KeywordTable is a table of keyword vectors that the workspace has.
type KeywordTable struct {
	Hash     string    `json:"hash"` // over the table's content
	Name     string    `json:"name"`
	Made     string    `json:"made"` // "file", or the two networks that made it
	Images   int       `json:"images"`
	Elements int       `json:"elements"`
	Scenes   int       `json:"scenes"`
	Added    time.Time `json:"added"`
}

// OntologyRecord is an ontology that a workspace keeps: what it is made of, and the edits by hand. The graph is made of these again.
type OntologyRecord struct {
	ID            string          `json:"id"` // ULID
	Name          string          `json:"name"`
	Table         string          `json:"table"`
	Rule          background.Rule `json:"rule"`
	MinSupport    float64         `json:"min_support"`
	MinConfidence float64         `json:"min_confidence"`
	Edits         []itemset.Edit  `json:"edits,omitempty"`
	Changed       time.Time       `json:"changed"`
}

// SelectionRecord names a selection of the workspace.
type SelectionRecord struct {
	Hash        string               `json:"hash"`
	Name        string               `json:"name"`
	Added       time.Time            `json:"added"`
	Selection   background.Selection `json:"-"` // stored packed, apart
	Targets     string               `json:"targets"`
	Backgrounds string               `json:"backgrounds"`
	N           int                  `json:"n"`
	Method      background.Method    `json:"method"`
}

// AddMasks adds the masks in a folder to a suite: every mask is read and checked (background.DecodeMask). Errors name the file. Progress counts images.
func (w *Workspace) AddMasks(ctx context.Context, suite, folder string, copyInside bool, p engine.Progress) (MaskSet, error) {
	panic("not built yet")
}

// MaskSets are the mask sets of a suite, oldest first.
func (w *Workspace) MaskSets(suite string) ([]MaskSet, error) { panic("not built yet") }

// AddKeywords keeps a table. One with the same content is there already and is returned.
func (w *Workspace) AddKeywords(name, made string, t background.Table) (KeywordTable, error) {
	panic("not built yet")
}

// KeywordTables are all tables, oldest first; Keywords reads one whole.
func (w *Workspace) KeywordTables() ([]KeywordTable, error) { panic("not built yet") }

// Keywords reads a table whole.
func (w *Workspace) Keywords(hash string) (background.Table, error) { panic("not built yet") }

// PutOntology keeps an ontology's making and edits; one without ID gets one. Ontologies are all, oldest first.
func (w *Workspace) PutOntology(o OntologyRecord) (OntologyRecord, error) { panic("not built yet") }

// Ontologies are all that are kept, oldest first.
func (w *Workspace) Ontologies() ([]OntologyRecord, error) { panic("not built yet") }

// AddSelection keeps a selection under a name; one with the same hash is there already and is returned.
func (w *Workspace) AddSelection(name string, s background.Selection) (SelectionRecord, error) {
	panic("not built yet")
}

// Selections are all selections without their scenes, oldest first.
func (w *Workspace) Selections() ([]SelectionRecord, error) { panic("not built yet") }

// Selection reads one whole, by its hash. ErrNotFound where there is none.
func (w *Workspace) Selection(hash string) (SelectionRecord, error) { panic("not built yet") }
