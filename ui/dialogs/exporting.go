package dialogs

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// ExportDialog asks for a folder, a round and what to leave out, and writes the labelled set
// (DESIGN.md section 8). Version is the program's, for the card. Models (hashes) are the chosen
// ones; nil for none.
func ExportDialog(host *kit.Host, ws *store.Workspace, version string, models []string) {
	d := &exportDialog{host: host, ws: ws, version: version}
	host.Work.Quiet("export dialog", func(context.Context) (err error) {
		if d.rounds, err = ws.Rounds(); err == nil {
			d.models, err = readChoice(ws, models)
		}
		return err
	}, func(err error) {
		if err != nil {
			host.Fail(err)
			return
		}
		d.open()
	})
}

type exportDialog struct {
	host    *kit.Host
	ws      *store.Workspace
	version string
	rounds  []label.Round
	models  modelChoice
}

func (d *exportDialog) open() {
	blind := own.Wrapped("")
	blind.Importance = widget.WarningImportance
	warn := func(o export.Options) {
		text := secretText(d.rounds, o.Round)
		blind.SetText(text)
		own.Show(blind, text != "")
	}
	hide := []string{"force"}
	if len(d.models.chosen) == 0 {
		hide = append(hide, "models")
	}
	ask := &kit.Ask[export.Options]{
		Title: "Export", Button: "Export", Size: fyne.NewSize(640, 340), Below: blind, Do: d.write,
		Writes: func(o export.Options) []string { return []string{o.Out} },
		Form: &kit.Form[export.Options]{
			Host: d.host, Hide: hide, OnChange: warn,
			Choices: func(source string) (list []kit.Option, first string) {
				if source == "models" {
					return d.models.options()
				}
				// Chosen models need not be in the one round.
				if list = roundOptions(d.rounds); len(list) == 1 && len(d.models.chosen) == 0 {
					first = list[0].Key
				}
				return append([]kit.Option{{Name: "all rounds"}}, list...), first
			},
			Named: func(_, choice string) string { return export.Part(choice).Name() },
			Command: func(o export.Options) ([]string, any) {
				o.Models = d.models.ids(o.Models)
				return []string{"variscope", "export", d.ws.Path()}, &o
			},
		},
		Start: func(f *kit.Form[export.Options]) {
			put(f, "out", beside(d.ws.Path(), d.ws.Name()+"-export"))
			if list, first := f.Choices("rounds"); first != "" && len(list) > 0 {
				put(f, "round", first)
			}
			if _, first := d.models.options(); first != "" {
				put(f, "models", first)
			}
		},
	}
	ask.Open()
	warn(ask.Form.Options())
}

// secretText names the rounds of an export that are blind and still open, "" when there is none.
// chosen is the id of one round, "" for all.
func secretText(rounds []label.Round, chosen string) string {
	var names []string
	for _, r := range rounds {
		if r.Secret() && (chosen == "" || chosen == r.ID) {
			names = append(names, r.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("Blind and still open: "+
		"%s. The files hold everybody's labels; keep them from those who still label.", strings.Join(names, ", "))
}

func (d *exportDialog) write(sheet *kit.Dialog, options export.Options) {
	options.Version, options.Force = d.version, true // the dialog has asked
	var files []string
	sheet.Work("Export", func(ctx context.Context, p *jobs.Progress) (err error) {
		files, err = export.Export(ctx, d.ws, options, p)
		return err
	}, func(err error) { d.done(sheet, options.Out, files, err) })
}

func (d *exportDialog) done(sheet *kit.Dialog, folder string, files []string, err error) {
	if err != nil {
		sheet.Close()
		if cancelled(err) {
			d.host.Say("The export was cancelled.")
			return
		}
		d.host.Fail(err)
		return
	}
	title := fmt.Sprintf("Exported %s", result.Counted(len(files), "file"))
	d.host.Say(fmt.Sprintf("%s to %s", title, folder))
	if sheet.Closed() {
		return
	}
	for i, file := range files {
		if inside, err := filepath.Rel(folder, file); err == nil && filepath.IsAbs(file) {
			files[i] = inside
		}
	}
	showWritten(sheet, title, files, folder)
}
