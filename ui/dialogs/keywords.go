package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	bg "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
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
	ask    *kit.Ask[keywordAsk]
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
	form := &kit.Form[keywordAsk]{Host: d.host, Choices: d.choices, Named: func(_, choice string) string {
		return map[string]string{"networks": "by two networks", "table": "from a table that was made elsewhere"}[choice]
	}}
	of := ""
	form.OnChange = func(f keywordAsk) {
		if f.Targets == of {
			return
		}
		of = f.Targets
		newest := noMasks
		if sets := d.masks[of]; len(sets) > 0 {
			newest = sets[0].Hash
		}
		put(form, "mask-set", newest)
	}
	form.Command = func(f keywordAsk) ([]string, any) {
		o := &struct {
			bg.KeywordOptions
			bg.TableName
		}{TableName: f.TableName}
		switch sets := d.masks[f.Targets]; {
		case !f.networks():
			o.KeywordFile = f.KeywordFile
		case len(sets) > 0 && f.MaskSet != sets[0].Hash:
			return nil, nil // the command takes the newest masks
		default:
			o.KeywordNetworks, o.Targets, o.Backgrounds = f.KeywordNetworks, suiteNamed(d.suites, f.Targets), suiteNamed(d.suites, f.Backgrounds)
		}
		return []string{"variscope", "background", "keywords", d.ws.Path()}, o
	}
	d.ask = &kit.Ask[keywordAsk]{
		Title: "Read keywords", Button: "Read", Size: fyne.NewSize(720, 520), Form: form, Do: d.read,
		Start: func(f *kit.Form[keywordAsk]) {
			put(f, "targets", d.suiteWith(true))
			put(f, "backgrounds", d.suiteWith(false))
			if d.rt == nil || len(d.suites) < 2 {
				put(f, "from", "table")
			}
		},
		Line: func(f keywordAsk) kit.Work[string] {
			return func(context.Context, engine.Progress) (string, error) { return f.look(d.rt) }
		},
	}
	d.ask.Open()
}

// choices are the suites, or the mask sets of the chosen targets, the newest first.
func (d *keywordsDialog) choices(source string) (list []kit.Option, first string) {
	if source == "suites" {
		return SuiteOptions(d.suites), ""
	}
	for _, set := range d.masks[d.ask.Form.Options().Targets] {
		list = append(list, kit.Option{Key: set.Hash, Name: maskTitle(set)})
	}
	return append(list, kit.Option{Key: noMasks, Name: "none: foregrounds are counted, too"}), ""
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

// made is a table that was made.
type made struct {
	record     store.KeywordTable
	facts      string
	rows, kept int // kept of them were there before
}

// read makes the table.
func (d *keywordsDialog) read(sheet *kit.Dialog, f keywordAsk) {
	var record store.KeywordTable
	var table bg.Table
	var kept atomic.Int64
	facts := ""
	sheet.Work("Read keywords", func(ctx context.Context, p *background.Progress) (err error) {
		if f.networks() {
			record, table, err = d.understand(ctx, f, &kept, p)
		} else {
			record, table, err = f.add(d.ws)
		}
		facts = tableFacts(table)
		return err
	}, func(err error) {
		switch {
		case cancelled(err) && !sheet.Closed():
			d.ask.Refuse(errors.New("it was stopped, and what was computed is kept: read again, and it goes on from there"))
		case cancelled(err):
		case err != nil:
			d.ask.Refuse(err)
		default:
			d.host.Say(fmt.Sprintf("read %s: %s", record.Name, facts))
			d.done(record)
			text := made{record, facts, len(table.Rows), int(kept.Load())}.report(f)
			sheet.Show(titled(record.Name, wrapped(text)), sheet.CloseButton("Close"))
		}
	})
}

// understand has the networks look at the images.
func (d *keywordsDialog) understand(ctx context.Context, f keywordAsk, kept *atomic.Int64, p *background.Progress) (record store.KeywordTable, table bg.Table, err error) {
	n, err := scenes.NetworksOf(f.KeywordNetworks)
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
	if f.masks() != "" {
		set, err := d.ws.MaskSet(f.masks())
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
	record, err = d.ws.AddKeywords(f.Title(f.Table), filepath.Base(n.Segmentation)+" and "+filepath.Base(n.Scene), table)
	return record, table, err
}

// report says what the table holds and how much of it was there before.
func (m made) report(f keywordAsk) string {
	lines := []string{m.facts}
	if f.networks() {
		lines = append(lines, fmt.Sprintf("Computed now: %s; from before: %s.", result.Counted(m.rows-m.kept, "image"),
			result.Counted(m.kept, "image")))
	}
	if m.record.Name != f.Title(f.Table) {
		lines = append(lines, fmt.Sprintf("The workspace had a table with the same content already, called %s.", m.record.Name))
	}
	return strings.Join(append(lines, "Next: look through the images, then make an ontology."), "\n")
}
