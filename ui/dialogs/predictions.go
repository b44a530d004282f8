package dialogs

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// predictionsAsk is what the dialog asks for.
type predictionsAsk struct {
	Path string `required:"" help:"A .csv, .npy or .npz file, or a folder with one file per model." label:"Predictions" type:"path"`
	predictions.Options
	Name string `help:"Name of the table (default: that of its file or folder)."`
}

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
	d := &predictionsDialog{host: host, ws: ws, did: did, added: added, suites: suites}
	d.open()
}

// predictionsDialog is the dialog at work.
type predictionsDialog struct {
	host   *kit.Host
	ws     *store.Workspace
	did    func(history.Step)
	added  func(source string)
	suites []suite.Manifest
	ask    *kit.Ask[predictionsAsk]
}

func (d *predictionsDialog) open() {
	help := own.Wrapped(readablePredictions)
	d.ask = &kit.Ask[predictionsAsk]{
		Title: "Import predictions", Button: "Import", Size: fyne.NewSize(760, 560), Below: help, Run: d.keep,
		Form: &kit.Form[predictionsAsk]{
			Host: d.host, OnChange: func(o predictionsAsk) { own.Show(help, o.Path == "") },
			Choices: func(string) ([]kit.Option, string) {
				return append([]kit.Option{{Name: "no suite here: the table is used alone"}},
					SuiteOptions(d.suites)...), ""
			},
			Command: d.command,
		},
		Says: func(o predictionsAsk) (string, error) {
			table, err := predictions.ReadFor(o.Path, o.ClassNames, suiteOf(d.suites, o.Suite))
			if err != nil {
				return "", err
			}
			return strings.Join(foundPredictions(table), "\n"), nil
		},
	}
	d.ask.Open()
}

// command is the command that does the same.
func (d *predictionsDialog) command(o predictionsAsk) ([]string, any) {
	o.Suite = suiteOf(d.suites, o.Suite).Name
	return []string{"variscope", "import", d.ws.Path(), o.Path}, &struct {
		Predictions bool   `help:"Predictions."`
		Name        string `help:"Name."`
		predictions.Options
	}{true, o.Name, o.Options}
}

// readablePredictions says what can be read, as the guide does at more length.
const readablePredictions = "What can be read:\n" +
	".csv: a row per image, a column per model, cells are class numbers from 0 or class names. The columns image " +
	"and truth may be missing; columns of labels, ids and files are no models.\n" +
	".npy: images × models of whole numbers (classes), or models × images × classes of probabilities. Names of " +
	"the models stand in a .txt file of the same name.\n" +
	".npz: an array per model by its name, images × classes of probabilities or a class per image; " +
	"truth is the true classes.\n" +
	"A folder: a file per model, .npy or .csv with a column of probabilities per class.\n" +
	"All models predict the same images in the same order. The probabilities of an image sum to 1."

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
	known := "no probabilities"
	if soft > 0 {
		known = "probabilities of " + result.Counted(soft, "model")
	}
	lines := []string{
		fmt.Sprintf("%s, %s, %s", result.Counted(len(t.Models), "model"), result.Counted(t.Samples, "image"),
			result.Counted(t.Classes, "class")),
		known + ", true classes of " + result.Counted(truth, "image"),
	}
	if t.Form != "" {
		lines = append(lines, t.Form)
	}
	for _, l := range t.LeftOut {
		lines = append(lines, "left out: "+l.String())
	}
	lines = append(lines, "")
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

// keep reads the table and puts it into the workspace.
func (d *predictionsDialog) keep(_ context.Context, o predictionsAsk, _ *jobs.Progress) (done kit.Done, err error) {
	table, err := predictions.ReadFor(o.Path, o.ClassNames, suiteOf(d.suites, o.Suite))
	if err != nil {
		return done, err
	}
	table.Name = cmp.Or(strings.TrimSpace(o.Name), table.Name)
	record, err := predictions.Keep(d.ws, table)
	return kit.Done{
		Said: fmt.Sprintf("predictions of %s imported: %s", result.Counted(len(record.Models), "model"), record.Name),
		Then: func() {
			step := tableStep(d.ws, record)
			did(d.did, history.Step{
				Title: "import of the predictions " + record.Name, Undo: step.Redo, Redo: step.Undo,
			})
			if d.added != nil {
				d.added(cmp.Or(record.Suite, record.ID))
			}
		},
	}, err
}

// tableStep is the removal of a table of predictions.
func tableStep(ws *store.Workspace, table store.PredictionTable) history.Step {
	return history.Step{
		Title: "removal of the predictions " + table.Name,
		Undo:  func(context.Context) error { return ws.RestorePredictions(table) },
		Redo: func(context.Context) error {
			_, err := ws.RemovePredictions(table.ID)
			return err
		},
	}
}
