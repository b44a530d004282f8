package graph

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fyne.io/fyne/v2"

	base "github.com/variscope/variscope/engine"
	engine "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// asked is what a person says of an ontology: what it is called and made of.
type asked struct {
	Name  string `help:"What the ontology is called."`
	Table string `help:"Table of keywords that it is made of." source:"tables" label:"Keyword table"`
	engine.RuleChoice
	MinSupport    float64 `help:"Least share of the images that have a keyword, or several together." default:"0.05" above:"0" max:"1" label:"Least support"`
	MinConfidence float64 `help:"Least share of the images with one keyword that have another, too." default:"0.3" above:"0" max:"1" label:"Least confidence"`
}

// in changes what an ontology is called and made of.
func (a asked) in(r store.OntologyRecord) store.OntologyRecord {
	r.Name, r.Table, r.Rule, r.MinSupport, r.MinConfidence = strings.TrimSpace(a.Name), a.Table, a.Asked(),
		a.MinSupport, a.MinConfidence
	return r
}

// preview says what an ontology would be, and which words of its table are never keywords. The
// error says why there would be none.
func preview(ctx context.Context, table engine.Table, r store.OntologyRecord) (text string, err error) {
	classes := table.Classes()
	keywords, err := table.Keywords(r.Rule.Without(classes...))
	if err != nil {
		return "", err
	}
	var m engine.Mined
	if m.Ontology, err = keywords.Ontology(r.MinSupport, r.MinConfidence, r.Edits); err != nil {
		return "", err
	}
	if len(m.Ontology.Nodes) == 0 {
		return "", fmt.Errorf("the ontology would be empty: no keyword is in %s of the %s. Lower the least support",
			result.Share.Say(r.MinSupport, 0), result.Counted(m.Ontology.Transactions, "image"))
	}
	lines := []string{m.String() + "."}
	m.Sets, m.Rules, err = itemset.Associations(ctx, keywords.Present, len(keywords.Items),
		r.MinSupport, r.MinConfidence)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil: // the graph is there nevertheless
		lines = append(lines, "Rules cannot be listed: "+present.Sentence(err))
	default:
		lines = append(lines, m.Found()+".")
	}
	if len(m.Ontology.Edges) == 0 {
		lines = append(lines, "Without edges nothing is expanded: lower the least support or the least confidence.")
	}
	if len(classes) == 0 {
		lines = append(lines, "The table has no targets, so no names of classes are left out.")
	} else {
		lines = append(lines, fmt.Sprintf("The names of the targets' classes are never keywords, either: %s.",
			strings.Join(classes, ", ")))
	}
	return strings.Join(lines, "\n"), nil
}

// open asks what an ontology is made of, and says what there would be; own is the name that it may
// keep.
func (p *Page) open(title, button string, r store.OntologyRecord, own string, accepted func(store.OntologyRecord)) {
	tables := map[string]func() (engine.Table, error){} // each is read once
	for _, t := range p.view.Tables {
		tables[t.Hash] = sync.OnceValues(func() (engine.Table, error) { return p.site.Workspace.Keywords(t.Hash) })
	}
	ask := &kit.Ask[asked]{
		Title: title, Button: button, Size: fyne.NewSize(700*min(widget.Grown(), 1.3), 500*min(widget.Grown(), 1.2)),
		Form: &kit.Form[asked]{
			Host: p.Host,
			Choices: func(string) (list []kit.Option, first string) {
				for _, t := range slices.Backward(p.view.Tables) {
					list = append(list, kit.Option{Key: t.Hash, Name: t.Name})
				}
				return list, r.Table
			},
			Named: func(_, choice string) string { return engine.RuleName(choice) },
		},
		Start: func(f *kit.Form[asked]) {
			rule := engine.RuleChoiceOf(r.Rule, p.view.Classes)
			if err := f.Take(asked{r.Name, r.Table, rule, r.MinSupport, r.MinConfidence}); err != nil {
				p.Fail(err)
			}
		},
		Line: func(a asked) kit.Work[string] {
			of, read, wrong := a.in(r), tables[a.Table], p.view.nameProblem(strings.TrimSpace(a.Name), own)
			return func(ctx context.Context, _ base.Progress) (string, error) {
				if wrong != nil {
					return "", wrong
				}
				table, err := read()
				if err != nil {
					return "", err
				}
				return preview(ctx, table, of)
			}
		},
		Do: func(d *kit.Dialog, a asked) {
			if p.view.nameProblem(strings.TrimSpace(a.Name), own) == nil { // Line may not have said so yet
				d.Close()
				accepted(a.in(r))
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
		Name: p.free(table.Name), Table: table.Hash, Rule: engine.PaperRule(), MinSupport: itemset.DefaultMinSupport,
		MinConfidence: itemset.DefaultMinConfidence,
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
