package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Mined are the itemsets and rules of one making.
type Mined struct {
	making string
	names  *itemset.Names
	Sets   []itemset.Itemset
	Rules  []itemset.Rule
	Err    error // why there are none
}

// making names what itemsets and rules are made of: the edits change neither.
func making(r store.OntologyRecord) string {
	return fmt.Sprintf("%s %v %v %v", r.Table, r.Rule, r.MinSupport, r.MinConfidence)
}

// mostRules bounds the rules that the table shows; files have all.
const mostRules = 100_000

// newRules finds and lists the rules. They are found in the background: there may be a million of
// them.
func (p *Page) newRules() fyne.CanvasObject {
	p.rules = &kit.Records[itemset.NamedRule]{
		Host: p.Host, Table: itemset.RuleTable.Place(result.Offered, "count", "length"),
		OnSelect: func(r itemset.NamedRule, ok bool) {
			if ok {
				p.Say(r.String())
			}
		},
		OnOpen: func(r itemset.NamedRule) { p.choose(r.Antecedent[0]) },
	}
	p.only = fynewidget.NewCheck("of the chosen keyword", func(bool) {
		p.listRules()
		widget.Enable(p.only, p.view.chosen >= 0 || p.only.Checked)
	})
	p.only.Disable()
	p.mining = kit.New(kit.Screen[struct{}, Mined]{
		Host: p.Host, Name: "Find rules", Doing: "Finding rules…", Key: "ontology.rules",
		Load: func(struct{}) kit.Work[Mined] {
			v := p.view
			if !v.Has || v.Fault != nil {
				return nil
			}
			m, current := p.mined()
			if !current {
				m = Mined{making: making(v.Record), names: v.names}
			}
			baskets, support, confidence := v.Present, v.Record.MinSupport, v.Record.MinConfidence
			return func(ctx context.Context, _ engine.Progress) (Mined, error) {
				if !current {
					m.Sets, m.Rules, m.Err = itemset.Associations(ctx, baskets, len(m.names.Files), support, confidence)
				}
				return m, ctx.Err()
			}
		},
		Body: p.rules.Object(), Head: []fyne.CanvasObject{p.only}, Keys: p.takeKeys,
		Empty: func(m Mined) (kit.Empty, bool) { return kit.Empty{Text: present.Sentence(m.Err)}, m.Err != nil },
		Show:  func(Mined) { p.listRules() },
		Line: func(m Mined) string {
			text := result.Counted(len(m.Sets), "itemset")
			if n := len(m.Rules); n > mostRules {
				text += fmt.Sprintf("; of %s those with the largest lift are listed", result.Counted(n, "rule"))
			}
			return text
		},
	})
	return p.mining.Object()
}

// mined are the rules that were found; current tells whether they are of the ontology that is
// shown.
func (p *Page) mined() (m Mined, current bool) {
	m, _ = p.mining.Data()
	return m, p.view.Has && p.view.Fault == nil && m.making == making(p.view.Record)
}

// listRules lists the rules of the ontology that is shown; none as long as they are not found.
func (p *Page) listRules() {
	m, current := p.mined()
	if !current {
		p.rules.Set(nil)
		return
	}
	rules := m.Rules
	if p.only.Checked {
		rules = slices.DeleteFunc(slices.Clone(rules), func(r itemset.Rule) bool {
			return !slices.Contains(r.Antecedent, p.view.chosen) && !slices.Contains(r.Consequent, p.view.chosen)
		})
	}
	if len(rules) > mostRules {
		rules = slices.SortedStableFunc(slices.Values(rules),
			func(a, b itemset.Rule) int { return cmp.Compare(b.Lift(), a.Lift()) })[:mostRules]
	}
	p.rules.Set(itemset.NameRules(rules, m.names))
}

// newEdits lists the edits, of which each can be taken back.
func (p *Page) newEdits() fyne.CanvasObject {
	back := func(list []itemset.NamedEdit) { p.takeBack(list[0].Number - 1) }
	p.edits = &kit.Records[itemset.NamedEdit]{
		Host: p.Host, Table: itemset.EditTable, Empty: "Nothing was changed by hand.",
		OnSelect: func(e itemset.NamedEdit, ok bool) {
			if ok {
				p.Say(e.String())
			}
		},
		Actions: []kit.Action[itemset.NamedEdit]{
			{
				Name: "Take this edit back", Icon: theme.ContentUndoIcon(), Button: true,
				Can: func(list []itemset.NamedEdit) bool { return len(list) == 1 }, Do: back,
			},
			{Name: "Take all back", All: true, Button: true, Do: func([]itemset.NamedEdit) { p.takeAllBack() }},
		},
		Note: func([]itemset.NamedEdit) string { return p.view.EditsNote() },
	}
	p.edits.Keys.OnKey = func(ev *fyne.KeyEvent) bool {
		list := p.edits.Chosen()
		if ev.Name == fyne.KeyDelete && len(list) == 1 {
			back(list)
		}
		return ev.Name == fyne.KeyDelete
	}
	return p.edits.Object()
}
