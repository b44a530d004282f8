package demo

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/store/job"
)

// What the demo's background invariance is called in its workspace.
const (
	backgroundsName = "backgrounds"
	tableName       = "keywords"
	ontologyName    = "Example: all images"
	selectionName   = "Example: keywords"
)

// fillScenes brings the demo's masks, backgrounds, keyword table and ontology into a workspace
// that has its targets, and chooses its testing scenes, as far as they are not there: a demo that
// an older version made gets them, too. folder is where the demo lies unpacked. Progress counts
// images.
func fillScenes(
	ctx context.Context, ws *store.Workspace, targets suite.Manifest, folder string, p engine.Progress,
) error {
	backgrounds, err := intake.Suite(ctx, ws, filepath.Join(folder, "backgrounds"),
		intake.SuiteOptions{Name: backgroundsName, Copy: true}, p)
	if err != nil {
		return err
	}
	masks, err := ws.AddMasks(ctx, targets.Hash, filepath.Join(folder, "masks"), true, p)
	if err != nil {
		return err
	}
	table, err := scenes.ReadTable(filepath.Join(folder, "keywords.csv"))
	if err != nil {
		return err
	}
	kept, err := ws.AddKeywords(tableName, "file", table)
	if err != nil {
		return err
	}
	ontology, err := ontologyOf(ws, kept.Hash, background.RuleOptions{}.Of(targets.Classes))
	if err != nil {
		return err
	}
	plan, err := scenes.Select(ctx, ws, scenes.Ask{
		Targets: targets.Hash, Backgrounds: backgrounds.Hash, Masks: masks.Hash, Ontology: ontology,
		Expansion: background.DefaultExpansion(), Choice: background.Choice{
			Method: background.ByKeywords, N: background.DefaultScenes, Seed: 1,
		},
	}, p)
	if err != nil {
		return err
	}
	_, err = ws.AddSelection(selectionName, plan.Selection)
	return err
}

// ontologyOf is the demo's ontology, kept now where it is not.
func ontologyOf(ws *store.Workspace, table string, rule background.Rule) (store.OntologyRecord, error) {
	list, err := ws.Ontologies()
	if err != nil {
		return store.OntologyRecord{}, err
	}
	for _, o := range list {
		if o.Name == ontologyName {
			return o, nil
		}
	}
	return ws.PutOntology(store.OntologyRecord{
		Name: ontologyName, Table: table, Rule: rule, MinSupport: itemset.DefaultMinSupport,
		MinConfidence: itemset.DefaultMinConfidence,
	})
}

// sceneRun is the run of the demo's models in its selection, without those that have done it; ok
// is false where nothing is left.
func sceneRun(ws *store.Workspace) (req job.Request, ok bool, err error) {
	list, err := ws.Selections()
	if err != nil || len(list) == 0 {
		return req, false, err
	}
	set, err := transform.Scenes(list[0].Hash, list[0].N)
	if err != nil {
		return req, false, err
	}
	req = job.Request{Suite: list[0].Targets, Family: set.String(), Positions: []string{model.CONF, model.Head}}
	models, err := ws.Models()
	if err != nil {
		return req, false, err
	}
	for _, m := range models {
		_, reason, err := scenes.Read(context.Background(), ws, m, list[0].Hash)
		if err != nil {
			return req, false, fmt.Errorf("model %s: %w", m.ID, err)
		}
		if reason != "" {
			req.Models = append(req.Models, m.Hash)
		}
	}
	return req, len(req.Models) > 0, nil
}
