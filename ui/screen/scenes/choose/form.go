package choose

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	scenes "github.com/variscope/variscope/store/background"
	quiet "github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// form asks how scenes are chosen and shows what would come of it.
type form struct {
	p        *Page
	offer    Offer
	wish     wish
	carry    Verdicts // that the new selection takes over
	name     *widget.Entry
	targets  *widget.Picker
	masks    *widget.Picker
	grounds  *widget.Picker
	ontology *widget.Picker
	method   *widget.Picker
	align    *widget.Picker
	numbers  map[string]*widget.Entry
	jitter   *fynewidget.Check
	vetoed   *fynewidget.Check
	ruledOut []int
	body     *fyne.Container
	note     *fynewidget.Label
	chart    *widget.Chart
	facts    *fynewidget.Label
	create   *fynewidget.Button
	dialog   *dialog.CustomDialog
	filling  bool

	latest quiet.Latest
	cancel context.CancelFunc // of the preview under way
	asked  *scenes.Ask        // that the preview is of, or is being made of
	plan   *scenes.Plan       // nil until it is there
	wrong  error              // why there is none
}

// askNew opens the dialog with the defaults, on the suites of the selection that is looked at.
func (p *Page) askNew() {
	w := newWish(p.view.Offer)
	if r := p.view.Record; r.Hash != "" {
		w.Targets, w.Masks, w.Backgrounds = r.Targets, r.Selection.Masks, r.Backgrounds
	}
	if p.wanted.Ontology != "" {
		w.Ontology = p.wanted.Ontology
	}
	p.open(w, Verdicts{})
}

// askWithout opens it with what the selection was chosen by, without what was vetoed since.
func (p *Page) askWithout() {
	ask := p.view.Ask
	for _, image := range p.view.Verdicts.Vetoed {
		ask.Vetoed = set(ask.Vetoed, image, true)
	}
	p.again(ask)
}

// askWith opens it with what the selection was chosen by, with the edges and places that are
// previewed.
func (p *Page) askWith() {
	ask := p.view.Ask
	ask.Feather, ask.Align = p.detail.feathered(), p.detail.chosen
	p.again(ask)
}

// again opens the dialog for a choice like the one that is looked at.
func (p *Page) again(ask scenes.Ask) {
	w := wishOf(ask, p.view.Offer)
	if !p.view.Known {
		w.Ontology = p.wanted.Ontology
	}
	p.open(w, p.view.Verdicts)
}

// open opens the dialog.
func (p *Page) open(w wish, carry Verdicts) *form {
	f := &form{p: p, offer: p.view.Offer, wish: w, carry: carry, ruledOut: w.Vetoed, numbers: map[string]*widget.Entry{}}
	f.create = fynewidget.NewButton("Create", f.make)
	f.create.Importance = fynewidget.HighImportance
	f.dialog = dialog.NewCustomWithoutButtons("Choose testing scenes", widget.Fitting(f.object(), p.Window), p.Window)
	f.dialog.SetButtons([]fyne.CanvasObject{fynewidget.NewButton("Cancel", f.dialog.Hide), f.create})
	f.dialog.SetOnClosed(func() {
		f.stop()
		p.Focus()
	})
	f.dialog.Resize(fyne.NewSize(1060, 620))
	f.changed()
	f.dialog.Show()
	return f
}

// object is the form and what would come of it.
func (f *form) object() fyne.CanvasObject {
	f.filling = true
	defer func() { f.filling = false }()
	f.name = widget.NewEntry()
	f.name.SetText(f.wish.Name)
	f.name.OnChanged = func(text string) {
		f.wish.Name = text
		f.changed()
	}
	items := []*fynewidget.FormItem{fynewidget.NewFormItem("Name", f.name)}
	items = append(items, f.menus()...)
	items = append(items, f.entries()...)
	f.note = fynewidget.NewLabel("")
	f.note.Wrapping = fyne.TextWrapWord
	f.facts = fynewidget.NewLabel("")
	f.facts.Wrapping = fyne.TextWrapWord
	f.chart = widget.NewChart()
	facts := container.NewVScroll(f.facts)
	facts.SetMinSize(fyne.NewSize(0, factsHeight*widget.Grown()))
	right := container.NewBorder(nil, facts, nil, nil, f.chart)
	split := container.NewHSplit(container.NewVScroll(fynewidget.NewForm(items...)), right)
	split.Offset = 0.5
	f.body = container.NewBorder(nil, f.note, nil, nil, split)
	return f.body
}

// factsHeight is the room for the numbers below the histogram.
const factsHeight = 140

// menus are the suites, the ontology and the method.
func (f *form) menus() []*fynewidget.FormItem {
	pick := func(into *string) *widget.Picker {
		return widget.NewPicker(func(key string) {
			*into = key
			f.changed()
		})
	}
	f.masks, f.ontology = pick(&f.wish.Masks), pick(&f.wish.Ontology)
	ruledOutOf := f.wish.Backgrounds
	f.grounds = widget.NewPicker(func(hash string) {
		f.wish.Backgrounds = hash
		if hash != ruledOutOf { // vetoes are numbers of images
			f.vetoed.SetChecked(false)
		}
		widget.Enable(f.vetoed, hash == ruledOutOf)
		f.changed()
	})
	f.targets = widget.NewPicker(func(hash string) {
		f.wish.Targets, f.wish.Masks = hash, newest(f.offer.Masks[hash])
		f.offerMasks()
		f.changed()
	})
	f.method = widget.NewPicker(func(key string) {
		f.wish.Method = background.Method(key)
		f.changed()
	})
	var targets, grounds []widget.Option
	names, hashes := dialogs.SuiteNames(f.offer.Suites)
	for _, name := range names {
		option := widget.Option{Key: hashes[name], Name: name}
		if len(f.offer.Masks[hashes[name]]) > 0 {
			targets = append(targets, option)
		}
		grounds = append(grounds, option)
	}
	f.targets.Offer(targets, f.wish.Targets)
	f.grounds.Offer(grounds, f.wish.Backgrounds)
	f.ontology.Offer(f.offer.ontologies(), f.wish.Ontology)
	f.offerMasks()
	var methods []widget.Option
	for _, m := range background.Methods() {
		methods = append(methods, widget.Option{Key: string(m), Name: MethodName(m)})
	}
	f.method.Offer(methods, string(f.wish.Method))
	return []*fynewidget.FormItem{
		fynewidget.NewFormItem("Targets", f.targets.Select), fynewidget.NewFormItem("Masks", f.masks.Select),
		fynewidget.NewFormItem("Backgrounds", f.grounds.Select), fynewidget.NewFormItem("Ontology", f.ontology.Select),
		fynewidget.NewFormItem("Choose by", f.method.Select),
	}
}

// offerMasks fills the menu of masks of the targets, the newest first.
func (f *form) offerMasks() {
	var list []widget.Option
	sets := f.offer.Masks[f.wish.Targets]
	for k := len(sets) - 1; k >= 0; k-- {
		name := sets[k].Made
		switch {
		case name == "files" && sets[k].Inside != "":
			name = "files in the workspace"
		case name == "files":
			name = fmt.Sprintf("files in %s", sets[k].Root)
		}
		list = append(list, widget.Option{Key: sets[k].Hash, Name: name})
	}
	f.masks.Offer(list, f.wish.Masks)
}

// entries are the numbers.
func (f *form) entries() []*fynewidget.FormItem {
	number := func(into *string) *widget.Entry {
		e := widget.NewEntry()
		e.SetText(*into)
		e.OnChanged = func(text string) {
			*into = text
			f.changed()
		}
		return e
	}
	f.jitter = fynewidget.NewCheck("draw among the nearest", func(on bool) {
		f.wish.Jitter = on
		f.changed()
	})
	f.jitter.Checked = f.wish.Jitter
	f.vetoed = fynewidget.NewCheck(fmt.Sprintf("leave out %s", result.Counted(len(f.ruledOut), "vetoed background")), func(on bool) {
		if f.wish.Vetoed = nil; on {
			f.wish.Vetoed = f.ruledOut
		}
		f.changed()
	})
	f.vetoed.Checked = len(f.ruledOut) > 0
	f.align = widget.NewPicker(func(key string) {
		f.wish.Align = background.Alignment(key)
		f.changed()
	})
	var places []widget.Option
	for _, a := range alignments() {
		places = append(places, widget.Option{Key: string(a), Name: AlignName(a)})
	}
	f.align.Offer(places, string(f.wish.Align))
	f.numbers = map[string]*widget.Entry{
		"n": number(&f.wish.N), "seed": number(&f.wish.Seed), "keywords": number(&f.wish.MinKeywords), "levels": number(&f.wish.Levels),
		"feather": number(&f.wish.Feather),
	}
	pair := func(a fyne.CanvasObject, word string, b fyne.CanvasObject) fyne.CanvasObject {
		return container.NewGridWithColumns(2, a, container.NewBorder(nil, nil, fynewidget.NewLabel(word), nil, b))
	}
	items := []*fynewidget.FormItem{
		fynewidget.NewFormItem("Scenes per target", pair(f.numbers["n"], "seed", f.numbers["seed"])),
		fynewidget.NewFormItem("", f.jitter),
		fynewidget.NewFormItem("Expand to", pair(f.numbers["keywords"], "keywords, levels", f.numbers["levels"])),
		fynewidget.NewFormItem("Feather in pixels", f.numbers["feather"]),
		fynewidget.NewFormItem("Foreground", f.align.Select),
	}
	if len(f.ruledOut) > 0 {
		items = append(items, fynewidget.NewFormItem("Vetoed", f.vetoed))
	}
	return items
}

// changed says what is wrong, or has the preview made of what is asked for.
func (f *form) changed() {
	if f.filling {
		return
	}
	widget.Enable(f.jitter, f.wish.jitters())
	ask, err := f.wish.ask(f.offer)
	if err != nil {
		f.stop()
		f.asked, f.plan, f.wrong = nil, nil, err
	} else if f.asked == nil || !reflect.DeepEqual(*f.asked, ask) {
		f.preview(ask)
	}
	if err == nil {
		f.name.SetPlaceHolder(nameOf(ask, f.offer.Selections))
	}
	f.show()
}

// stop ends the preview under way.
func (f *form) stop() {
	f.latest.Next()
	if f.cancel != nil {
		f.cancel()
		f.cancel = nil
	}
}

// preview chooses scenes without keeping them; what is asked for later ends it.
func (f *form) preview(ask scenes.Ask) {
	f.stop()
	f.asked, f.plan, f.wrong = &ask, nil, nil
	ended, cancel := context.WithCancel(context.Background())
	f.cancel = cancel
	ws := f.p.deps.Workspace
	quiet.Load(f.p.Work, &f.latest, "preview of testing scenes", func(ctx context.Context) (outlook, error) {
		ctx, end := context.WithCancel(ctx)
		defer end()
		defer context.AfterFunc(ended, end)()
		return look(ctx, ws, ask)
	}, func(o outlook, err error) {
		if err == nil {
			f.plan = &o.plan
			f.chart.SetData(o.chart)
			f.facts.SetText(o.facts)
		} else if !errors.Is(err, quiet.ErrClosed) {
			f.wrong = err
		}
		f.show()
	})
}

// show says what is wrong, or what would be made.
func (f *form) show() {
	f.note.Importance = fynewidget.MediumImportance
	var taken error
	if f.asked != nil {
		_, taken = f.wish.named(*f.asked, f.offer)
	}
	text := ""
	switch {
	case f.wrong != nil:
		f.note.Importance, text = fynewidget.WarningImportance, present.Sentence(f.wrong)
	case taken != nil:
		f.note.Importance, text = fynewidget.WarningImportance, present.Sentence(taken)
	case f.plan == nil:
		text = "Choosing…"
	default:
		text = planText(*f.plan)
	}
	f.note.SetText(text)
	f.body.Refresh() // it may have more lines or fewer
	widget.Enable(f.create, f.plan != nil && taken == nil)
}
