package graph

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// graphPane is the graph with what is looked at in it.
type graphPane struct {
	p       *Page
	net     *widget.Network
	search  *widget.Entry
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
	g := &graphPane{p: p, net: widget.NewNetwork(), at: -1}
	g.net.OnHint = p.Say
	g.net.OnSelect = func(node int) { p.choose(p.view.item(node)) }
	g.net.OnOpen = g.net.Centre
	g.net.OnLink = func(link int) {
		if edges := p.view.Shown.Edges; link < len(edges) {
			p.edges.choose(edges[link].From, edges[link].To)
		}
	}
	g.net.OnRune = func(r rune) { // begins to search
		if r != ' ' {
			p.Window.Canvas().Focus(g.search)
			g.search.TypedRune(r)
		}
	}
	g.net.Menu = func() []*fyne.MenuItem { return p.Saver().Entries(p.figure()) }
	g.object = container.NewBorder(g.head(), nil, nil, nil, p.newLayout(g.net))
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
	g.search.ActionItem = fynewidget.NewIcon(theme.SearchIcon())
	ways := map[string]render.Way{"either": render.Either, "out": render.Onward, "in": render.Back}
	names := map[string]string{"1": "1", "2": "2", "either": "in and out", "out": "leads to", "in": "reached from"}
	g.around = &kit.Form[neighbours]{
		Host: g.p.Host, Named: func(_, choice string) string { return names[choice] },
		OnChange: func(n neighbours) {
			g.net.SetHops(int(n.Hops[0] - '0'))
			g.net.SetWay(ways[n.Way])
		},
	}
	g.weights = &kit.Form[edgeWeights]{
		Host: g.p.Host, Rows: true, InPage: true, OnChange: func(w edgeWeights) { g.net.SetLeast(w.Least - 1e-9) },
	}
	g.around.Make()
	g.weights.Make()
	return container.NewVBox(container.NewBorder(nil, nil, picture.Wide(searchWidth, g.search), nil, g.around.Object()), g.weights.Object())
}

// searchWidth is the width of the entry that finds keywords.
const searchWidth = 170

// show shows the graph; nodes without places wait for them.
func (g *graphPane) show() {
	v := g.p.view
	nodes := v.Graph.NameNodes(itemset.Names{Files: v.Graph.Names, People: v.Shown.Names})
	g.net.SetData(widget.NetworkData{
		Network: render.OntologyNetwork(v.Shown), Spots: g.p.places().spots,
		NodeHint: func(k int) string { return nodes[k].String() },
		LinkHint: func(k int) string { return v.all[k].String() },
		Empty:    "no keywords",
	})
	g.net.Select(v.node(v.chosen))
	if g.search.Text != "" {
		g.find(g.search.Text)
	}
}

// find highlights what is searched for and brings the most frequent keyword among it to the middle.
func (g *graphPane) find(text string) {
	g.found, g.at = g.net.Search(text), -1
	switch {
	case text == "":
		g.p.Say("")
	case len(g.found) == 0:
		g.p.Say(fmt.Sprintf("no keyword of the graph has %q", text))
	default:
		names := make([]string, len(g.found))
		for k, node := range g.found {
			names[k] = g.net.Data().Nodes[node].Name
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
	g.net.Centre(node)
	g.p.choose(g.p.view.item(node))
	g.p.Say(g.net.Data().NodeHint(node))
}
