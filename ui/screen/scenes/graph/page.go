// Package graph is the page Ontology of the Background screen: the association ontology as a graph
// and as rules, with its edits by hand.
package graph

import (
	"context"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"
	"gonum.org/v1/gonum/spatial/r2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
)

// Page is the page. All methods are called on Fyne's main goroutine.
type Page struct {
	*kit.Screen[struct{}, Data]
	site    page.Site
	view    *View
	subject page.Subject
	known   origins
	busy    bool // something is being stored

	layout *kit.Screen[struct{}, placed] // of the graph
	mining *kit.Screen[struct{}, Mined]  // rules
	tabs   *kit.Tabs
	fresh  *fynewidget.Button   // makes a new ontology
	own    []*fynewidget.Button // what needs an ontology
	graph  *graphPane
	rules  *kit.Records[itemset.NamedRule]
	only   *fynewidget.Check // rules of the chosen keyword
	edges  *edgesPane
	edits  *kit.Records[itemset.NamedEdit]
}

var _ page.Page = (*Page)(nil)

// placed are the places of the nodes of these names.
type placed struct {
	names []string
	spots []r2.Vec
}

// graphShare is the share of the width that the graph takes.
const graphShare = 0.46

// New makes the page; it reads when it is shown.
func New(site page.Site) *Page {
	p := &Page{site: site, view: &View{chosen: -1}}
	host := site.Kit(func() { p.Focus() })
	p.Screen = &kit.Screen[struct{}, Data]{Host: host} // the parts are made from it
	p.graph, p.edges = newGraphPane(p), newEdgesPane(p)
	p.tabs = kit.NewTabs(host, "ontology",
		kit.Tab{Key: "rules", Title: "Rules", Page: &kit.Panel{Body: p.newRules(), Keys: p.takeKeys}},
		kit.Tab{Key: "edges", Title: "Edges", Page: &kit.Panel{Body: p.edges.object, Keys: p.takeKeys}},
		kit.Tab{Key: "edits", Title: "Edits", Page: &kit.Panel{Body: p.newEdits(), Keys: p.takeKeys}})
	split := container.NewHSplit(p.graph.object, p.tabs.Object())
	split.Offset = graphShare
	p.Screen = kit.New(kit.Screen[struct{}, Data]{
		Tools: p.buttons(), Parts: []kit.Page{p.layout, p.mining},
		Host: host, Name: "Build the ontology", Doing: "Building the ontology…", Key: "ontology",
		Load: func(struct{}) kit.Work[Data] {
			subject, known := p.subject, p.known
			return func(ctx context.Context, _ engine.Progress) (Data, error) {
				return read(ctx, site.Workspace, subject, known)
			}
		},
		On: []store.ChangeKind{store.BackgroundChanged}, Body: split, Tabs: p.tabs, Empty: p.empty,
		Show: func(Data) {
			p.graph.show()
			p.layout.Changed()
			p.listRules()
			p.mining.Changed()
			p.edges.show()
			edits := itemset.NameEdits(p.view.Record.Edits, p.view.name)
			p.edits.Set(edits)
			p.tabs.Count("edits", len(edits))
		}, Line: func(Data) string { return p.view.Caption() },
	})
	return p
}

func (p *Page) buttons() []fyne.CanvasObject {
	p.fresh = fynewidget.NewButtonWithIcon("New ontology…", theme.ContentAddIcon(), p.askNew)
	change := fynewidget.NewButtonWithIcon("Change…", theme.SettingsIcon(), p.askChange)
	rename := fynewidget.NewButtonWithIcon("Rename…", theme.SettingsIcon(), p.askRename)
	double := fynewidget.NewButtonWithIcon("Duplicate…", theme.ContentCopyIcon(), p.askDuplicate)
	remove := fynewidget.NewButtonWithIcon("Remove…", theme.DeleteIcon(), p.askRemove)
	export := p.MenuButton("Export…", theme.DocumentSaveIcon(), p.exportMenu)
	p.own = []*fynewidget.Button{change, rename, double, remove, export}
	for _, b := range append(p.own, p.fresh) {
		b.Disable()
	}
	return []fyne.CanvasObject{p.fresh, change, rename, double, remove, export}
}

// Look implements page.Page.
func (p *Page) Look(s page.Subject) {
	other := s.Table != p.subject.Table || s.Ontology != p.subject.Ontology
	if p.subject = s; other {
		p.Changed()
	}
}

// takeKeys gives the graph the keyboard.
func (p *Page) takeKeys() {
	p.graph.net.Focus()
}

// empty takes data in and says why there is nothing to show, and what to do.
func (p *Page) empty(d Data) (e kit.Empty, is bool) {
	v := p.view
	v.Take(d)
	p.known = d.known
	widget.Enable(p.fresh, len(v.Tables) > 0)
	for _, b := range p.own {
		widget.Enable(b, v.Has)
	}
	newOne := kit.Help{Text: "New ontology…", Icon: theme.ContentAddIcon(), Do: p.askNew}
	changed := kit.Help{Text: "Change…", Icon: theme.SettingsIcon(), Do: p.askChange}
	switch {
	case len(v.Tables) == 0:
		e = kit.Empty{Text: "An ontology says which keywords go together. It is made of a table of the keywords of " +
			"images, and this workspace has none yet.", Help: []kit.Help{{
			Text: "Keywords of images", Icon: theme.NavigateNextIcon(),
			Do: func() { p.site.Open(page.Keywords, p.subject) },
		}}}
	case !v.Has:
		e = kit.Empty{
			Help: []kit.Help{newOne},
			Text: fmt.Sprintf("No ontology was made of the keyword table %s yet. It is a graph of which keywords "+
				"go together: scenes that are plausible for an image are found along its edges.", v.Table.Name),
		}
	case v.Fault != nil:
		e = kit.Empty{Text: present.Sentence(v.Fault), Help: []kit.Help{changed}}
	case len(v.Graph.Nodes) == 0:
		e = kit.Empty{
			Help: []kit.Help{changed, newOne},
			Text: fmt.Sprintf("The ontology %s is empty: no keyword is in %s of the %s of %s. "+
				"Lower its least support, or look at the keywords.", v.Record.Name,
				result.Share.Say(v.Record.MinSupport, 0),
				result.Counted(v.Graph.Transactions, "image"), v.Table.Name),
		}
	default:
		return e, false
	}
	widget.Enable(p.own[len(p.own)-1], false) // nothing to export
	return e, true
}

// newLayout finds places for the nodes around the widget that shows them. Those that are there
// stay: an edit of an edge moves nothing.
func (p *Page) newLayout(net fyne.CanvasObject) fyne.CanvasObject {
	p.layout = kit.New(kit.Screen[struct{}, placed]{
		Host: p.Host, Name: "Lay out the ontology", Doing: "Laying out the ontology…", Key: "ontology.graph",
		Load: func(struct{}) kit.Work[placed] {
			graph, last := p.view.Shown, p.places()
			return func(ctx context.Context, _ engine.Progress) (placed, error) {
				if last.spots != nil {
					return last, nil
				}
				spots, err := graph.Places(ctx)
				return placed{nodeNames(graph), spots}, err
			}
		},
		Body: net, Show: func(placed) { p.graph.draw() }, Keys: p.takeKeys,
	})
	return p.layout.Object()
}

func nodeNames(o itemset.Ontology) []string {
	names := make([]string, len(o.Nodes))
	for k, item := range o.Nodes {
		names[k] = o.Names[item]
	}
	return names
}

// places are those of the nodes that are shown; without spots where they are not known yet.
func (p *Page) places() placed {
	if last, _ := p.layout.Data(); slices.Equal(last.names, nodeNames(p.view.Shown)) {
		return last
	}
	return placed{}
}

// choose chooses a keyword by its item, -1 for none, wherever that was asked for.
func (p *Page) choose(item int) {
	if item == p.view.chosen {
		return
	}
	p.view.chosen = item
	p.graph.draw()
	p.edges.show()
	if p.only.Checked {
		p.listRules()
	}
	widget.Enable(p.only, item >= 0 || p.only.Checked)
}
