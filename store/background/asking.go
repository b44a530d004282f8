package background

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// AskOf is what options ask for whose suites, masks and keyword table are hashes, as the window has
// them; the ontology may be a name or an ID. Without one it is made of the table, and words that
// name a class of the targets are no keywords.
func AskOf(ws *store.Workspace, o background.SceneOptions) (Ask, error) {
	ask := Ask{
		Targets: o.Targets, Backgrounds: o.Backgrounds, Masks: o.Masks, Expansion: o.Expansion(), Choice: o.Choice(),
		Feather: o.Feather, Align: o.Align,
	}
	if o.Ontology != "" {
		kept, err := findOntology(ws, o.Ontology)
		ask.Ontology = kept
		return ask, err
	}
	targets, err := ws.Suite(o.Targets)
	if err != nil {
		return ask, err
	}
	var classes []string
	if targets.Named {
		classes = targets.Classes
	}
	ask.Ontology = store.OntologyRecord{Table: o.Table, Rule: o.Of(classes)}
	ask.Ontology.MinSupport, ask.Ontology.MinConfidence = o.Thresholds(0, 0)
	return ask, nil
}

// Options are those that ask for the same, apart from what is vetoed.
func (a Ask) Options() background.SceneOptions {
	o := background.SceneOptions{
		Targets: a.Targets, Masks: a.Masks, Backgrounds: a.Backgrounds, Ontology: a.Ontology.ID,
		SceneChoice: background.SceneChoice{
			Method: a.Choice.Method, N: a.Choice.N, Jitter: a.Choice.Jitter, Seed: a.Choice.Seed,
			ExpansionOptions: background.ExpansionOptions{
				MinKeywords: a.Expansion.MinKeywords, Levels: a.Expansion.MaxLevels,
			},
			Feather: a.Feather, Align: cmp.Or(a.Align, background.Keep),
		},
	}
	if o.Ontology == "" {
		o.Table = a.Ontology.Table
	}
	return o
}

// Name is the name for a selection that is asked for, which no other one may have, or for "" one
// that says how scenes are chosen and that is free.
func (a Ask) Name(ws *store.Workspace, asked string) (string, error) {
	list, err := ws.Selections()
	if err != nil {
		return "", err
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(list, func(r store.SelectionRecord) bool { return r.Called(name) })
	}
	if name := strings.TrimSpace(asked); name != "" {
		if taken(name) {
			err = fmt.Errorf("there is a selection %s already, with other scenes; take another name", name)
		}
		return name, err
	}
	name := a.plain()
	free := name
	for k := 2; taken(free); k++ {
		free = fmt.Sprintf("%s-%d", name, k)
	}
	return free, nil
}

// plain says how scenes are chosen: "random-4-seed-3-feather-1.5".
func (a Ask) plain() string {
	c := a.Choice
	name := fmt.Sprintf("%s-%d", c.Method, c.N)
	if c.Jitter {
		name += "-jitter"
	}
	if c.Jitter || c.Method == background.Random {
		name += fmt.Sprintf("-seed-%d", c.Seed)
	}
	if n := len(a.Vetoed); n > 0 {
		name += fmt.Sprintf("-without-%d", n)
	}
	if a.Feather > 0 {
		name += fmt.Sprintf("-feather-%g", a.Feather)
	}
	if a.Align != "" && a.Align != background.Keep {
		name += "-" + string(a.Align)
	}
	return name
}

// findOntology finds an ontology that is kept, the newest of a name; the error lists what there is.
func findOntology(ws *store.Workspace, name string) (store.OntologyRecord, error) {
	list, err := ws.Ontologies()
	if err != nil {
		return store.OntologyRecord{}, err
	}
	var names []string
	for _, o := range slices.Backward(list) {
		if o.Name == name || o.ID == name {
			return o, nil
		}
		names = append(names, o.Name)
	}
	if len(names) == 0 {
		return store.OntologyRecord{},
			fmt.Errorf("%s keeps no ontology; keep one: variscope background rules %s --name NAME",
				ws.Path(), ws.Path())
	}
	return store.OntologyRecord{}, fmt.Errorf("ontology %s is not in %s; it has %s", name, ws.Path(),
		strings.Join(names, ", "))
}

// ChosenScenes are the rows of the table of a selection's scenes. Items are the keywords of its
// table, nil where they are not known; verdict, which may be nil, is what a person said of a scene.
func ChosenScenes(
	s background.Selection, targets, backgrounds suite.Manifest, items []string, verdict func(target, image int) string,
) (list []background.ChosenScene) {
	for t, chosen := range s.Chosen {
		for k, scene := range chosen {
			c := background.ChosenScene{
				Target: targets.ImageName(t), Rank: k + 1, Background: backgrounds.ImageName(scene.Background),
				Scene: scene,
			}
			if scene.Keyword >= 0 && scene.Keyword < len(items) {
				c.Word = items[scene.Keyword]
			}
			if verdict != nil {
				c.Verdict = verdict(t, scene.Background)
			}
			list = append(list, c)
		}
	}
	return list
}
