package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// ExportDialog asks for a folder, a round and what to include, and writes the labelled set
// (DESIGN.md section 8). Version is the program's, for the card. Models (hashes) limits the export
// to these; nil offers everything.
func ExportDialog(host *kit.Host, ws *store.Workspace, version string, models []string) {
	var rounds []label.Round
	host.Work.Quiet("export dialog", func(context.Context) (err error) {
		rounds, err = ws.Rounds()
		return err
	}, func(err error) {
		if err != nil {
			host.Fail(err)
			return
		}
		d := &exportDialog{host: host, ws: ws, rounds: rounds, version: version, models: models}
		d.open()
	})
}

type exportDialog struct {
	host    *kit.Host
	ws      *store.Workspace
	rounds  []label.Round
	sheet   *kit.Dialog
	folder  *widget.Entry
	round   *widget.Select
	start   *widget.Button
	version string
	models  []string // nil for all
	only    *widget.Check
	blind   *widget.Label
	include map[export.Part]*widget.Check
}

const allRounds = "all rounds"

func (d *exportDialog) open() {
	d.sheet = d.host.NewDialog("Export", fyne.NewSize(640, 340))
	d.folder = widget.NewEntry()
	d.folder.SetPlaceHolder("folder that takes the files; it is made when it is not there")
	d.folder.SetText(filepath.Join(filepath.Dir(d.ws.Path()), d.ws.Name()+"-export"))
	d.start = widget.NewButton("Export", d.run)
	d.start.Importance = widget.HighImportance
	d.folder.OnChanged = func(text string) {
		if len(kit.Paths(text)) == 1 {
			d.start.Enable()
		} else {
			d.start.Disable()
		}
	}
	names := []string{allRounds}
	for _, r := range d.rounds {
		names = append(names, roundName(r))
	}
	d.round = widget.NewSelect(names, nil)
	d.round.SetSelected(allRounds)
	if len(d.rounds) == 1 && len(d.models) == 0 { // chosen models need not be in it
		d.round.SetSelected(names[1])
	}
	d.include = map[export.Part]*widget.Check{}
	checks := container.NewGridWithColumns(2)
	for _, part := range export.Parts() {
		check := widget.NewCheck(part.String(), nil)
		check.SetChecked(true)
		d.include[part] = check
		checks.Add(check)
	}
	d.blind = widget.NewLabel("")
	d.blind.Wrapping, d.blind.Importance = fyne.TextWrapWord, widget.WarningImportance
	d.round.OnChanged = func(string) { d.warn() }
	d.warn()
	form := widget.NewForm(
		widget.NewFormItem("Folder", d.host.FolderRow(d.folder)),
		widget.NewFormItem("Round", d.round),
		widget.NewFormItem("Include", checks),
	)
	if len(d.models) > 0 {
		d.only = widget.NewCheck(fmt.Sprintf("only the %s", present.Counted(int64(len(d.models)), "chosen model")), nil)
		d.only.SetChecked(true)
		form.Append("Models", d.only)
	}
	d.sheet.Show(container.NewVBox(form, d.blind), d.sheet.CloseButton("Cancel"), d.start)
	d.sheet.Present(nil)
}

// roundName tells rounds of the same name apart by the end of their id.
func roundName(r label.Round) string {
	return fmt.Sprintf("%s (%s)", r.Name, r.ID[max(0, len(r.ID)-6):])
}

// warn says when the files will hold what annotators must not see yet.
func (d *exportDialog) warn() {
	d.blind.Hide()
	if text := secretText(d.rounds, d.round.Selected); text != "" {
		d.blind.SetText(text)
		d.blind.Show()
	}
}

// secretText names the chosen rounds that are blind and still open, "" when there is none.
func secretText(rounds []label.Round, chosen string) string {
	var names []string
	for _, r := range rounds {
		if r.Secret() && (chosen == allRounds || chosen == roundName(r)) {
			names = append(names, r.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("Blind and still open: %s. The files hold everybody's labels; keep them from those who still label.", strings.Join(names, ", "))
}

func (d *exportDialog) options() export.Options {
	o := export.Options{Out: kit.Paths(d.folder.Text)[0], Version: d.version}
	for _, r := range d.rounds {
		if d.round.Selected == roundName(r) {
			o.Round = r.ID
		}
	}
	if d.only != nil && d.only.Checked {
		o.Models = d.models
	}
	for part, check := range d.include {
		if !check.Checked {
			o.Without |= part
		}
	}
	return o
}

func (d *exportDialog) run() { d.write(d.options()) }

func (d *exportDialog) write(options export.Options) {
	var files []string
	d.sheet.Work("Export", func(ctx context.Context, p *background.Progress) (err error) {
		files, err = export.Export(ctx, d.ws, options, p)
		return err
	}, func(err error) {
		var foreign *export.ForeignError
		if errors.As(err, &foreign) && !d.sheet.Closed() {
			d.askForeign(options, err)
			return
		}
		d.done(options.Out, files, err)
	})
}

// askForeign asks before files are written into a folder that holds others.
func (d *exportDialog) askForeign(options export.Options, err error) {
	text := widget.NewLabel(sentence(err))
	text.Wrapping = fyne.TextWrapWord
	anyway := widget.NewButton("Write there anyway", func() {
		options.Force = true
		d.write(options)
	})
	anyway.Importance = widget.WarningImportance
	d.sheet.Show(container.NewVBox(text), d.sheet.CloseButton("Cancel"), anyway)
}

func (d *exportDialog) done(folder string, files []string, err error) {
	if err != nil {
		d.sheet.Close()
		if cancelled(err) {
			d.host.Say("The export was cancelled.")
			return
		}
		d.host.Fail(err)
		return
	}
	d.host.Say(fmt.Sprintf("Exported %s to %s", present.Counted(int64(len(files)), "file"), folder))
	if d.sheet.Closed() {
		return
	}
	for i, file := range files {
		if inside, err := filepath.Rel(folder, file); err == nil && filepath.IsAbs(file) {
			files[i] = inside
		}
	}
	path := widget.NewEntry()
	path.SetText(folder)
	title := fmt.Sprintf("Exported %s", present.Counted(int64(len(files)), "file"))
	d.sheet.Show(headed(title, scrolledText(strings.Join(files, "\n"), 220), path), d.sheet.CloseButton("Close"))
}
