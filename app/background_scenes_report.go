package app

import (
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/store"
)

// selectionReport names a selection and what it was made of.
type selectionReport struct {
	Hash        string               `json:"hash"`
	Name        string               `json:"name"`
	Method      background.Method    `json:"method"`
	N           int                  `json:"n"`
	Seed        uint64               `json:"seed"`
	Jitter      bool                 `json:"jitter"`
	Targets     string               `json:"targets"`
	Backgrounds string               `json:"backgrounds"`
	Masks       string               `json:"masks"`
	Table       string               `json:"table"`
	Ontology    string               `json:"ontology"`
	Edits       int                  `json:"edits"`
	Rule        background.Rule      `json:"rule"`
	Expansion   background.Expansion `json:"expansion"`
	Feather     float64              `json:"feather"`
	Align       background.Alignment `json:"align"`
	Vetoed      []int                `json:"vetoed"`
	Far         float64              `json:"d"` // the end of the axes
}

func newSelectionReport(r store.SelectionRecord, s background.Selection) selectionReport {
	return selectionReport{
		Hash: r.Hash, Name: r.Name, Method: s.Choice.Method, N: s.N(), Seed: s.Choice.Seed, Jitter: s.Choice.Jitter,
		Targets: s.Targets, Backgrounds: s.Backgrounds, Masks: s.Masks, Table: s.Table, Ontology: s.Ontology, Edits: s.Edits,
		Rule: s.Rule, Expansion: s.Expansion, Feather: s.Feather, Align: s.Align, Vetoed: append([]int{}, s.Vetoed...), Far: s.Far(),
	}
}
