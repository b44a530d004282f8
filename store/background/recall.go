package background

import (
	"context"
	"errors"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// ErrNoOntology says that the ontology of a selection is not known: the workspace keeps none with
// its hash, and it is none of the usual one's making.
var ErrNoOntology = errors.New("the ontology that these scenes were chosen by is not kept any more")

// Recall is what a kept selection was chosen from, as Select gave it, and what was asked for then:
// rows of the table, the ontology and the targets' expansions. Nothing is chosen anew. Where the
// ontology is not known (ErrNoOntology) the plan has all but it, and expansions are the targets'
// own keywords. Other errors are those of Select for a table, masks or a suite that is gone.
func Recall(ctx context.Context, ws *store.Workspace, r store.SelectionRecord) (Ask, Plan, error) {
	s := r.Selection
	ask := Ask{
		Targets: s.Targets, Backgrounds: s.Backgrounds, Masks: s.Masks, Expansion: s.Expansion, Choice: s.Choice,
		Feather: s.Feather, Align: s.Align, Vetoed: slices.Clone(s.Vetoed),
	}
	known, err := ontologyOf(ctx, ws, s)
	if err != nil && !errors.Is(err, ErrNoOntology) {
		return ask, Plan{}, err
	}
	ask.Ontology = known
	from := selecting{ask: ask}
	// nothing is chosen, and an ontology without nodes is none to complain of
	from.ask.Choice.Method = background.Nearest
	if problem := from.read(ws); problem != nil {
		return ask, Plan{}, problem
	}
	if err != nil {
		from.plan.Ontology = itemset.Ontology{Names: from.plan.Keywords.Items}
	}
	if problem := from.expand(ctx); problem != nil {
		return ask, Plan{}, problem
	}
	from.plan.Selection = s
	return ask, from.plan, err
}

// expand fills in the expansions and the targets without any.
func (s *selecting) expand(ctx context.Context) error {
	s.plan.Expansions = make([][]background.Keyword, len(s.plan.Targets))
	err := lookup.Each(ctx, len(s.plan.Targets), 0, engine.NoProgress{}, func(_ context.Context, t int) error {
		s.plan.Expansions[t] = background.Expand(s.plan.Ontology,
			s.plan.Keywords.Present[s.plan.Targets[t]], s.ask.Expansion)
		return nil
	})
	s.withoutKeywords()
	return err
}

// ontologyOf finds the record whose graph a selection was chosen by (same hash, as many edits):
// one that is kept, the newest of several, or the one made where none is named. With ErrNoOntology
// the record has the selection's table and rule alone, and the usual thresholds.
func ontologyOf(ctx context.Context, ws *store.Workspace, s background.Selection) (store.OntologyRecord, error) {
	kept, err := ws.Ontologies()
	if err != nil {
		return store.OntologyRecord{}, err
	}
	usual := store.OntologyRecord{
		Table: s.Table, Rule: s.Rule, MinSupport: itemset.DefaultMinSupport,
		MinConfidence: itemset.DefaultMinConfidence,
	}
	slices.Reverse(kept) // the newest first
	for _, o := range append(kept, usual) {
		if o.Table != s.Table || len(o.Edits) != s.Edits {
			continue
		}
		if err := ctx.Err(); err != nil { // an ontology may take long to build
			return usual, err
		}
		graph, _, _, err := Ontology(ws, o)
		if err == nil && graph.Hash == s.Ontology { // one that cannot be made any more is not it
			return o, nil
		}
	}
	return usual, ErrNoOntology
}
