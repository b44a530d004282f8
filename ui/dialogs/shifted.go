package dialogs

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// ShiftDialog makes shifted suites of one: it asks for corruptions and severities, and for regions
// that padded translation shifts images to, shows what they do to some images, and adds suites
// that are computed as they are read, or saves the images. Version is the program's, for what is
// saved.
func ShiftDialog(host *kit.Host, ws *store.Workspace, version string) {
	var facts runFacts
	host.Work.Quiet("shifted suites dialog", func(context.Context) (err error) {
		facts, err = gather(ws)
		return err
	}, func(err error) {
		if err != nil {
			host.Fail(err)
			return
		}
		d := &shiftDialog{host: host, ws: ws, version: version, there: map[string]bool{}}
		for _, m := range facts.suites {
			d.there[m.Hash] = true
			if m.Derived == nil {
				d.bases = append(d.bases, m)
			}
		}
		if len(d.bases) == 0 {
			host.Fail(errors.New("there is no test suite to shift; import one first"))
			return
		}
		d.open(facts.current.Suite)
	})
}

type shiftDialog struct {
	host       *kit.Host
	ws         *store.Workspace
	version    string
	bases      []suite.Manifest // without labels and files
	there      map[string]bool  // hashes of all suites
	sheet      *kit.Dialog
	suites     *suiteMenu
	seed       *widget.Entry
	truncate   *widget.Check
	names      []*widget.Check // in the order of corrupt.Names
	severities [corrupt.Severities]*widget.Check
	shift      *shiftFields
	preview    *shiftPreview
	summary    *widget.Label
	save, add  *widget.Button
	form       fyne.CanvasObject
}

func (d *shiftDialog) open(current string) {
	d.sheet = d.host.NewDialog("Shifted suites", fyne.NewSize(1060, 640))
	d.summary = widget.NewLabel("")
	d.summary.Wrapping = fyne.TextWrapWord
	d.save = widget.NewButton("Save images…", d.askFiles)
	d.add = widget.NewButton("Add", d.derive)
	d.add.Importance = widget.HighImportance
	d.preview = newShiftPreview(d.host, d.ws, func() previewAsk { return d.ask() })
	d.suites = newSuiteMenu(d.bases, d.baseOf(current), d.changed)
	if d.suites.hash() == "" {
		d.suites.menu.SetSelectedIndex(0)
	}
	d.seed, d.truncate = widget.NewEntry(), widget.NewCheck("8 bits, as published data", nil)
	d.seed.SetText("1")
	d.seed.OnChanged = func(string) { d.changed() }
	d.truncate.OnChanged = func(bool) { d.changed() }
	d.shift = newShiftFields(d.changed)
	left := container.NewBorder(d.choices(), d.shift.object, nil, nil, container.NewVScroll(d.list()))
	d.form = container.NewBorder(nil, d.summary, nil, nil, newColumns(left, d.preview.object))
	d.ready()
	d.sheet.Present(nil)
	d.changed()
}

// baseOf is the suite that is chosen first: the current one, or the one that it is made from.
func (d *shiftDialog) baseOf(current string) string {
	for _, m := range d.bases {
		if m.Hash == current {
			return current
		}
	}
	if m, err := d.ws.Suite(current); err == nil && m.Derived != nil {
		return m.Derived.Of
	}
	return ""
}

// ready shows the form, at first and after the way back from saving.
func (d *shiftDialog) ready() {
	d.sheet.Show(d.form, d.sheet.CloseButton("Cancel"), d.save, d.add)
}

func (d *shiftDialog) choices() fyne.CanvasObject {
	severities := container.NewHBox()
	for k := range d.severities {
		d.severities[k] = widget.NewCheck(strconv.Itoa(k+1), nil)
		d.severities[k].SetChecked(true)
		d.severities[k].OnChanged = func(bool) { d.changed() }
		severities.Add(d.severities[k])
	}
	all := widget.NewButton("All", func() { d.checkAll(true) })
	none := widget.NewButton("None", func() { d.checkAll(false) })
	return container.NewVBox(
		widget.NewForm(
			widget.NewFormItem("Test suite", d.suites.menu),
			widget.NewFormItem("Severities", severities),
			widget.NewFormItem("Seed", d.seed),
			widget.NewFormItem("", d.truncate),
			widget.NewFormItem("Changes", container.NewHBox(all, none)),
		),
	)
}

// list has a check for every corruption and one for padded translation; one that is touched is
// shown.
func (d *shiftDialog) list() fyne.CanvasObject {
	rows := container.NewGridWithRows((len(corrupt.Names()) + 2) / 2)
	for _, name := range corrupt.Names() {
		check := widget.NewCheck(derive.Title(name), nil)
		check.OnChanged = func(bool) {
			d.preview.choose(name)
			d.changed()
		}
		d.names = append(d.names, check)
		rows.Add(check)
	}
	d.shift.on.OnChanged = func(on bool) {
		d.shift.show(on)
		d.preview.choose(transform.ShiftSet)
		d.changed()
	}
	rows.Add(d.shift.on)
	return rows
}

// checkAll sets all corruptions and the shift at once and leaves what is shown.
func (d *shiftDialog) checkAll(on bool) {
	for _, check := range append(slices.Clone(d.names), d.shift.on) {
		check.Checked = on
		check.Refresh()
	}
	d.shift.show(on)
	d.changed()
}

func (d *shiftDialog) values() ShiftForm {
	f := ShiftForm{Seed: d.seed.Text, Truncate: d.truncate.Checked}
	for k, name := range corrupt.Names() {
		if d.names[k].Checked {
			f.Corruptions = append(f.Corruptions, name)
		}
	}
	for k, check := range d.severities {
		if check.Checked {
			f.Severities = append(f.Severities, k+1)
		}
	}
	d.shift.into(&f)
	return f
}

// ask is what the preview is of; the seed of one that is half written is 1.
func (d *shiftDialog) ask() previewAsk {
	seed, err := strconv.ParseUint(strings.TrimSpace(d.seed.Text), 10, 64)
	if err != nil {
		seed = 1
	}
	ask := previewAsk{suite: d.suites.hash(), seed: seed, truncate: d.truncate.Checked}
	ask.n, ask.t = d.shift.preview()
	return ask
}

// changed says what would be made and shows it.
func (d *shiftDialog) changed() {
	if d.form == nil {
		return
	}
	changes, err := d.values().Changes()
	known := d.known(changes)
	d.summary.Importance = widget.MediumImportance
	if err != nil {
		d.summary.Importance = widget.WarningImportance
		d.summary.SetText(sentence(err))
	} else {
		d.summary.SetText(d.summaryOf(len(changes), known))
	}
	own.Enable(d.save, len(changes) > 0)
	own.Enable(d.add, known < len(changes))
	d.preview.show()
}

// base is the chosen suite, without labels and files. One is always chosen.
func (d *shiftDialog) base() suite.Manifest {
	at := slices.IndexFunc(d.bases, func(m suite.Manifest) bool { return m.Hash == d.suites.hash() })
	return d.bases[max(0, at)]
}

// known counts the suites that are there already.
func (d *shiftDialog) known(changes []derive.Change) int {
	known, base := 0, d.base()
	for _, c := range changes {
		if d.there[base.Derive(c.String(), "").Hash] {
			known++
		}
	}
	return known
}

// summaryOf says what is made.
func (d *shiftDialog) summaryOf(changes, known int) string {
	if changes == 0 {
		return "Choose at least one corruption and one severity, or padded translation."
	}
	text := present.ByCount(changes, "%d suite of %s with the same classes, computed as it is read.",
		"%d suites of %s with the same classes, computed as they are read.", changes, present.Counted(int64(d.base().Images), "image"))
	if known > 0 {
		text += " " + present.ByCount(known, "%d of them is there already.", "%d of them are there already.", known)
	}
	return text
}

// derive adds the suites.
func (d *shiftDialog) derive() {
	changes, err := d.values().Changes()
	if err != nil {
		d.host.Fail(err)
		return
	}
	of, added := d.suites.hash(), 0
	d.sheet.Work("Add suites", func(ctx context.Context, p *background.Progress) (err error) {
		added, err = deriveAll(ctx, d.ws, d.there, of, changes, p)
		return err
	}, func(err error) {
		d.sheet.Close()
		text := present.ByCount(added, "Added %d shifted suite; it can be chosen wherever a suite can.", "Added %d shifted suites; they can be chosen wherever a suite can.", added)
		switch {
		case err != nil && !errors.Is(err, context.Canceled):
			d.host.Fail(err)
		case added == 0:
			d.host.Say("No suite was added.")
		default:
			d.host.Say(text)
		}
	})
}
