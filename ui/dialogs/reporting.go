package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/report"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// reportAsk is what the dialog asks for.
type reportAsk struct {
	About string `required:"" help:"What the report is about: models, or a round." source:"topics"`
	report.Options
	Formats []string `required:"" help:"HTML is one file for any browser." enum:"html,pdf" names:"HTML, one file for any browser|PDF" default:"html"`
	File    string   `required:"" help:"Path of the file, without its ending." placeholder:"NAME.html" type:"path"`
}

// ReportDialog asks what a report is about (the models given by hash, all models with signals, or
// a round), in which formats and where, and writes it in the background. Several models make one
// document. Version is the program's.
func ReportDialog(host *kit.Host, ws *store.Workspace, version string, models []string) {
	d := &reportDialog{host: host, ws: ws, version: version, chosen: models}
	host.Quietly("report dialog", func() error {
		err := d.load()
		if err == nil && len(d.topics()) == 0 {
			err = errors.New("there is nothing to report on: run a model, or make a round")
		}
		return err
	}, d.open)
}

type reportDialog struct {
	host    *kit.Host
	ws      *store.Workspace
	version string
	chosen  []string // hashes of models
	current store.Current
	suite   string        // name of the current one
	ready   []model.Model // with signals for the current suite and family
	rounds  []label.Round
}

// load reads what can be reported on: rounds, and the models with signals for the current suite
// and family.
func (d *reportDialog) load() (err error) {
	if d.current, err = d.ws.Current(); err != nil {
		return err
	}
	if d.rounds, err = d.ws.Rounds(); err != nil {
		return err
	}
	if d.current.Suite == "" || d.current.Family == "" {
		return nil
	}
	manifest, err := d.ws.Suite(d.current.Suite)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	d.suite = manifest.Name
	models, err := d.ws.Models()
	if err != nil {
		return err
	}
	for _, m := range models {
		state, err := d.ws.State(m, d.current.Suite, d.current.Family)
		if err == nil && state == store.Ready { // a model whose settings cannot be read has no signals
			d.ready = append(d.ready, m)
		}
	}
	return nil
}

// Topics of models; that of a round is its id.
const (
	aboutChosen = "chosen"
	aboutAll    = "all"
)

// topics are what a report can be about, the likeliest first.
func (d *reportDialog) topics() (list []kit.Option) {
	if len(d.ready) > 0 {
		if name := (modelChoice{d.ready, d.chosen}).name(); name != "" {
			list = append(list, kit.Option{Key: aboutChosen, Name: name})
		}
		list = append(list, kit.Option{
			Key: aboutAll, Name: fmt.Sprintf("all %s with signals", result.Counted(len(d.ready), "model")),
		})
	}
	for _, r := range d.rounds {
		list = append(list, kit.Option{Key: r.ID, Name: fmt.Sprintf("round %s", roundName(r))})
	}
	return list
}

func ofModels(about string) bool { return about == aboutChosen || about == aboutAll }

// fileName is the name that the report's file gets unless another is chosen.
func (d *reportDialog) fileName(about string) string {
	what := ""
	for _, topic := range d.topics() {
		if topic.Key == about {
			what = strings.TrimPrefix(strings.TrimPrefix(topic.Name, "the "), "all ")
		}
	}
	return strings.TrimSuffix(figures.FileName("", d.ws.Name()+" "+what), ".")
}

// request is what report.Make is asked.
func (d *reportDialog) request(o reportAsk) (q report.Request, err error) {
	q = report.Request{Version: d.version, Written: time.Now()}
	if !ofModels(o.About) {
		q.Round, q.Notes = o.About, o.Notes
		return q, nil
	}
	q.Suite, q.Family, q.Models = d.current.Suite, d.current.Family, d.models(o)
	q.Modalities, err = signal.ModalityNames(strings.Join(o.Modalities, ","))
	return q, err
}

// models are the hashes of the models that a report is about.
func (d *reportDialog) models(o reportAsk) (hashes []string) {
	if o.About == aboutChosen {
		return d.chosen
	}
	for _, m := range d.ready {
		hashes = append(hashes, m.Hash)
	}
	return hashes
}

// files are the paths to write, one for each format.
func (o reportAsk) files() ([]string, error) {
	path, err := filepath.Abs(o.File)
	for _, format := range report.Formats() {
		path = strings.TrimSuffix(path, "."+format)
	}
	var files []string
	for _, format := range o.Formats {
		files = append(files, path+"."+format)
	}
	return files, err
}

func (d *reportDialog) open() {
	seen := own.Wrapped("")
	seen.Importance = widget.LowImportance
	if len(d.ready) > 0 {
		seen.SetText(fmt.Sprintf("Models are seen under %s, on %s.", transform.Words(d.current.Family), d.suite))
	}
	form := &kit.Form[reportAsk]{
		Host: d.host, Hide: []string{"images"}, Command: d.command,
		Choices: func(string) ([]kit.Option, string) { return d.topics(), "" },
	}
	form.Shown = func(name string) bool {
		models := ofModels(form.Options().About)
		return (name != "modalities" || models) && (name != "notes" || !models)
	}
	about := "" // the topic that the file is named after
	form.OnChange = func(o reportAsk) {
		if o.About != about {
			about = o.About
			put(form, "file", beside(d.ws.Path(), d.fileName(about)))
		}
	}
	ask := &kit.Ask[reportAsk]{
		Title: "Report", Button: "Write report", Size: fyne.NewSize(680, 380), Form: form, Above: seen,
		Stopped: "The report was cancelled.",
		Start:   func(f *kit.Form[reportAsk]) { put(f, "modalities", strings.Join(signal.DefaultNames(), ",")) },
		Says: func(o reportAsk) (string, error) {
			_, err := d.request(o)
			return "", err
		},
		Writes: func(o reportAsk) []string {
			files, _ := o.files() // Run says what is wrong with them
			return files
		},
		Run: d.write,
	}
	ask.Open()
}

func (d *reportDialog) write(ctx context.Context, o reportAsk, p *jobs.Progress) (done kit.Done, err error) {
	question, err := d.request(o)
	files, pathErr := o.files()
	if err = errors.Join(err, pathErr); err != nil {
		return done, err
	}
	document, err := report.Make(ctx, d.ws, question, p)
	if err != nil {
		return done, err
	}
	written, err := document.Write(ctx, files)
	if err != nil {
		return done, err
	}
	done.Title = "Report written"
	for _, f := range written {
		done.Paths = append(done.Paths, f.Path)
	}
	done.Said = fmt.Sprintf("Report written to %s", strings.Join(done.Paths, " and "))
	return done, nil
}

// command is the command that writes the same report.
func (d *reportDialog) command(o reportAsk) ([]string, any) {
	c := struct {
		Models []string `help:"Models."`
		Round  string   `help:"Round."`
		report.Options
		Out []string `help:"Files." type:"path"`
	}{}
	option.SetDefaults(&c)
	if c.Out, _ = o.files(); ofModels(o.About) {
		c.Models, c.Modalities = modelChoice{all: d.ready}.ids(d.models(o)), o.Modalities
	} else {
		c.Round, c.Notes = o.About, o.Notes
	}
	return []string{"variscope", "report", d.ws.Path()}, &c
}
