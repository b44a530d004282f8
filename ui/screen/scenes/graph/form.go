package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	base "github.com/variscope/variscope/engine"
	engine "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// asked is what a person says of an ontology: what it is called and made of.
type asked struct {
	Name          string   `help:"What the ontology is called."`
	Table         string   `help:"Table of keywords that it is made of." source:"tables" label:"Keyword table"`
	Rule          string   `help:"Which words of an image are keywords." enum:"paper,refcode,own" default:"paper" label:"Words that count"`
	Share         float64  `help:"Share of the pixels that an element needs to exceed." default:"1" min:"0" max:"99.99" unit:"% of the pixels" label:"Elements above" when:"rule=own"`
	Scenes        int      `help:"How many of the best scene words count." default:"1" min:"1" max:"1000" label:"Best scenes" when:"rule=own"`
	Exclude       []string `help:"Further words that are never keywords, such as boat, lamp." label:"Never keywords"`
	MinSupport    float64  `help:"Least share of the images that have a keyword, or several together." default:"0.05" above:"0" max:"1" label:"Least support"`
	MinConfidence float64  `help:"Least share of the images with one keyword that have another, too." default:"0.3" above:"0" max:"1" label:"Least confidence"`
}

// rules are the rules that have a name.
func rules() map[string]engine.Rule {
	return map[string]engine.Rule{"paper": engine.PaperRule(), "refcode": engine.RefcodeRule()}
}

// rule is the rule that is asked for, without the classes of the targets.
func (a asked) rule() engine.Rule {
	r, named := rules()[a.Rule]
	if !named {
		r = engine.Rule{Share: a.Share / 100, Scenes: a.Scenes}
	}
	return r.Without(a.Exclude...)
}

// texts are the options that say what an ontology is made of, by their names; classes are words
// that need not be said.
func texts(r store.OntologyRecord, classes []string) map[string]string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }
	t := map[string]string{
		"name": r.Name, "table": r.Table, "rule": "own", "share": number(100 * r.Rule.Share), "scenes": strconv.Itoa(r.Rule.Scenes),
		"min-support": number(r.MinSupport), "min-confidence": number(r.MinConfidence),
		"exclude": strings.Join(slices.DeleteFunc(slices.Clone(r.Rule.Excluded),
			func(word string) bool { return slices.Contains(classes, word) }), ", "),
	}
	for name, rule := range rules() {
		if rule.Share == r.Rule.Share && rule.Scenes == r.Rule.Scenes {
			t["rule"] = name
			delete(t, "share")
			delete(t, "scenes")
		}
	}
	return t
}

// open asks what an ontology is made of, and says what there would be; own is the name that it may
// keep.
func (p *Page) open(title, button string, r store.OntologyRecord, own string, accepted func(store.OntologyRecord)) {
	counter := &counter{ws: p.deps.Workspace}
	record := func(a asked) store.OntologyRecord {
		of := r
		of.Name, of.Table, of.Rule, of.MinSupport, of.MinConfidence = strings.TrimSpace(a.Name), a.Table, a.rule(), a.MinSupport, a.MinConfidence
		return of
	}
	ask := &kit.Ask[asked]{
		Title: title, Button: button, Size: fyne.NewSize(700*min(widget.Grown(), 1.3), 500*min(widget.Grown(), 1.2)),
		Form: &kit.Form[asked]{
			Host: p.host,
			Choices: func(string) (list []kit.Option, first string) {
				for _, t := range slices.Backward(p.view.Tables) {
					list = append(list, kit.Option{Key: t.Hash, Name: t.Name})
				}
				return list, r.Table
			},
			Named: func(_, choice string) string {
				return map[string]string{
					"paper":   "as in the background paper [2]: more than 1 % of the pixels, the best scene",
					"refcode": "as in the published code: more than 0.1 % of the pixels, the best five scenes", "own": "own",
				}[choice]
			},
		},
		Start: func(f *kit.Form[asked]) {
			values := texts(r, p.view.Classes)
			for _, name := range []string{"name", "table", "rule", "share", "scenes", "exclude", "min-support", "min-confidence"} {
				if text, ok := values[name]; ok {
					if err := f.Put(name, text); err != nil {
						p.host.Fail(err)
					}
				}
			}
		},
		Line: func(a asked) kit.Work[string] {
			of, wrong := record(a), p.view.nameProblem(strings.TrimSpace(a.Name), own)
			return func(ctx context.Context, _ base.Progress) (string, error) {
				if wrong != nil {
					return "", wrong
				}
				n, err := counter.count(ctx, of)
				if err != nil {
					return "", err
				}
				text, ok := n.text()
				if !ok {
					return "", errors.New(text)
				}
				if len(n.classes) == 0 {
					return text + "\nThe table has no targets, so no names of classes are left out.", nil
				}
				return fmt.Sprintf("%s\nThe names of the targets' classes are never keywords, either: %s.", text,
					strings.Join(n.classes, ", ")), nil
			}
		},
		Do: func(d *kit.Dialog, a asked) {
			if p.view.nameProblem(strings.TrimSpace(a.Name), own) == nil { // Line may not have said so yet
				d.Close()
				accepted(record(a))
			}
		},
	}
	ask.Open()
}

// askNew asks what another ontology is made of.
func (p *Page) askNew() {
	if len(p.view.Tables) == 0 {
		return
	}
	table := p.view.Table
	if table.Hash == "" {
		table = p.view.Tables[len(p.view.Tables)-1]
	}
	p.open("New ontology", "Add", store.OntologyRecord{
		Name: p.free(table.Name), Table: table.Hash, Rule: engine.PaperRule(), MinSupport: itemset.DefaultMinSupport, MinConfidence: itemset.DefaultMinConfidence,
	}, "", p.add)
}

// askChange asks what the ontology is made of from now on.
func (p *Page) askChange() {
	if r := p.view.Record; p.view.Has {
		p.open(fmt.Sprintf("Change ontology %s", r.Name), "Change", r, r.Name, p.remake)
	}
}

// free is a name that no ontology has yet: this one, or this one with a number.
func (p *Page) free(name string) string {
	base, k := name, 1
	if at := strings.LastIndexByte(name, ' '); at > 0 {
		if last, err := strconv.Atoi(name[at+1:]); err == nil {
			base, k = name[:at], last
		}
	}
	for slices.Contains(p.view.Names, name) {
		k++
		name = base + " " + strconv.Itoa(k)
	}
	return name
}
