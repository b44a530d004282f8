package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynewidget "fyne.io/fyne/v2/widget"

	engine "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// form asks what an ontology is made of, and says what there would be.
type form struct {
	work                *background.Group
	counter             *counter
	record              store.OntologyRecord // with ID and edits of one that is changed
	view                *View
	own                 string // the name that it may keep
	name                *widget.Entry
	table               *widget.Picker
	rule                *widget.Picker
	share, scenes       *widget.Entry
	support, confidence *widget.Entry
	exclude             *widget.Entry
	classes             *fynewidget.Label
	note                *fynewidget.Label
	accept              *fynewidget.Button
	latest              background.Latest
	cancel              context.CancelFunc // ends the count that is under way
	counted             counts
	quiet               bool // it is being filled
}

// The rules that have a name.
const rulePaper, ruleCode, ruleOwn = "paper", "refcode", "own"

func newForm(p *Page, r store.OntologyRecord, own string) *form {
	f := &form{
		work: p.deps.Host.Work, counter: &counter{ws: p.deps.Workspace}, record: r, view: p.view, own: own, quiet: true,
		classes: fynewidget.NewLabel(""), note: fynewidget.NewLabel(""),
	}
	f.classes.Wrapping, f.note.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	f.classes.Importance = fynewidget.LowImportance
	for _, entry := range []**widget.Entry{&f.name, &f.share, &f.scenes, &f.support, &f.confidence, &f.exclude} {
		*entry = widget.NewEntry()
		(*entry).OnChanged = func(string) { f.changed() }
	}
	f.table = widget.NewPicker(func(key string) {
		f.record.Table = key
		f.changed()
	})
	var tables []widget.Option
	for _, t := range slices.Backward(p.view.Tables) {
		tables = append(tables, widget.Option{Key: t.Hash, Name: t.Name})
	}
	f.table.Offer(tables, r.Table)
	f.rule = widget.NewPicker(func(key string) {
		switch key {
		case rulePaper:
			f.fillRule(engine.PaperRule())
		case ruleCode:
			f.fillRule(engine.RefcodeRule())
		}
		f.changed()
	})
	f.exclude.SetPlaceHolder("further words, such as boat, lamp")
	f.fill(p.view.Classes)
	return f
}

// fill fills the form in; classes are words that need not be typed.
func (f *form) fill(classes []string) {
	r := f.record
	f.name.SetText(r.Name)
	f.fillRule(r.Rule)
	f.support.SetText(number(r.MinSupport))
	f.confidence.SetText(number(r.MinConfidence))
	further := slices.DeleteFunc(slices.Clone(r.Rule.Excluded), func(word string) bool { return slices.Contains(classes, word) })
	f.exclude.SetText(strings.Join(further, ", "))
	f.quiet = false
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func (f *form) fillRule(r engine.Rule) {
	quiet := f.quiet
	f.quiet = true
	f.share.SetText(strconv.FormatFloat(100*r.Share, 'g', 6, 64))
	f.scenes.SetText(strconv.Itoa(r.Scenes))
	f.quiet = quiet
	f.named()
}

// named shows which rule the two numbers are.
func (f *form) named() {
	key := ruleOwn
	if r, err := f.ruleTyped(); err == nil {
		switch {
		case r.Share == engine.PaperRule().Share && r.Scenes == engine.PaperRule().Scenes:
			key = rulePaper
		case r.Share == engine.RefcodeRule().Share && r.Scenes == engine.RefcodeRule().Scenes:
			key = ruleCode
		}
	}
	f.rule.Offer([]widget.Option{
		{Key: rulePaper, Name: "as in the background paper [2]"}, {Key: ruleCode, Name: "as in the published code"}, {Key: ruleOwn, Name: "own"},
	}, key)
}

// object is the form.
func (f *form) object() fyne.CanvasObject {
	pair := func(a fyne.CanvasObject, word string, b fyne.CanvasObject) fyne.CanvasObject {
		return container.NewGridWithColumns(2, a, container.NewBorder(nil, nil, fynewidget.NewLabel(word), nil, b))
	}
	items := fynewidget.NewForm(
		fynewidget.NewFormItem("Name", f.name),
		fynewidget.NewFormItem("Keyword table", f.table.Select),
		fynewidget.NewFormItem("Words that count", f.rule.Select),
		fynewidget.NewFormItem("elements above (% of the pixels)", pair(f.share, "best scenes", f.scenes)),
		fynewidget.NewFormItem("never keywords", f.exclude),
		fynewidget.NewFormItem("least support", pair(f.support, "least confidence", f.confidence)),
	)
	return container.NewBorder(nil, container.NewVBox(f.classes, f.note), nil, nil, container.NewVScroll(items))
}

// ruleTyped is the rule that is typed, without the classes.
func (f *form) ruleTyped() (engine.Rule, error) {
	share, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(f.share.Text), ",", ".", 1), 64)
	if err != nil || !(share >= 0 && share < 100) {
		return engine.Rule{}, errors.New("the share of the pixels is a number of per cent from 0 to below 100")
	}
	scenes, err := strconv.Atoi(strings.TrimSpace(f.scenes.Text))
	if err != nil || scenes < 1 {
		return engine.Rule{}, errors.New("the number of best scenes is a whole number from 1")
	}
	r := engine.Rule{Share: share / 100, Scenes: scenes}
	return r.Without(strings.FieldsFunc(f.exclude.Text, func(r rune) bool { return r == ',' || r == ';' })...), nil
}

// parseShare reads a number above 0, at most 1; a decimal comma counts as a point.
func parseShare(text string) (float64, error) {
	share, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
	if err != nil || !(share > 0 && share <= 1) {
		return 0, fmt.Errorf("%q is no number above 0, at most 1", text)
	}
	return share, nil
}

// typed is what the form says. The error is a sentence about it.
func (f *form) typed() (r store.OntologyRecord, err error) {
	r = f.record
	r.Name = strings.TrimSpace(f.name.Text)
	if err := f.view.nameProblem(r.Name, f.own); err != nil {
		return r, err
	}
	if r.Table == "" {
		return r, errors.New("choose a keyword table")
	}
	if r.Rule, err = f.ruleTyped(); err != nil {
		return r, err
	}
	if r.MinSupport, err = parseShare(f.support.Text); err != nil {
		return r, fmt.Errorf("the least support is a number above 0, at most 1, such as %s", number(itemset.DefaultMinSupport))
	}
	if r.MinConfidence, err = parseShare(f.confidence.Text); err != nil {
		return r, fmt.Errorf("the least confidence is a number above 0, at most 1, such as %s", number(itemset.DefaultMinConfidence))
	}
	return r, nil
}

// changed counts anew, in the background; what is wrong is said at once.
func (f *form) changed() {
	if f.quiet {
		return
	}
	f.named()
	f.close()
	widget.Enable(f.accept, false)
	r, err := f.typed()
	if err != nil {
		f.say(present.Sentence(err), fynewidget.WarningImportance)
		return
	}
	f.say("counting …", fynewidget.LowImportance)
	own, cancel := context.WithCancel(context.Background())
	f.cancel = cancel
	background.Load(f.work, &f.latest, "count ontology", func(ctx context.Context) (counts, error) {
		defer context.AfterFunc(ctx, cancel)()
		return f.counter.count(own, r)
	}, f.show)
}

func (f *form) show(n counts, err error) {
	if err != nil {
		if !present.Cancelled(err) {
			f.say(present.Sentence(err), fynewidget.WarningImportance)
		}
		return
	}
	f.counted = n
	text, ok := n.text()
	importance := fynewidget.MediumImportance
	if !ok {
		importance = fynewidget.WarningImportance
	}
	f.say(text, importance)
	f.classes.SetText("The table has no targets, so no names of classes are left out.")
	if len(n.classes) > 0 {
		f.classes.SetText(fmt.Sprintf("The names of the targets' classes are never keywords, either: %s.", strings.Join(n.classes, ", ")))
	}
	widget.Enable(f.accept, ok)
}

func (f *form) say(text string, importance fynewidget.Importance) {
	f.note.Importance = importance
	f.note.SetText(text)
}

// close ends the count that is under way.
func (f *form) close() {
	f.latest.Next()
	if f.cancel != nil {
		f.cancel()
		f.cancel = nil
	}
}

// open shows the form in a dialog; accepted gets what it says.
func (p *Page) open(title, accept string, r store.OntologyRecord, accepted func(store.OntologyRecord)) {
	own := ""
	if r.ID != "" {
		own = r.Name
	}
	f := newForm(p, r, own)
	var d *dialog.CustomDialog
	f.accept = fynewidget.NewButton(accept, func() {
		d.Hide()
		accepted(f.counted.record)
	})
	f.accept.Importance = fynewidget.HighImportance
	d = dialog.NewCustomWithoutButtons(title, widget.Fitting(f.object(), p.deps.Host.Window), p.deps.Host.Window)
	d.SetButtons([]fyne.CanvasObject{fynewidget.NewButton("Cancel", d.Hide), f.accept})
	d.SetOnClosed(func() {
		f.close()
		p.Focus()
	})
	d.Resize(fyne.NewSize(700*min(widget.Grown(), 1.3), 500*min(widget.Grown(), 1.2)))
	f.changed()
	d.Show()
	p.deps.Host.Window.Canvas().Focus(f.name)
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
	r := store.OntologyRecord{
		Name: p.free(table.Name), Table: table.Hash, Rule: engine.PaperRule(), MinSupport: itemset.DefaultMinSupport, MinConfidence: itemset.DefaultMinConfidence,
	}
	p.open("New ontology", "Add", r, p.add)
}

// askChange asks what the ontology is made of from now on.
func (p *Page) askChange() {
	if p.view.Has {
		p.open(fmt.Sprintf("Change ontology %s", p.view.Record.Name), "Change", p.view.Record, p.remake)
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
