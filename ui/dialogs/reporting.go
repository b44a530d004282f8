package dialogs

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/report"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// ReportDialog asks what a report is about (the models given by hash, all models with signals, or
// a round), in which formats and where, and writes it in the background. Several models make one
// document. Version is the program's.
func ReportDialog(host *kit.Host, ws *store.Workspace, version string, models []string) {
	form := ReportForm{Workspace: ws.Name(), Version: version, Chosen: models}
	host.Work.Quiet("report dialog", func(context.Context) error {
		return form.load(ws)
	}, func(err error) {
		if err == nil && len(form.Topics()) == 0 {
			err = errors.New("there is nothing to report on: run a model, or make a round")
		}
		if err != nil {
			host.Fail(err)
			return
		}
		d := &reportDialog{host: host, ws: ws, form: form}
		d.open()
	})
}

// ReportForm is what the dialog knows and what was chosen in it.
type ReportForm struct {
	Workspace, Version string
	Current            store.Current
	SuiteName          string
	Chosen             []string // hashes of models
	Ready              []model.Model
	Rounds             []label.Round

	Topic      string // one of Topics
	Modalities string
	HTML, PDF  bool
	Notes      bool
	Path       string // of the file without its ending
}

// load reads what can be reported on: rounds, and the models with signals for the current suite
// and family.
func (f *ReportForm) load(ws *store.Workspace) (err error) {
	if f.Current, err = ws.Current(); err != nil {
		return err
	}
	if f.Rounds, err = ws.Rounds(); err != nil {
		return err
	}
	if f.Current.Suite == "" || f.Current.Family == "" {
		return nil
	}
	manifest, err := ws.Suite(f.Current.Suite)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	f.SuiteName = manifest.Name
	models, err := ws.Models()
	if err != nil {
		return err
	}
	for _, m := range models {
		state, err := ws.State(m, f.Current.Suite, f.Current.Family)
		if err == nil && state == store.Ready { // a model whose settings cannot be read has no signals
			f.Ready = append(f.Ready, m)
		}
	}
	return nil
}

// Topics are what a report can be about, the likeliest first.
func (f ReportForm) Topics() []string {
	var list []string
	if len(f.Ready) > 0 {
		if name := f.chosenName(); name != "" {
			list = append(list, name)
		}
		list = append(list, f.allName())
	}
	for _, r := range f.Rounds {
		list = append(list, roundTopic(r))
	}
	return list
}

func roundTopic(r label.Round) string { return fmt.Sprintf("round %s", roundName(r)) }

// chosenName names the chosen models, "" when there are none.
func (f ReportForm) chosenName() string {
	switch len(f.Chosen) {
	case 0:
		return ""
	case 1:
		for _, m := range f.Ready {
			if m.Hash == f.Chosen[0] {
				return fmt.Sprintf("model %s", m.ID)
			}
		}
		return "the chosen model"
	}
	return fmt.Sprintf("the %s", present.Counted(int64(len(f.Chosen)), "chosen model"))
}

func (f ReportForm) allName() string {
	return fmt.Sprintf("all %s with signals", present.Counted(int64(len(f.Ready)), "model"))
}

// Round tells whether the topic is a round.
func (f ReportForm) Round() bool {
	return slices.ContainsFunc(f.Rounds, func(r label.Round) bool { return f.Topic == roundTopic(r) })
}

// FileName is the name that the report's file gets unless another is chosen.
func (f ReportForm) FileName() string {
	what := strings.TrimPrefix(strings.TrimPrefix(f.Topic, "the "), "all ")
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>| `, r) || r < ' ' {
			return '-'
		}
		return r
	}, f.Workspace+" "+what)
}

// Question is what report.Make is asked; the error says what is missing in the form.
func (f ReportForm) Question(now time.Time) (report.Question, error) {
	q := report.Question{Version: f.Version, Written: now, Notes: f.Notes}
	for _, r := range f.Rounds {
		if f.Topic == roundTopic(r) {
			q.Round = r.ID
			return q, nil
		}
	}
	q.Suite, q.Family = f.Current.Suite, f.Current.Family
	var err error
	if q.Modalities, err = parseModalities(f.Modalities); err != nil {
		return q, err
	}
	q.Models = f.Chosen
	if f.Topic == f.allName() {
		q.Models = nil
		for _, m := range f.Ready {
			q.Models = append(q.Models, m.Hash)
		}
	}
	if len(q.Models) == 0 {
		return q, errors.New("choose what the report is about")
	}
	return q, nil
}

// Files are the paths to write, one for each format that is ticked.
func (f ReportForm) Files() ([]string, error) {
	paths := kit.Paths(f.Path)
	if len(paths) != 1 {
		return nil, errors.New("write the path of one file")
	}
	path, err := filepath.Abs(paths[0])
	if err != nil {
		return nil, err
	}
	for _, format := range report.Formats() {
		path = strings.TrimSuffix(path, "."+format)
	}
	var files []string
	if f.HTML {
		files = append(files, path+".html")
	}
	if f.PDF {
		files = append(files, path+".pdf")
	}
	if len(files) == 0 {
		return nil, errors.New("tick a format: HTML or PDF")
	}
	return files, nil
}

// existsError says that a report would replace a file.
type existsError struct{ path string }

func (e *existsError) Error() string { return fmt.Sprintf("%s exists already", e.path) }

// free is an *existsError where one of the files is there.
func free(files []string) error {
	for _, path := range files {
		if _, err := os.Lstat(path); err == nil {
			return &existsError{path}
		}
	}
	return nil
}

type reportDialog struct {
	host    *kit.Host
	ws      *store.Workspace
	form    ReportForm
	sheet   *kit.Dialog
	path    *widget.Entry
	problem *widget.Label
}

func (d *reportDialog) open() {
	d.sheet = d.host.NewDialog("Report", fyne.NewSize(680, 380))
	d.form.HTML, d.form.Modalities = true, strings.Join(defaultModalities(), ", ")
	d.problem = widget.NewLabel("")
	d.problem.Importance = widget.DangerImportance
	d.problem.Wrapping = fyne.TextWrapWord
	d.path = widget.NewEntry()
	d.path.SetPlaceHolder("path of the file, without its ending")
	modalities := widget.NewEntry()
	modalities.SetText(d.form.Modalities)
	modalities.OnChanged = func(text string) { d.form.Modalities = text }
	notes := widget.NewCheck("with the notes and flags of the round's annotators", func(on bool) { d.form.Notes = on })
	topic := widget.NewSelect(d.form.Topics(), func(text string) {
		d.form.Topic = text
		own.Enable(notes, d.form.Round())
		own.Enable(modalities, !d.form.Round())
		d.path.SetText(filepath.Join(filepath.Dir(d.ws.Path()), d.form.FileName()))
	})
	topic.SetSelectedIndex(0)
	html := widget.NewCheck("HTML, one file for any browser", func(on bool) { d.form.HTML = on })
	html.SetChecked(true)
	pdf := widget.NewCheck("PDF", func(on bool) { d.form.PDF = on })
	start := widget.NewButton("Write report", func() { d.run(false) })
	start.Importance = widget.HighImportance
	var about fyne.CanvasObject = topic
	if len(d.form.Ready) > 0 {
		about = hinted(topic, fmt.Sprintf("models are seen under %s on %s", d.form.Current.Family, d.form.SuiteName))
	}
	form := widget.NewForm(
		widget.NewFormItem("About", about),
		widget.NewFormItem("Matrices", modalities),
		widget.NewFormItem("Notes", notes),
		widget.NewFormItem("Formats", container.NewHBox(html, pdf)),
		widget.NewFormItem("File", container.NewBorder(nil, nil, nil, d.host.BrowseFolder(d.folder), d.path)),
	)
	d.sheet.Show(container.NewVBox(form, d.problem), d.sheet.CloseButton("Cancel"), start)
	d.sheet.Present(nil)
}

// folder keeps the file's name and puts it into a folder.
func (d *reportDialog) folder(path string) {
	d.path.SetText(filepath.Join(path, filepath.Base(d.path.Text)))
}

func (d *reportDialog) run(replace bool) {
	d.form.Path = d.path.Text
	question, err := d.form.Question(time.Now())
	files, pathErr := d.form.Files()
	if err = errors.Join(err, pathErr); err != nil {
		d.problem.SetText(sentence(err))
		return
	}
	d.write(question, files, replace)
}

func (d *reportDialog) write(question report.Question, files []string, replace bool) {
	var written []report.File
	d.sheet.Work("Report", func(ctx context.Context, p *background.Progress) error {
		if err := free(files); err != nil && !replace {
			return err
		}
		document, err := report.Make(ctx, d.ws, question, p)
		if err == nil {
			written, err = document.Write(ctx, files)
		}
		return err
	}, func(err error) {
		var exists *existsError
		if errors.As(err, &exists) && !d.sheet.Closed() {
			d.askReplace(question, files, exists.path)
			return
		}
		d.done(written, err)
	})
}

// askReplace asks before a file that is there is replaced.
func (d *reportDialog) askReplace(question report.Question, files []string, path string) {
	text := widget.NewLabel(fmt.Sprintf("%s exists already. The report takes its place; the file that is there is lost.", path))
	text.Wrapping = fyne.TextWrapWord
	anyway := widget.NewButton("Replace", func() { d.write(question, files, true) })
	anyway.Importance = widget.WarningImportance
	d.sheet.Show(container.NewVBox(text), d.sheet.CloseButton("Cancel"), anyway)
}

func (d *reportDialog) done(files []report.File, err error) {
	if err != nil {
		d.sheet.Close()
		if cancelled(err) {
			d.host.Say("The report was cancelled.")
			return
		}
		d.host.Fail(err)
		return
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	d.host.Say(fmt.Sprintf("Report written to %s", strings.Join(paths, " and ")))
	if d.sheet.Closed() {
		return
	}
	list := container.NewVBox()
	for _, path := range paths {
		entry := widget.NewEntry()
		entry.SetText(path)
		list.Add(container.NewBorder(nil, nil, nil, widget.NewButton("Copy path", func() {
			fyne.CurrentApp().Clipboard().SetContent(path)
			d.host.Say("The path is on the clipboard.")
		}), entry))
	}
	folder := widget.NewButton("Open folder", func() {
		if err := fyne.CurrentApp().OpenURL(folderURL(filepath.Dir(paths[0]))); err != nil {
			d.host.Fail(fmt.Errorf("open the folder of %s: %w", paths[0], err))
		}
	})
	d.sheet.Show(titled("Report written", list), folder, d.sheet.CloseButton("Close"))
}

// folderURL is the address of a folder, C:/... with a slash before it.
func folderURL(path string) *url.URL {
	return &url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")}
}
