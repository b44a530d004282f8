package evidence

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// Panel is what stands beside the matrices of a round's model: what the round pins, in its order
// and always in the same place, then charts and all else that the round shows, which scrolls.
type Panel struct {
	host    *kit.Host
	onHover func(text string)
	round   label.Round
	model   string // id of the model shown, for the names of files
	pins    []pin
	pinned  *fyne.Container
	charts  *Charts
	rest    *widget.Facts
	scroll  *container.Scroll
	object  *fyne.Container
}

// pin is one place among what is pinned: fields of the record that follow each other, or a curve.
type pin struct {
	fields []string
	facts  *widget.Facts
	curve  string // name, "" for fields
	figure *kit.Figure
}

// NewPanel makes an empty panel; onHover gets the read-out of a chart under the pointer.
func NewPanel(host *kit.Host, onHover func(text string)) *Panel {
	p := &Panel{host: host, onHover: onHover, charts: NewCharts(host, onHover), rest: widget.NewFacts()}
	p.charts.Steady = true
	p.scroll = container.NewVScroll(p.rest)
	p.pinned = container.New(pinsLayout{p})
	p.object = container.New(panelLayout{p}, p.pinned, p.scroll, p.charts.LossBox(), p.charts.AccuracyBox())
	return p
}

// Object is what the screen shows.
func (p *Panel) Object() fyne.CanvasObject { return p.object }

// Charts are the charts below what is pinned.
func (p *Panel) Charts() *Charts { return p.charts }

// Facts are all names and values in their order, those that are pinned first.
func (p *Panel) Facts() (list []widget.Fact) {
	for _, pin := range p.pins {
		if pin.facts != nil {
			list = append(list, pin.facts.Facts()...)
		}
	}
	return append(list, p.rest.Facts()...)
}

// Begin shows the models of a round from now on; it does nothing where that is so already.
// longest are the records of Longest, so that no model moves what stands below.
func (p *Panel) Begin(round label.Round, longest model.Model) {
	if round.ID == p.round.ID && slices.Equal(round.Pinned, p.round.Pinned) && p.round.ID != "" {
		p.round = round
		return
	}
	p.round, p.pins = round, nil
	p.pinned.RemoveAll()
	for _, name := range round.Pinned {
		if curve, ok := strings.CutPrefix(name, label.CurvePrefix); ok {
			figure := &kit.Figure{
				Host: p.host, Headed: true, OnHover: p.onHover,
				Name: func() []string { return []string{p.model, curve} },
			}
			figure.Head(spaced(curve))
			p.pins = append(p.pins, pin{curve: curve, figure: figure})
			p.pinned.Add(figure.Object())
			continue
		}
		if n := len(p.pins); n == 0 || p.pins[n-1].facts == nil {
			p.pins = append(p.pins, pin{facts: widget.NewFacts()})
			p.pinned.Add(p.pins[n].facts)
		}
		last := &p.pins[len(p.pins)-1]
		last.fields = append(last.fields, name)
	}
	p.Blank("")
	for _, pin := range p.pins {
		if pin.facts != nil {
			pin.facts.Keep(p.fields(longest, pin.fields))
		}
	}
	p.scroll.ScrollToTop()
	p.object.Refresh()
}

// Show shows a model of the round.
func (p *Panel) Show(e Evidence) {
	p.model = e.Model.ID
	for _, pin := range p.pins {
		if pin.facts != nil {
			pin.facts.Set(p.fields(e.Model, pin.fields))
		} else {
			one := curves(e.Model, func(name string) bool { return name == pin.curve })
			pin.figure.Set(inventory.Curves(one, pin.curve))
		}
	}
	free := e
	free.Model = curves(e.Model, func(name string) bool { return !p.holds(label.CurvePrefix + name) })
	p.charts.Show(free)
	widget.Show(p.charts.AccuracyBox(), e.Scenes == nil) // in scenes there is no accuracy per transformation
	p.rest.Set(p.others(e))
	p.lay()
}

// lay gives everything its place after heights have changed.
func (p *Panel) lay() { p.object.Layout.Layout(p.object.Objects, p.object.Size()) }

// Blank empties the panel for a reason, such as that a model is being read. All places stay.
func (p *Panel) Blank(reason string) {
	p.model = ""
	for _, pin := range p.pins {
		if pin.facts != nil {
			facts := p.fields(model.Model{}, pin.fields)
			for k := range facts {
				facts[k].Value = ""
			}
			pin.facts.Set(facts)
		} else {
			pin.figure.Set(result.Figure{Empty: reason})
		}
	}
	p.charts.Blank(reason)
	p.rest.Set(nil)
	p.lay()
}

// Scroll scrolls what is not pinned, down (1) or up (-1).
func (p *Panel) Scroll(by int) {
	const step = 3 // lines
	p.scroll.ScrollToOffset(p.scroll.Offset.AddXY(0, float32(step*by)*(theme.TextSize()+theme.Padding())))
}

func (p *Panel) holds(name string) bool { return slices.Contains(p.round.Pinned, name) }

// others are the facts of a model that are not pinned.
func (p *Panel) others(e Evidence) (list []widget.Fact) {
	add := func(lines ...Fact) {
		for _, l := range lines {
			list = append(list, widget.Fact(l))
		}
	}
	if e.Scenes != nil {
		add(SceneFacts(e)...)
	}
	add(recordLines(&p.round, e.Model, p.holds)...)
	if e.Scenes == nil {
		add(Fact{"suite", e.Suite}, Fact{"family", e.Family}, Fact{"images", e.Counts()})
	}
	return list
}

// fields are fields of a model's record as they are shown, "-" where one has no value or the round
// does not show it.
func (p *Panel) fields(m model.Model, names []string) (list []widget.Fact) {
	for _, name := range names {
		fact := widget.Fact{Name: spaced(name), Value: empty}
		allowed := func(f model.Field) bool { return f.Name == name && p.round.Allows(name, f.Value) }
		if at := slices.IndexFunc(m.Record, allowed); at >= 0 {
			fact.Value = shownValue(m.Record[at].Value)
		}
		list = append(list, fact)
	}
	return list
}

// curves is a model with those of its curves alone that are chosen.
func curves(m model.Model, chosen func(name string) bool) model.Model {
	var list []model.Epoch
	for _, epoch := range m.Curves {
		values := map[string]float64{}
		for name, v := range epoch.Values {
			if chosen(name) {
				values[name] = v
			}
		}
		if len(values) > 0 {
			list = append(list, model.Epoch{Epoch: epoch.Epoch, Values: values})
		}
	}
	m.Curves = list
	return m
}

// Longest is a record that has, of each field that a round pins, the longest value of all its
// models.
func Longest(round label.Round, models []model.Model) (longest model.Model) {
	for _, name := range round.Pinned {
		field := model.Field{Name: name}
		for _, m := range models {
			if !slices.Contains(round.Models, m.Hash) {
				continue
			}
			for _, f := range m.Record {
				if f.Name == name && len(f.Value) > len(field.Value) {
					field.Value = f.Value
				}
			}
		}
		longest.Record = append(longest.Record, field)
	}
	return longest
}

// pinsLayout gives facts what they need, and curves the rest in equal parts.
type pinsLayout struct{ p *Panel }

// leastCurve is the least height of a pinned curve.
const leastCurve = 96

// Layout implements fyne.Layout.
func (l pinsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	need, count := float32(0), 0
	for k, o := range objects {
		if l.p.pins[k].facts == nil {
			count++
			continue
		}
		o.Resize(fyne.NewSize(size.Width, o.Size().Height)) // the height follows from the width
		need += o.MinSize().Height
	}
	curve := max((size.Height-need)/float32(max(count, 1)), 0)
	y := float32(0)
	for k, o := range objects {
		height := curve
		if l.p.pins[k].facts != nil {
			height = o.MinSize().Height
		}
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, height))
		y += height
	}
}

// MinSize implements fyne.Layout.
func (l pinsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := fyne.Size{}
	for k, o := range objects {
		if l.p.pins[k].facts == nil {
			least.Height += leastCurve
		} else {
			least.Height += o.MinSize().Height
		}
	}
	return least
}

// panelLayout puts what is pinned first, at its height, and gives the rest of the height to facts,
// which scroll, and charts, each of them chartShare times as much.
type panelLayout struct{ p *Panel }

const chartShare = 1.5

// Layout implements fyne.Layout.
func (l panelLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	pinned := objects[0]
	pinned.Resize(fyne.NewSize(size.Width, pinned.Size().Height))
	shown := widget.Visible(objects[1:])
	height := min(pinned.MinSize().Height, size.Height)
	place := func(o fyne.CanvasObject, y, height float32) {
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, height))
	}
	place(pinned, 0, height)
	gap := theme.Padding()
	share := max((size.Height-height-gap*float32(len(shown)))/(1+chartShare*float32(len(shown)-1)), 0)
	y := height + gap
	for k, o := range shown {
		each := share
		if k > 0 {
			each *= chartShare
		}
		place(o, y, each)
		y += each + gap
	}
	l.p.rest.Resize(fyne.NewSize(size.Width, l.p.rest.MinSize().Height))
}

// MinSize implements fyne.Layout: the screen that holds the panel decides.
func (panelLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
