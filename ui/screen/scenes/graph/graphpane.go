package graph

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// graphPane is the graph with what is looked at in it.
type graphPane struct {
	p      *Page
	net    *widget.Network
	search *widget.Entry
	found  []int // nodes, the most frequent first
	at     int   // the one that was shown last
	hops   *widget.Picker
	way    *widget.Picker
	least  *fynewidget.Slider
	from   *fynewidget.Label
	object fyne.CanvasObject
}

func newGraphPane(p *Page) *graphPane {
	g := &graphPane{p: p, net: widget.NewNetwork(), at: -1}
	g.net.OnHint = p.host.Say
	g.net.OnSelect = func(node int) { p.choose(p.view.item(node)) }
	g.net.OnOpen = g.net.Centre
	g.net.OnLink = func(link int) {
		if edges := p.view.Shown.Edges; link < len(edges) {
			p.edges.choose(edges[link].From, edges[link].To)
		}
	}
	g.net.OnRune = func(r rune) { // begins to search
		if r != ' ' {
			p.host.Window.Canvas().Focus(g.search)
			g.search.TypedRune(r)
		}
	}
	g.net.Menu = func() []*fyne.MenuItem { return p.host.Saver().Entries(p.figure()) }
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
	g.hops = widget.NewPicker(func(key string) {
		if n, err := strconv.Atoi(key); err == nil {
			g.net.SetHops(n)
		}
	})
	g.hops.Offer([]widget.Option{{Key: "1", Name: "1 step"}, {Key: "2", Name: "2 steps"}}, "1")
	ways := map[string]render.Way{"either": render.Either, "out": render.Onward, "in": render.Back}
	g.way = widget.NewPicker(func(key string) { g.net.SetWay(ways[key]) })
	g.way.Offer([]widget.Option{
		{Key: "either", Name: "in and out"}, {Key: "out", Name: "leads to"}, {Key: "in", Name: "reached from"},
	}, "either")
	g.least, g.from = fynewidget.NewSlider(0, 1), fynewidget.NewLabel(leastText(0))
	g.least.Step = 0.01
	g.least.OnChanged = func(weight float64) {
		g.net.SetLeast(weight - 1e-9)
		g.from.SetText(leastText(weight))
	}
	return container.NewVBox(
		container.NewBorder(nil, nil, nil, container.NewHBox(g.hops.Select, g.way.Select), g.search),
		container.NewBorder(nil, nil, g.from, nil, g.least))
}

// leastText has the same width for all weights, so that the slider stays where it is.
func leastText(weight float64) string {
	return fmt.Sprintf("weights from %s", strconv.FormatFloat(weight, 'f', 2, 64))
}

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
	g.bounds(v.least())
	if g.search.Text != "" {
		g.find(g.search.Text)
	}
}

// bounds lets the slider go from the weakest edge; one that showed all goes on to do so.
func (g *graphPane) bounds(least float64) {
	all := g.least.Value <= g.least.Min
	g.least.Min = float64(int(least*100)) / 100
	if all || g.least.Value < g.least.Min {
		g.least.Value = g.least.Min
	}
	g.least.Refresh()
	g.least.OnChanged(g.least.Value)
}

// find highlights what is searched for and brings the most frequent keyword among it to the middle.
func (g *graphPane) find(text string) {
	g.found, g.at = g.net.Search(text), -1
	switch {
	case text == "":
		g.p.host.Say("")
	case len(g.found) == 0:
		g.p.host.Say(fmt.Sprintf("no keyword of the graph has %q", text))
	default:
		names := make([]string, len(g.found))
		for k, node := range g.found {
			names[k] = g.net.Data().Nodes[node].Name
		}
		g.p.host.Say(fmt.Sprintf("%s: %s; Return goes there", result.Counted(len(names), "keyword"), result.Some(names)))
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
	g.p.host.Say(g.net.Data().NodeHint(node))
}
