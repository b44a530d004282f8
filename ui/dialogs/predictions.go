package dialogs

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// PredictionsDialog asks for a file or folder of predictions that were made elsewhere, shows what
// was read of it, and keeps it in the workspace. Did gets the change and may be nil; added is
// called with the id of what can be ranked on then: the suite's content hash, or the table's own
// id.
func PredictionsDialog(host *kit.Host, ws *store.Workspace, did func(history.Step), added func(source string)) {
	suites, err := ws.Suites()
	if err != nil {
		host.Fail(err)
		return
	}
	d := &predictionsDialog{host: host, ws: ws, did: did, added: added, sheet: host.NewDialog("Import predictions", fyne.NewSize(760, 560))}
	d.names, d.hashes = SuiteNames(suites)
	d.suites = suites
	d.build()
	d.sheet.Present(d.path)
}

// predictionsDialog is the dialog at work.
type predictionsDialog struct {
	host    *kit.Host
	ws      *store.Workspace
	did     func(history.Step)
	added   func(source string)
	sheet   *kit.Dialog
	suites  []suite.Manifest
	names   []string          // of suites
	hashes  map[string]string // name -> content hash
	path    *widget.Entry
	name    *widget.Entry
	of      *widget.Select
	classes *widget.Entry
	facts   *widget.Label
	problem *widget.Label
	start   *widget.Button
	latest  background.Latest
	table   predictions.Table // what was read last; no models when nothing was
	typed   bool              // the name was typed by the person
}

func (d *predictionsDialog) build() {
	d.path, d.name, d.classes = widget.NewEntry(), widget.NewEntry(), widget.NewEntry()
	d.path.SetPlaceHolder("a .csv, .npy or .npz file, or a folder with one file per model")
	d.classes.SetPlaceHolder("names separated by commas, or a file with one per line; empty for those that are found")
	d.of = widget.NewSelect(append([]string{"no suite here: the table is used alone"}, d.names...), nil)
	d.of.SetSelectedIndex(0)
	d.facts, d.problem = widget.NewLabel(readablePredictions()), widget.NewLabel("")
	d.facts.Wrapping = fyne.TextWrapWord
	d.problem.Importance, d.problem.Wrapping = widget.DangerImportance, fyne.TextWrapWord
	d.problem.Hide()
	d.start = widget.NewButton("Import", d.keep)
	d.start.Importance = widget.HighImportance
	d.start.Disable()
	d.path.OnChanged = func(string) { d.read() }
	d.classes.OnChanged = func(string) { d.read() }
	d.name.OnChanged = func(text string) { d.typed = text != "" && text != d.table.Name }
	d.of.OnChanged = func(string) { d.read() }
	form := widget.NewForm(
		widget.NewFormItem("Predictions", container.NewBorder(nil, nil, nil, d.host.Browse(d.path.SetText), d.path)),
		widget.NewFormItem("Images of", d.of),
		widget.NewFormItem("Class names", d.host.FileRow(d.classes, ".txt")),
		widget.NewFormItem("Name", d.name))
	scroll := container.NewVScroll(container.NewVBox(d.problem, d.facts))
	scroll.SetMinSize(fyne.NewSize(0, 200))
	d.sheet.Show(container.NewBorder(form, nil, nil, nil, scroll), d.sheet.CloseButton("Cancel"), d.start)
	d.sheet.Drop = func(paths []string) {
		if len(paths) > 0 {
			d.path.SetText(paths[0])
		}
	}
}

// chosen is the suite whose images the table is about; ok is false for none.
func (d *predictionsDialog) chosen() (m suite.Manifest, ok bool) {
	hash := d.hashes[d.of.Selected]
	at := slices.IndexFunc(d.suites, func(m suite.Manifest) bool { return m.Hash == hash })
	if at < 0 || d.of.SelectedIndex() <= 0 {
		return suite.Manifest{}, false
	}
	return d.suites[at], true
}

// read reads the file in the background, a moment after the last letter; an answer to an older
// text is dropped.
func (d *predictionsDialog) read() {
	d.start.Disable()
	paths, names := kit.Paths(d.path.Text), d.classes.Text
	of, _ := d.chosen()
	if len(paths) != 1 {
		d.latest.Next()
		d.show(predictions.Table{}, nil)
		return
	}
	background.LoadTyped(d.host.Work, &d.latest, "read predictions", func(context.Context) (predictions.Table, error) {
		return readPredictions(paths[0], names, of)
	}, func(table predictions.Table, err error) {
		if err == nil || !cancelled(err) {
			d.show(table, err)
		}
	})
}

// readPredictions reads a table for a suite, an empty one for none. names are those of the
// classes, or the file that has them; without names those of the suite count.
func readPredictions(path, names string, of suite.Manifest) (predictions.Table, error) {
	list, err := classNames(names)
	if err != nil {
		return predictions.Table{}, err
	}
	if list == nil {
		list = of.Classes
	}
	table, err := predictions.Read(path, list, len(list))
	if err != nil {
		return table, err
	}
	if of.Hash != "" && table.Samples != of.Images {
		return table, fmt.Errorf("%s has predictions of %s; suite %s has %s, and they must be the same in the same order", path,
			present.Counted(int64(table.Samples), "image"), of.Name, present.Counted(int64(of.Images), "image"))
	}
	table.Suite = of.Hash
	return table, nil
}

// classNames reads names that were typed, or the file that was.
func classNames(text string) ([]string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil
	}
	if info, err := os.Stat(text); err == nil && !info.IsDir() {
		return predictions.ClassNames(text)
	}
	list := strings.Split(text, ",")
	for k := range list {
		if list[k] = strings.TrimSpace(list[k]); list[k] == "" {
			return nil, fmt.Errorf("the class names %q have an empty one among them", text)
		}
	}
	if len(list) < 2 {
		return nil, fmt.Errorf("%q is neither a file nor a list of at least two class names", text)
	}
	return list, nil
}

// show shows what was read, or why nothing was.
func (d *predictionsDialog) show(table predictions.Table, err error) {
	d.problem.Hidden = err == nil
	if err != nil {
		d.table = predictions.Table{}
		d.problem.SetText(sentence(err))
		d.facts.SetText(readablePredictions())
		return
	}
	d.table = table
	if len(table.Models) == 0 {
		d.facts.SetText(readablePredictions())
		return
	}
	d.facts.SetText(strings.Join(foundPredictions(table), "\n"))
	if !d.typed {
		d.name.SetText(table.Name)
	}
	d.start.Enable()
}

// readablePredictions says what can be read, as the guide does at more length.
func readablePredictions() string {
	return strings.Join([]string{
		"What can be read:",
		".csv: a row per image, a column per model, cells are class numbers from 0 or class names. The columns image and truth may be missing.",
		".npy: images × models of whole numbers (classes), or models × images × classes of probabilities. Names of the models stand in a .txt file of the same name.",
		".npz: an array per model by its name, images × classes of probabilities or a class per image; truth is the true classes.",
		"A folder: a file per model, .npy or .csv with a column of probabilities per class.",
		"All models predict the same images in the same order. The probabilities of an image sum to 1.",
	}, "\n")
}

// fewImages is how many images and fewModels how many models a preview shows.
const fewImages, fewModels = 6, 8

// foundPredictions says what a table holds, then the predictions of its first images.
func foundPredictions(t predictions.Table) []string {
	soft, truth := 0, 0
	for _, p := range t.Probabilities {
		if p != nil {
			soft++
		}
	}
	for _, c := range t.Truth {
		if c >= 0 {
			truth++
		}
	}
	known := fmt.Sprintf("no probabilities, true classes of %s", present.Counted(int64(truth), "image"))
	if soft > 0 {
		known = fmt.Sprintf("probabilities of %s, true classes of %s", present.Counted(int64(soft), "model"), present.Counted(int64(truth), "image"))
	}
	lines := []string{
		fmt.Sprintf("%s, %s, %s", present.Counted(int64(len(t.Models)), "model"), present.Counted(int64(t.Samples), "image"), present.Counted(int64(t.Classes), "class")),
		known, "",
	}
	for i := range min(t.Samples, fewImages) {
		lines = append(lines, previewLine(t, i))
	}
	if t.Samples > fewImages {
		lines = append(lines, "…")
	}
	return lines
}

// previewLine is "#0 cat.png: a cat, b dog, …; truly cat".
func previewLine(t predictions.Table, i int) string {
	var parts []string
	n := len(t.Models)
	for j := range min(n, fewModels) {
		parts = append(parts, t.Models[j]+" "+className(t, t.Labels[i*n+j]))
	}
	if n > fewModels {
		parts = append(parts, "…")
	}
	line := "#" + strconv.Itoa(i)
	if i < len(t.SampleNames) {
		line += " " + t.SampleNames[i]
	}
	line += ": " + strings.Join(parts, ", ")
	if i < len(t.Truth) && t.Truth[i] >= 0 {
		line = fmt.Sprintf("%s; truly %s", line, className(t, t.Truth[i]))
	}
	return line
}

func className(t predictions.Table, c int32) string {
	if int(c) < len(t.ClassNames) {
		return t.ClassNames[c]
	}
	return strconv.Itoa(int(c))
}

// keep puts the table into the workspace.
func (d *predictionsDialog) keep() {
	table := d.table
	if name := strings.TrimSpace(d.name.Text); name != "" {
		table.Name = name
	}
	d.start.Disable()
	var record store.PredictionTable
	d.host.Work.StartWhole(fmt.Sprintf("import predictions %s", table.Name), func() (err error) {
		record, err = predictions.Keep(d.ws, table)
		return err
	}, func(err error) {
		switch {
		case err == nil:
			d.done(record)
		case d.sheet.Closed():
			d.host.Fail(err)
		default:
			d.start.Enable()
			d.problem.Show()
			d.problem.SetText(sentence(err))
		}
	})
}

func (d *predictionsDialog) done(record store.PredictionTable) {
	d.sheet.Close()
	d.host.Say(fmt.Sprintf("predictions of %s imported: %s", present.Counted(int64(len(record.Models)), "model"), record.Name))
	ws := d.ws
	did(d.did, history.Step{
		Title: fmt.Sprintf("import of the predictions %s", record.Name),
		Undo: func(context.Context) error {
			_, err := ws.RemovePredictions(record.ID)
			return err
		},
		Redo: func(context.Context) error { return ws.RestorePredictions(record) },
	})
	if d.added == nil {
		return
	}
	source := record.Suite
	if source == "" {
		source = record.ID
	}
	d.added(source)
}
