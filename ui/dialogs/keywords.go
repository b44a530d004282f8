package dialogs

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	bg "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// KeywordsDialog makes a keyword table: two networks look at the images of two suites, or a file
// that was made elsewhere is read. done gets the table, whether the dialog is still open or not.
// rt may be nil: only files can be read then.
func KeywordsDialog(host *kit.Host, ws *store.Workspace, rt engine.Runtime, done func(store.KeywordTable)) {
	d := &keywordsDialog{host: host, ws: ws, rt: rt, done: done, masks: map[string][]store.MaskSet{}}
	host.Work.Quiet("keywords dialog", func(context.Context) error { return d.gather() }, func(err error) {
		if err != nil {
			host.Fail(err)
			return
		}
		d.open()
	})
}

// noMasks stands for a choice of no masks.
const noMasks = "none"

type keywordsDialog struct {
	host   *kit.Host
	ws     *store.Workspace
	rt     engine.Runtime
	done   func(store.KeywordTable)
	suites []suite.Manifest           // not made from others
	masks  map[string][]store.MaskSet // by suite, newest first
	latest background.Latest          // look at the files
	asked  KeywordForm                // what was looked at last

	sheet                *kit.Dialog
	way                  *widget.RadioGroup
	segmentation, scene  *widget.Entry
	elements, scenes     *widget.Entry
	file, name           *widget.Entry
	targets, backgrounds *suiteMenu
	mask                 *own.Picker
	chosenMask           string // hash, or noMasks
	masksOf              string // the suite that it was chosen for
	summary              *widget.Label
	start                *widget.Button
	networks, table      fyne.CanvasObject
	form                 fyne.CanvasObject
}

// gather reads what can be chosen.
func (d *keywordsDialog) gather() error {
	list, err := d.ws.Suites()
	if err != nil {
		return err
	}
	for _, m := range list {
		if m.Derived != nil {
			continue
		}
		d.suites = append(d.suites, m)
		sets, err := d.ws.MaskSets(m.Hash)
		if err != nil {
			return err
		}
		for _, set := range sets {
			d.masks[m.Hash] = append([]store.MaskSet{set}, d.masks[m.Hash]...)
		}
	}
	return nil
}

func (d *keywordsDialog) open() {
	d.sheet = d.host.NewDialog("Read keywords", fyne.NewSize(720, 520))
	d.summary = widget.NewLabel("")
	d.summary.Wrapping = fyne.TextWrapWord
	d.start = widget.NewButton("Read", d.read)
	d.start.Importance = widget.HighImportance
	d.way = widget.NewRadioGroup([]string{"by two networks", "from a table that was made elsewhere"}, func(string) { d.changed() })
	d.way.Horizontal, d.way.Required = true, true
	for _, entry := range []**widget.Entry{&d.segmentation, &d.scene, &d.elements, &d.scenes, &d.file, &d.name} {
		*entry = widget.NewEntry()
		(*entry).OnChanged = func(string) { d.changed() }
	}
	d.targets = newSuiteMenu(d.suites, d.suiteWith(true), d.changed)
	d.backgrounds = newSuiteMenu(d.suites, d.suiteWith(false), d.changed)
	d.mask = own.NewPicker(func(key string) {
		d.chosenMask = key
		d.changed()
	})
	d.networks, d.table = d.networkRows(), widget.NewForm(widget.NewFormItem("Keyword table", d.host.FileRow(d.file, ".csv")))
	name := widget.NewForm(widget.NewFormItem("Name", d.name))
	d.form = container.NewBorder(d.way, d.summary, nil, nil, container.NewVScroll(container.NewVBox(d.networks, d.table, name)))
	if d.way.SetSelected(d.way.Options[0]); d.rt == nil || len(d.suites) < 2 {
		d.way.SetSelected(d.way.Options[1])
	}
	d.ready()
	d.sheet.Present(nil)
	d.changed()
}

// networkRows ask for the networks and what they look at.
func (d *keywordsDialog) networkRows() fyne.CanvasObject {
	for _, entry := range []*widget.Entry{d.elements, d.scenes} {
		entry.SetPlaceHolder("one per line; none: the names that the network's file has")
	}
	return widget.NewForm(
		widget.NewFormItem("Segmentation network", d.host.FileRow(d.segmentation, ".onnx")),
		widget.NewFormItem("Names of its elements", d.host.FileRow(d.elements, ".txt", ".csv")),
		widget.NewFormItem("Scene network", d.host.FileRow(d.scene, ".onnx")),
		widget.NewFormItem("Names of its scenes", d.host.FileRow(d.scenes, ".txt", ".csv")),
		widget.NewFormItem("Targets", d.targets.menu),
		widget.NewFormItem("Their masks", d.mask.Select),
		widget.NewFormItem("Backgrounds", d.backgrounds.menu),
	)
}

// suiteWith is the newest suite with masks, or the newest one without masks and labels; "" where
// there is none.
func (d *keywordsDialog) suiteWith(masks bool) string {
	found := ""
	for _, m := range d.suites {
		if has := len(d.masks[m.Hash]) > 0; has == masks && (masks || len(m.Classes) == 0) {
			found = m.Hash
		}
	}
	return found
}

// ready shows the form.
func (d *keywordsDialog) ready() {
	d.sheet.Show(d.form, d.sheet.CloseButton("Cancel"), d.start)
	d.sheet.Drop = d.dropped
}

// dropped takes files by their endings: a table, networks in the order segmentation, scene, and
// lists of names.
func (d *keywordsDialog) dropped(paths []string) {
	for _, path := range paths {
		networks := d.way.Selected == d.way.Options[0]
		switch ending := strings.ToLower(filepath.Ext(path)); {
		case ending == ".csv" && !networks:
			d.file.SetText(path)
		case ending == ".onnx" && networks:
			intoFirst(path, d.segmentation, d.scene)
		case ending == ".txt" && networks:
			intoFirst(path, d.elements, d.scenes)
		}
	}
}

// intoFirst puts a text into the first empty entry, else into the last.
func intoFirst(text string, first, second *widget.Entry) {
	if first.Text == "" {
		first.SetText(text)
		return
	}
	second.SetText(text)
}

// values are what the form says.
func (d *keywordsDialog) values() KeywordForm {
	path := func(e *widget.Entry) string { return kit.Path(e.Text) }
	masks := d.chosenMask
	if masks == noMasks {
		masks = ""
	}
	return KeywordForm{
		Networks: d.way.Selected == d.way.Options[0], Segmentation: path(d.segmentation), Scene: path(d.scene), Elements: path(d.elements),
		Scenes: path(d.scenes), Targets: d.targets.hash(), Backgrounds: d.backgrounds.hash(), Masks: masks, File: path(d.file), Name: d.name.Text,
	}
}

// changed looks at the files and says what is in them, or what is missing or wrong.
func (d *keywordsDialog) changed() {
	if d.form == nil {
		return
	}
	d.offerMasks()
	f := d.values()
	visible(d.networks, f.Networks)
	visible(d.table, !f.Networks)
	d.name.SetPlaceHolder(f.title())
	f.Name = "" // what is looked at does not depend on it
	if f == d.asked {
		return
	}
	d.asked = f
	own.Enable(d.start, false)
	if f.Networks && d.rt == nil {
		d.latest.Next()
		d.say(sentence(engine.ErrNoRuntime), true)
		return
	}
	if text := f.missing(); text != "" {
		d.latest.Next()
		d.say(text, false)
		return
	}
	d.say("looking at the files …", false)
	background.Load(d.host.Work, &d.latest, "look at keyword files", func(context.Context) (string, error) { return f.look(d.rt) },
		func(facts string, err error) {
			if err != nil {
				d.say(sentence(err), true)
				return
			}
			if f.Networks && f.Masks == "" {
				facts += " " + "Without masks the pixels of the foregrounds are counted, too."
			}
			d.say(facts, false)
			own.Enable(d.start, true)
		})
}

// offerMasks offers the mask sets of the chosen targets, the newest unless another one was chosen.
func (d *keywordsDialog) offerMasks() {
	sets := d.masks[d.targets.hash()]
	list, there := []own.Option{}, d.chosenMask == noMasks && d.masksOf == d.targets.hash()
	d.masksOf = d.targets.hash()
	for _, set := range sets {
		list = append(list, own.Option{Key: set.Hash, Name: maskTitle(set)})
		there = there || set.Hash == d.chosenMask
	}
	if !there {
		d.chosenMask = noMasks
		if len(sets) > 0 {
			d.chosenMask = sets[0].Hash
		}
	}
	d.mask.Offer(append(list, own.Option{Key: noMasks, Name: "none: foregrounds are counted, too"}), d.chosenMask)
}

func visible(o fyne.CanvasObject, on bool) {
	if on {
		o.Show()
	} else {
		o.Hide()
	}
}

func (d *keywordsDialog) say(text string, warn bool) {
	d.summary.Importance = widget.MediumImportance
	if warn {
		d.summary.Importance = widget.WarningImportance
	}
	d.summary.SetText(text)
}

// made is a table that was made.
type made struct {
	record     store.KeywordTable
	facts      string
	rows, kept int // kept of them were there before
}

// read makes the table.
func (d *keywordsDialog) read() {
	f := d.values()
	var record store.KeywordTable
	var table bg.Table
	var kept atomic.Int64
	facts := ""
	d.sheet.Work("Read keywords", func(ctx context.Context, p *background.Progress) (err error) {
		if f.Networks {
			record, table, err = d.understand(ctx, f, &kept, p)
		} else {
			record, table, err = f.add(d.ws)
		}
		facts = tableFacts(table)
		return err
	}, func(err error) { d.ended(f, made{record, facts, len(table.Rows), int(kept.Load())}, err) })
}

// understand has the networks look at the images.
func (d *keywordsDialog) understand(ctx context.Context, f KeywordForm, kept *atomic.Int64, p *background.Progress) (record store.KeywordTable, table bg.Table, err error) {
	n, err := f.networks()
	if err != nil {
		return record, table, err
	}
	n.Kept = kept
	targets, err := d.ws.Suite(f.Targets)
	if err != nil {
		return record, table, err
	}
	backgrounds, err := d.ws.Suite(f.Backgrounds)
	if err != nil {
		return record, table, err
	}
	var masks *scenes.Masks
	if f.Masks != "" {
		set, err := d.ws.MaskSet(f.Masks)
		if err != nil {
			return record, table, err
		}
		if masks, err = scenes.OpenMasks(ctx, d.ws, set); err != nil {
			return record, table, err
		}
	}
	if table, err = scenes.Understand(ctx, d.ws, d.rt, n, targets, backgrounds, masks, p); err != nil {
		return record, table, err
	}
	record, err = d.ws.AddKeywords(f.title(), filepath.Base(n.Segmentation)+" and "+filepath.Base(n.Scene), table)
	return record, table, err
}

// ended says what was read, or goes back to the form with what was wrong.
func (d *keywordsDialog) ended(f KeywordForm, m made, err error) {
	switch {
	case err == nil:
		d.host.Say(fmt.Sprintf("read %s: %s", m.record.Name, m.facts))
		d.done(m.record)
	case d.sheet.Closed() && !cancelled(err):
		d.host.Fail(err)
		return
	}
	if d.sheet.Closed() {
		return
	}
	switch {
	case cancelled(err):
		d.ready()
		d.say("It was stopped. What was computed is kept: read again, and it goes on from there.", true)
	case err != nil:
		d.ready()
		d.say(sentence(err), true)
	default:
		d.sheet.Show(titled(m.record.Name, wrapped(m.report(f))), d.sheet.CloseButton("Close"))
	}
}

// report says what the table holds and how much of it was there before.
func (m made) report(f KeywordForm) string {
	lines := []string{m.facts}
	if f.Networks {
		lines = append(lines, fmt.Sprintf("Computed now: %s; from before: %s.", present.Counted(int64(m.rows-m.kept), "image"),
			present.Counted(int64(m.kept), "image")))
	}
	if m.record.Name != f.title() {
		lines = append(lines, fmt.Sprintf("The workspace had a table with the same content already, called %s.", m.record.Name))
	}
	return strings.Join(append(lines, "Next: look through the images, then make an ontology."), "\n")
}
