package dialogs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	bg "github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// KeywordsDialog makes a keyword table: two networks look at the images of two suites, or a file
// that was made elsewhere is read. done gets the table, whether the dialog is still open or not.
// rt may be nil: only files can be read then.
func KeywordsDialog(host *kit.Host, ws *store.Workspace, rt engine.Runtime, done func(store.KeywordTable)) {
	d := &keywordsDialog{host: host, ws: ws, rt: rt, done: done, masks: map[string][]store.MaskSet{}}
	host.Quietly("keywords dialog", d.gather, d.open)
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
		if d.masks[m.Hash], err = d.ws.MaskSets(m.Hash); err != nil {
			return err
		}
		slices.Reverse(d.masks[m.Hash])
	}
	return nil
}

func (d *keywordsDialog) open() {
	form := &kit.Form[keywordAsk]{Host: d.host, Choices: d.choices}
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
			o.KeywordNetworks, o.Targets, o.Backgrounds = f.KeywordNetworks, suiteNamed(d.suites, f.Targets),
				suiteNamed(d.suites, f.Backgrounds)
		}
		return []string{"variscope", "background", "keywords", d.ws.Path()}, o
	}
	d.ask = &kit.Ask[keywordAsk]{
		Title: "Read keywords", Button: "Read", Size: fyne.NewSize(720, 520), Form: form, Run: d.read,
		Stopped: "it was stopped, and what was computed is kept: read again, and it goes on from there",
		Start: func(f *kit.Form[keywordAsk]) {
			put(f, "targets", d.suiteWith(true))
			put(f, "backgrounds", d.suiteWith(false))
			if d.rt == nil || len(d.suites) < 2 {
				put(f, "from", "table")
			}
		},
		Says: func(f keywordAsk) (string, error) { return f.look(d.rt) },
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

// read makes the table.
func (d *keywordsDialog) read(ctx context.Context, f keywordAsk, p *jobs.Progress) (done kit.Done, err error) {
	var record store.KeywordTable
	var table bg.Table
	var kept atomic.Int64
	if f.networks() {
		var n scenes.Networks
		if n, err = scenes.NetworksOf(f.KeywordNetworks); err == nil {
			n.Kept = &kept
			record, table, err = n.Keep(ctx, d.ws, d.rt, f.Title(f.Table), f.Targets, f.Backgrounds, f.masks(), p)
		}
	} else if table, err = scenes.ReadTable(f.Table); err == nil {
		record, err = d.ws.AddKeywords(f.Title(f.Table), "file", table)
	}
	if err != nil {
		return done, err
	}
	facts := tableFacts(table)
	lines := []string{facts}
	if now := len(table.Rows) - int(kept.Load()); f.networks() {
		lines = append(lines, fmt.Sprintf("Computed now: %s; from before: %s.",
			result.Counted(now, "image"), result.Counted(int(kept.Load()), "image")))
	}
	if record.Name != f.Title(f.Table) {
		lines = append(lines, fmt.Sprintf("The workspace had a table with the same content already, called %s.",
			record.Name))
	}
	lines = append(lines, "Next: look through the images, then make an ontology.")
	return kit.Done{
		Said:  fmt.Sprintf("read %s: %s", record.Name, facts),
		Title: record.Name, Text: strings.Join(lines, "\n"), Then: func() { d.done(record) },
	}, nil
}

// keywordAsk says where a keyword table comes from: two networks and the images that they look at,
// or a file. Suites and masks are named by their hashes.
type keywordAsk struct {
	From               string `label:"Keywords come" help:"Two networks look at the images of two suites, or a table of their keywords was made elsewhere." enum:"networks,table" names:"by two networks|from a table that was made elsewhere" default:"networks"`
	bg.KeywordNetworks `when:"from=networks"`
	bg.KeywordSuites   `when:"from=networks"`
	MaskSet            string `label:"Masks of targets" help:"Say which pixels of the targets are foreground: those are no bg." source:"masks" when:"from=networks"`
	bg.KeywordFile     `when:"from=table"`
	bg.TableName
}

func (f keywordAsk) networks() bool { return f.From == "networks" }

// masks is the hash of the targets' mask set; "" counts foregrounds, too.
func (f keywordAsk) masks() string {
	if f.MaskSet == noMasks {
		return ""
	}
	return f.MaskSet
}

// missing says what is to be filled in yet, "" for nothing.
func (f keywordAsk) missing() string {
	switch {
	case !f.networks() && f.Table == "":
		return "Choose the keyword table: a CSV file with the columns file, kind, label, scene, visible_pixels, then " +
			"seg_NAME for each element and scene_NAME for each kind of scene."
	case !f.networks():
		return ""
	case f.Segmentation == "":
		return "Choose the segmentation network: any ONNX file with a score per element and pixel."
	case f.Scene == "":
		return "Choose the scene network: any ONNX file with a score per kind of scene."
	case f.Targets == "":
		return "Choose the suite of targets."
	case f.Backgrounds == "":
		return "Choose the suite of backgrounds."
	case f.Targets == f.Backgrounds:
		return "Targets and backgrounds are the same suite: backgrounds have no foreground object. Choose another one."
	}
	return ""
}

// look reads the files without running anything and says what is in them. The error says what is
// wrong with one.
func (f keywordAsk) look(rt engine.Runtime) (string, error) {
	if f.networks() && rt == nil {
		return "", engine.ErrNoRuntime
	}
	if text := f.missing(); text != "" {
		return "", errors.New(text)
	}
	if !f.networks() {
		table, err := scenes.ReadTable(f.Table)
		if err != nil {
			return "", err
		}
		return tableFacts(table), nil
	}
	n, err := scenes.NetworksOf(f.KeywordNetworks)
	if err != nil {
		return "", err
	}
	elements, err := scenes.ElementsOf(rt, n.Segmentation, n.Elements)
	if err != nil {
		return "", err
	}
	kinds, err := scenes.ScenesOf(rt, n.Scene, n.Scenes)
	if err != nil {
		return "", err
	}
	facts := fmt.Sprintf("%s: %s. %s: %s.", result.Counted(len(elements), "element"), result.Some(elements),
		result.Counted(len(kinds), "scene word"), result.Some(kinds))
	if f.masks() == "" {
		facts += " Without masks the pixels of the foregrounds are counted, too."
	}
	return facts, nil
}

// tableFacts says what a table holds, and which images have no keyword.
func tableFacts(t bg.Table) string {
	targets := len(t.Of(bg.TargetKind))
	text := fmt.Sprintf("%s and %s; %s and %s.", result.Counted(targets, "target"),
		result.Counted(len(t.Rows)-targets, "background"),
		result.Counted(len(t.Elements), "element"), result.Counted(len(t.Scenes), "scene word"))
	found, err := t.Keywords(bg.PaperRule().Without(t.Classes()...))
	if err != nil {
		return text
	}
	var names []string
	for _, row := range found.Count(t).Without {
		names = append(names, t.Rows[row].File)
	}
	if len(names) == 0 {
		return text
	}
	return text + " " + present.ByCount(len(names),
		"%d image has no keyword by the rule of the background paper [2]: %s.",
		"%d images have no keyword by the rule of the background paper [2]: %s.", len(names), result.Some(names))
}
