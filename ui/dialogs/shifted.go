package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/corrupted"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// shiftAsk is what the dialog of shifted suites asks for: corruptions, and one padded translation.
type shiftAsk struct {
	Suite string `label:"Test suite" help:"The suite whose images are changed." source:"suites"`
	derive.Options
	Padded  bool  `label:"padded translation" help:"Shift images to the middles of n × n regions, a suite for each region."`
	N       int   `label:"n × n, n =" help:"Regions along each side of an image." enum:"2,3,4,5,6,7,8,9,10,11,12,13,14,15,16" default:"3" when:"padded"`
	T       int   `label:"t =" help:"The larger, the less an image is moved and made smaller." default:"5" min:"1" max:"1000" when:"padded"`
	Regions []int `help:"Numbers of the regions, row by row from the upper left." placeholder:"all; or 1, 3, 7" min:"1" when:"padded"`
}

// Check implements the check of options.
func (o *shiftAsk) Check() error {
	if len(o.Regions) > 0 && slices.Max(o.Regions) > o.N*o.N {
		return option.Errorf("{regions} takes numbers from 1 to %d", o.N*o.N)
	}
	return nil
}

// meant are the options of the command: without severities nothing is corrupted.
func (o shiftAsk) meant() derive.Options {
	meant := o.Options
	switch len(o.Severity) {
	case 0:
		meant.Corruption = nil
	case corrupt.Severities:
		meant.Severity = nil
	}
	if len(meant.Corruption) == 0 {
		meant = derive.Options{Seed: 1}
	}
	if o.Padded {
		text := fmt.Sprintf("%d:%d", o.N, o.T)
		for k, region := range slices.Sorted(slices.Values(o.Regions)) {
			sep := ","
			if k == 0 {
				sep = ":"
			}
			text += sep + strconv.Itoa(region)
		}
		meant.Shift = []string{text}
	}
	return meant
}

// changes are all corruptions in all severities, then the shifts.
func (o shiftAsk) changes() []derive.Change {
	meant := o.meant()
	changes, _ := meant.Changes() // the form has only names and numbers that there are
	return changes
}

// ShiftDialog makes shifted suites of one: it asks for corruptions and severities, and for regions
// that padded translation shifts images to, shows what they do to some images, and adds suites
// that are computed as they are read, or saves the images. Version is the program's, for what is
// saved.
func ShiftDialog(host *kit.Host, ws *store.Workspace, version string) {
	d := &shiftDialog{host: host, ws: ws, version: version, there: map[string]bool{}}
	host.Quietly("shifted suites dialog", func() error {
		facts, err := gather(ws)
		d.first = facts.current.Suite
		for _, m := range facts.suites {
			d.there[m.Hash] = true
			switch {
			case m.Derived == nil:
				d.bases = append(d.bases, m)
			case m.Hash == facts.current.Suite:
				d.first = m.Derived.Of
			}
		}
		if err == nil && len(d.bases) == 0 {
			err = errors.New("there is no test suite to shift; import one first")
		}
		return err
	}, d.open)
}

type shiftDialog struct {
	host    *kit.Host
	ws      *store.Workspace
	version string
	bases   []suite.Manifest // without labels and files
	first   string           // hash of the suite that is chosen first
	there   map[string]bool  // hashes of all suites
	ask     *kit.Ask[shiftAsk]
	preview *shiftPreview
	ticked  []string // names of what is chosen: corruptions, then transform.ShiftSet
	at      bool     // all are chosen at once, and what is shown stays
}

func (d *shiftDialog) open() {
	form := &kit.Form[shiftAsk]{
		Host: d.host, OnChange: d.changed,
		Ticks: map[string]func() []kit.Option{
			"corruption": func() []kit.Option { return named(corrupt.Names(), derive.Title) },
			"severity":   func() []kit.Option { return own.ByName("1", "2", "3", "4", "5") },
		},
		Choices: func(string) ([]kit.Option, string) { return SuiteOptions(d.bases), d.first },
		Command: func(o shiftAsk) ([]string, any) {
			return []string{"variscope", "corrupt", d.ws.Path()}, &struct {
				Suite string `help:"Suite."`
				derive.Options
			}{suiteNamed(d.bases, o.Suite), o.meant()}
		},
	}
	all := func(names []string, padded bool) func() {
		return func() {
			d.at = true
			put(form, "corruption", strings.Join(names, "\n"))
			put(form, "padded", strconv.FormatBool(padded))
			d.at = false
		}
	}
	d.preview = newShiftPreview(d.host, d.ws, form.Options)
	d.ask = &kit.Ask[shiftAsk]{
		Title: "Shifted suites", Size: fyne.NewSize(1180, 640), Form: form, Beside: d.preview.object, Says: d.summary,
		Job: "Add suites", Stopped: "It was cancelled; suites that were added stay.", Run: d.derive,
		Above: container.NewHBox(widget.NewButton("All", all(corrupt.Names(), true)),
			widget.NewButton("None", all(nil, false))),
		More:  []kit.Button[shiftAsk]{{Text: "Save images…", Do: d.askFiles}},
		Start: func(f *kit.Form[shiftAsk]) { put(f, "severity", "1,2,3,4,5") },
		Ready: func(o shiftAsk) (string, bool) { return "Add", d.known(o) < len(o.changes()) },
	}
	d.ask.Open()
}

// changed shows what was chosen last.
func (d *shiftDialog) changed(o shiftAsk) {
	before := d.ticked
	d.ticked = o.Corruption
	if o.Padded {
		d.ticked = append(slices.Clone(d.ticked), transform.ShiftSet)
	}
	for k, name := range previewChoices() {
		if !d.at && slices.Contains(d.ticked, name) != slices.Contains(before, name) {
			d.preview.menu.SetSelectedIndex(k)
		}
	}
	d.preview.look()
}

// known counts the suites that are there already.
func (d *shiftDialog) known(o shiftAsk) (known int) {
	for _, c := range o.changes() {
		if d.there[suiteOf(d.bases, o.Suite).Derive(c.String(), "").Hash] {
			known++
		}
	}
	return known
}

// summary says what is made; the error, that nothing is.
func (d *shiftDialog) summary(o shiftAsk) (string, error) {
	changes, known := len(o.changes()), d.known(o)
	if changes == 0 {
		return "", errors.New("choose at least one corruption and one severity, or padded translation")
	}
	text := present.ByCount(changes, "%d suite of %s with the same classes, computed as it is read.",
		"%d suites of %s with the same classes, computed as they are read.", changes,
		result.Counted(suiteOf(d.bases, o.Suite).Images, "image"))
	if known > 0 {
		text += " " + present.ByCount(known, "%d of them is there already.", "%d of them are there already.", known)
	}
	return text, nil
}

// derive adds the suites.
func (d *shiftDialog) derive(ctx context.Context, o shiftAsk, p *jobs.Progress) (came kit.Done, err error) {
	changes, added := o.changes(), 0
	p.SetTotal(int64(len(changes)))
	for _, c := range changes {
		if err := ctx.Err(); err != nil {
			return came, err
		}
		m, err := d.ws.DeriveSuite(o.Suite, c, "")
		if err != nil {
			return came, err
		}
		if !d.there[m.Hash] {
			added++
		}
		p.Add(1)
	}
	came.Said = present.ByCount(added, "Added %d shifted suite; it can be chosen wherever a suite can.",
		"Added %d shifted suites; they can be chosen wherever a suite can.", added)
	return came, nil
}

// askFiles asks where the images are saved.
func (d *shiftDialog) askFiles(sheet *kit.Dialog, o shiftAsk) {
	changes, shifts := o.changes(), 0
	hide := []string{"frost"}
	for _, c := range changes {
		if kind, _ := c.Kind(); kind == "frost" {
			hide = nil
		}
		if _, ok := c.(derive.Shift); ok {
			shifts++
		}
	}
	ending, values := "-corrupted", "cut to 8 bits as those of published data."
	if shifts == len(changes) {
		ending, values = "-shifted", "rounded to 8 bits."
	}
	images := result.Counted(suiteOf(d.bases, o.Suite).Images, "image")
	text := present.ByCount(len(changes), "%d folder of %s is written, for other programs: values are %s",
		"%d folders of %s each are written, for other programs: values are %s", len(changes), images, values)
	if shifts > 0 && shifts < len(changes) {
		text += " Those of padded translation are rounded."
	}
	(&kit.Ask[corrupted.Files]{
		In: sheet, Back: d.ask.Again, Button: "Save", Below: own.Wrapped(text),
		Form:  &kit.Form[corrupted.Files]{Host: d.host, Hide: hide},
		Start: func(f *kit.Form[corrupted.Files]) { put(f, "out", beside(d.ws.Path(), d.ws.Name()+ending)) },
		Ready: func(files corrupted.Files) (string, bool) { return "Save", files.Out != "" },
		Job:   "Save shifted images", Stopped: "Saving was cancelled; the folders that are complete are there.",
		Run: func(ctx context.Context, files corrupted.Files, p *jobs.Progress) (kit.Done, error) {
			return d.save(ctx, o, files, p)
		},
	}).Open()
}

func (d *shiftDialog) save(ctx context.Context, of shiftAsk, files corrupted.Files, p *jobs.Progress,
) (came kit.Done, err error) {
	o := corrupted.Options{
		Changes: of.changes(), Version: d.version, Out: files.Out, Format: corrupted.Format(files.Format),
	}
	if files.Frost != "" {
		if o.Frost, err = corrupted.Photographs(ctx, files.Frost); err != nil {
			return came, err
		}
	}
	s, err := d.ws.OpenSuiteContext(ctx, of.Suite)
	if err != nil {
		return came, err
	}
	done, err := corrupted.Write(ctx, s, o, p)
	if len(done) > 0 {
		lines := make([]string, len(done))
		for i, w := range done {
			lines[i] = fmt.Sprintf("%s: %s%s", filepath.Base(w.Folder), result.Counted(w.Images, "image"),
				alreadyThere(w.There))
		}
		title := "Saved " + result.Counted(len(done), "folder")
		came = kit.Done{
			Said: title + " in " + files.Out, Title: title, Text: strings.Join(lines, "\n"), Paths: []string{files.Out},
		}
	}
	return came, errors.Join(err, s.Close())
}
