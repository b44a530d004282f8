package background

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// Ontology makes the graph of a record, with the table and its keywords.
func Ontology(
	ws *store.Workspace, o store.OntologyRecord,
) (itemset.Ontology, background.Table, background.Keywords, error) {
	var graph itemset.Ontology
	table, err := ws.Keywords(o.Table)
	if err != nil {
		return graph, table, background.Keywords{}, fmt.Errorf("ontology %s: %w", o.Name, err)
	}
	keywords, err := table.Keywords(o.Rule)
	if err == nil {
		graph, err = keywords.Ontology(o.MinSupport, o.MinConfidence, o.Edits)
	}
	if err != nil {
		return graph, table, keywords, fmt.Errorf("ontology %s: %w", o.Name, err)
	}
	return graph, table, keywords, nil
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
	// WithoutKeywords are targets without any keyword: they are expanded to nothing and take the
	// nearest scenes.
	WithoutKeywords []int
}

// Select chooses the scenes of all targets. Images are matched with the table's rows by their
// paths; one that the table does not have is an error that names it. Nothing is stored. Progress
// counts targets.
func Select(ctx context.Context, ws *store.Workspace, ask Ask, p engine.Progress) (Plan, error) {
	s := selecting{ask: ask}
	if err := s.read(ws); err != nil {
		return Plan{}, err
	}
	s.images = make(map[int]int, len(s.plan.Scenes))
	for image, row := range s.plan.Scenes {
		s.images[row] = image
	}
	s.from = background.Scenes{Table: s.plan.Table, Keywords: s.plan.Keywords, Vetoed: map[int]bool{}}
	for _, row := range s.plan.Table.Of(background.BackgroundKind) {
		if _, ours := s.images[row]; !ours { // the table may know more images than the suite has
			s.from.Vetoed[row] = true
		}
	}
	for _, image := range ask.Vetoed {
		if image < 0 || image >= len(s.plan.Scenes) {
			return Plan{}, fmt.Errorf("suite %s has no image %d to be ruled out; its images are 0 to %d",
				s.backgrounds.Name, image, len(s.plan.Scenes)-1)
		}
		s.from.Vetoed[s.plan.Scenes[image]] = true
	}
	if err := s.choose(ctx, p); err != nil {
		return Plan{}, err
	}
	return s.plan, nil
}

// selecting is one selection in the making.
type selecting struct {
	ask                  Ask
	plan                 Plan
	targets, backgrounds suite.Manifest
	from                 background.Scenes
	images               map[int]int // from row to image of the suite of backgrounds
}

// read reads everything that scenes are chosen from and holds it together.
func (s *selecting) read(ws *store.Workspace) (err error) {
	if s.targets, err = ws.Suite(s.ask.Targets); err != nil {
		return err
	}
	if s.backgrounds, err = ws.Suite(s.ask.Backgrounds); err != nil {
		return err
	}
	if s.targets.Hash == s.backgrounds.Hash {
		return errors.New("backgrounds are images without any foreground: " +
			"choose another suite than that of the targets")
	}
	masks, err := ws.MaskSet(s.ask.Masks)
	if err != nil {
		return err
	}
	if masks.Suite != s.targets.Hash {
		return fmt.Errorf("the masks %.12s belong to another suite than %s; add the masks of these targets",
			masks.Hash, s.targets.Name)
	}
	if s.plan.Ontology, s.plan.Table, s.plan.Keywords, err = Ontology(ws, s.ask.Ontology); err != nil {
		return err
	}
	if s.plan.Targets, err = match(s.plan.Table, background.TargetKind, s.targets); err != nil {
		return err
	}
	if s.plan.Scenes, err = match(s.plan.Table, background.BackgroundKind, s.backgrounds); err != nil {
		return err
	}
	return s.checkOntology()
}

// checkOntology refuses to choose by the keywords of an ontology that has none.
func (s *selecting) checkOntology() error {
	method := s.ask.Choice.Method
	if len(s.plan.Ontology.Nodes) > 0 || method != background.ByKeywords && method != background.ByIntervals {
		return nil
	}
	return fmt.Errorf("ontology %s is empty: no keyword is in %g of the images; lower its least support, or choose "+
		"scenes by nearness or at random", s.ask.Ontology.Name, s.ask.Ontology.MinSupport)
}

// choose fills in expansions and scenes, target by target on all processors; no target's scenes
// depend on another's.
func (s *selecting) choose(ctx context.Context, p engine.Progress) error {
	n := len(s.plan.Targets)
	s.plan.Expansions = make([][]background.Keyword, n)
	chosen := make([][]background.Scene, n)
	err := lookup.Each(ctx, n, 0, p, func(_ context.Context, t int) error {
		row := s.plan.Targets[t]
		words := background.Expand(s.plan.Ontology, s.plan.Keywords.Present[row], s.ask.Expansion)
		s.plan.Expansions[t] = words
		scenes, err := s.from.Choose(row, t, words, s.ask.Choice)
		for k := range scenes {
			scenes[k].Background = s.images[scenes[k].Background]
		}
		chosen[t] = scenes
		return err
	})
	if err != nil {
		return err
	}
	s.withoutKeywords()
	o := s.ask.Ontology
	s.plan.Selection = background.Selection{
		Targets: s.targets.Hash, Masks: s.ask.Masks, Backgrounds: s.backgrounds.Hash, Table: o.Table,
		Ontology: s.plan.Ontology.Hash, Edits: len(o.Edits), Rule: o.Rule, Expansion: s.ask.Expansion,
		Choice: s.ask.Choice, Feather: s.ask.Feather, Align: s.ask.Align, Vetoed: s.ask.Vetoed, Chosen: chosen,
	}
	if err := s.plan.Selection.Check(); err != nil {
		return fmt.Errorf("selection of scenes for suite %s: %w", s.targets.Name, err)
	}
	return nil
}

// withoutKeywords notes the targets without any keyword.
func (s *selecting) withoutKeywords() {
	for t, words := range s.plan.Expansions {
		if len(words) == 0 {
			s.plan.WithoutKeywords = append(s.plan.WithoutKeywords, t)
		}
	}
}
