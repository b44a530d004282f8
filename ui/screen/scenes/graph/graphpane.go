package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	engine "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// graphPane is the graph with what is looked at in it.
type graphPane struct {
	p       *Page
	net     *kit.Figure
	search  *widget.Entry
	look    itemset.Look
	found   []int // nodes, the most frequent first
	at      int   // the one that was shown last
	around  *kit.Form[neighbours]
	weights *kit.Form[edgeWeights]
	object  fyne.CanvasObject
}

// neighbours say what is emphasised around the keyword that is looked at.
type neighbours struct {
	Hops string `help:"How many edges lead from the chosen keyword to those that are emphasised with it." enum:"1,2" default:"1" label:"Steps"`
	Way  string `help:"Whether edges are followed from the chosen keyword, to it, or both." enum:"either,out,in" default:"either" label:"Edges"`
}

// edgeWeights say which edges are drawn.
type edgeWeights struct {
	Least float64 `help:"Least weight of the edges that are drawn." min:"0" max:"1" slide:"0 1 0.01" label:"Weights from"`
}

func newGraphPane(p *Page) *graphPane {
	g := &graphPane{p: p, look: itemset.Look{Hops: 1}, at: -1}
	g.net = &kit.Figure{
		Host: p.Host, Name: func() []string { return []string{p.view.Record.Name, "ontology"} },
		Command: func() string {
			var usual engine.OntologyOptions
			option.SetDefaults(&usual)
			return p.site.Ontology(p.view.Record, p.view.Classes, usual.Levels)
		},
		Values: func() *result.Sheet { return itemset.EdgeTable.Sheet(p.view.all) },
		Whole:  func() figures.Drawing { return figures.One(p.figure()) },
		OnTap:  g.tap, OnNone: func() { p.choose(-1) },
		OnOpen: func(id string) { g.net.Centre(id) },
		Keys: widget.Keys{OnRune: func(r rune) { // begins to search
			if r != ' ' {
				p.Window.Canvas().Focus(g.search)
				g.search.TypedRune(r)
			}
		}},
	}
	g.object = container.NewBorder(g.head(), nil, nil, nil, p.newLayout(g.net.Object()))
	return g
}

func (g *graphPane) head() fyne.CanvasObject {
	g.search = widget.NewEntry()
	g.search.SetPlaceHolder("Find a keyword")
	g.search.OnChanged = g.find
	g.search.OnSubmitted = func(string) { g.next() }
	g.search.OnEscape = func() {
		g.search.SetText("")
		g.p.Focus()
	}
	ways := map[string]itemset.Way{"either": itemset.Either, "out": itemset.Onward, "in": itemset.Back}
	names := map[string]string{"1": "1", "2": "2", "either": "in and out", "out": "leads to", "in": "reached from"}
	g.around = &kit.Form[neighbours]{
		Host: g.p.Host, Named: func(_, choice string) string { return names[choice] },
		OnChange: func(n neighbours) {
			g.look.Hops, g.look.Way = int(n.Hops[0]-'0'), ways[n.Way]
			g.draw()
		},
	}
	g.weights = &kit.Form[edgeWeights]{
		Host: g.p.Host, Rows: true, InPage: true, OnChange: func(w edgeWeights) {
			g.look.Least = w.Least - 1e-9
			g.draw()
		},
	}
	g.around.Make()
	g.weights.Make()
	return container.NewVBox(container.NewBorder(nil, nil, picture.Wide(searchWidth, g.search), nil, g.around.Object()),
		g.weights.Object())
}

// searchWidth is the width of the entry that finds keywords.
const searchWidth = 170

// tap chooses a keyword, or an edge with both of its ends.
func (g *graphPane) tap(id string) {
	v := g.p.view
	if item := slices.Index(v.Shown.Names, id); item >= 0 {
		g.p.choose(item)
		return
	}
	for _, e := range v.Shown.Edges {
		if itemset.EdgeID(v.Shown.Names[e.From], v.Shown.Names[e.To]) == id {
			g.p.edges.choose(e.From, e.To)
		}
	}
}

// show shows the graph of other data.
func (g *graphPane) show() {
	v := g.p.view
	nodes := v.Graph.NameNodes(itemset.Names{Files: v.Graph.Names, People: v.Shown.Names})
	g.look.Node = func(k int) string { return nodes[k].String() }
	g.look.Edge = func(k int) string { return v.all[k].String() }
	g.look.Found = nil
	if g.search.Text != "" {
		g.find(g.search.Text)
		return
	}
	g.draw()
}

// draw draws the graph with what comes forward now; nodes without places wait for them.
func (g *graphPane) draw() {
	v, places := g.p.view, g.p.places().spots
	if len(places) != len(v.Shown.Nodes) || len(places) == 0 {
		g.net.Set(result.Figure{Empty: "Finding places for the nodes…"})
		return
	}
	g.look.Chosen = v.node(v.chosen)
	g.net.Set(v.Shown.Figure(places, g.look))
	g.net.Select(v.Chosen())
}

// find highlights what is searched for and brings the most frequent keyword among it to the middle.
func (g *graphPane) find(text string) {
	v := g.p.view
	g.found, g.at = nil, -1
	for k, item := range v.Shown.Nodes {
		if part := strings.ToLower(strings.TrimSpace(text)); part != "" &&
			strings.Contains(strings.ToLower(v.Shown.Names[item]), part) {
			g.found = append(g.found, k)
		}
	}
	slices.SortStableFunc(g.found, func(a, b int) int {
		return cmp.Compare(v.Shown.Counts[v.Shown.Nodes[b]], v.Shown.Counts[v.Shown.Nodes[a]])
	})
	g.look.Found = g.found
	g.draw()
	switch {
	case text == "":
		g.p.Say("")
	case len(g.found) == 0:
		g.p.Say(fmt.Sprintf("no keyword of the graph has %q", text))
	default:
		names := make([]string, len(g.found))
		for k, node := range g.found {
			names[k] = v.Shown.Names[v.Shown.Nodes[node]]
		}
		g.p.Say(fmt.Sprintf("%s: %s; Return goes there", result.Counted(len(names), "keyword"), result.Some(names)))
	}
}

// next brings the next of the found keywords to the middle and chooses it.
func (g *graphPane) next() {
	if len(g.found) == 0 {
		return
	}
	g.at = (g.at + 1) % len(g.found)
	node := g.found[g.at]
	g.p.choose(g.p.view.item(node))
	g.net.Centre(g.p.view.Chosen())
	g.p.Say(g.look.Node(node))
}
