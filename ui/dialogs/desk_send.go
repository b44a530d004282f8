package dialogs

import (
	"context"
	"fmt"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// InviteDialog asks for a file and writes the round package of a round into it, for annotators at
// other computers.
func InviteDialog(host *kit.Host, ws *store.Workspace, roundID string) {
	readDeskRound(host, ws, roundID, func(f deskRound) {
		d := &writeDialog{host: host, sheet: host.NewDialog(fmt.Sprintf("Invite to %s", f.round.Name), fyne.NewSize(640, 330)), suffix: desk.RoundSuffix, action: "Write package"}
		full := widget.NewCheck("with the model files and the images (large)", nil)
		d.note = "The package holds the round, the matrices of its models, their records and curves. Whoever opens it can label at once, " +
			"without models, images or ONNX Runtime, and sends the labels back as a file. No label of anybody goes with it."
		d.write = func(ctx context.Context, path string, p *background.Progress) (desk.Written, error) {
			return desk.Invite(ctx, ws, roundID, path, full.Checked, p)
		}
		d.done = func(w desk.Written) string {
			return fmt.Sprintf("%s with %s, %s. Give it to the annotators; they open it with File > Open round package.",
				filepath.Base(w.Path), present.Counted(int64(w.Models), "model"), store.SizeText(w.Size))
		}
		d.open(deskFile(ws, desk.RoundSuffix, f.round.Name), widget.NewFormItem("", full))
	})
}

// SendLabelsDialog asks whose labels of this desk go into which file, and writes it.
func SendLabelsDialog(host *kit.Host, ws *store.Workspace, roundID string) {
	readDeskRound(host, ws, roundID, func(f deskRound) {
		d := &writeDialog{host: host, sheet: host.NewDialog(fmt.Sprintf("Send labels of %s", f.round.Name), fyne.NewSize(640, 330)), suffix: desk.LabelsSuffix, action: "Write file"}
		ids, names := f.senders()
		if len(ids) == 0 {
			d.sheet.Show(wrapped("Nobody has labelled anything in this round at this desk yet. There is nothing to send."), d.sheet.CloseButton("Close"))
			d.sheet.Present(nil)
			return
		}
		who := widget.NewSelect(names, nil)
		who.SetSelectedIndex(0)
		d.note = "The file holds what was labelled at this desk, with notes, times and what was taken back. Whoever collects the " +
			"labels merges it; sending again later does no harm."
		d.write = func(ctx context.Context, path string, _ *background.Progress) (desk.Written, error) {
			return desk.Send(ctx, ws, roundID, ids[max(who.SelectedIndex(), 0)], path)
		}
		d.done = func(w desk.Written) string {
			return fmt.Sprintf("%s with %s, %s. The hash tells whoever gets it that it is whole.",
				filepath.Base(w.Path), present.Counted(int64(w.Events), "event"), store.SizeText(w.Size))
		}
		d.open(deskFile(ws, desk.LabelsSuffix, f.round.Name, ws.Name()), widget.NewFormItem("Whose labels", who))
	})
}

// deskRound is what the dialogs of a round need to know.
type deskRound struct {
	round label.Round
	names map[string]string // of annotators
	own   map[string]int    // events of this desk by annotator
}

func readDeskRound(host *kit.Host, ws *store.Workspace, id string, show func(deskRound)) {
	f := deskRound{own: map[string]int{}}
	host.Work.Quiet("read round", func(context.Context) (err error) {
		if f.round, err = ws.Round(id); err != nil {
			return err
		}
		if f.names, err = ws.AnnotatorNames(); err != nil {
			return err
		}
		events, err := desk.Own(ws, f.round, "")
		for _, ev := range events {
			f.own[ev.Annotator]++
		}
		return err
	}, func(err error) {
		if err != nil {
			host.Fail(err)
			return
		}
		show(f)
	})
}

// senders are the choices of whose labels are sent: everybody's first where there are several.
func (f deskRound) senders() (ids, names []string) {
	for _, id := range f.round.Annotators {
		if f.own[id] == 0 {
			continue
		}
		name := f.names[id]
		if name == "" {
			name = id
		}
		ids, names = append(ids, id), append(names, fmt.Sprintf("%s (%s)", name, present.Counted(int64(f.own[id]), "event")))
	}
	if total := len(ids); total > 1 {
		ids, names = append([]string{""}, ids...), append([]string{"everybody at this desk"}, names...)
	}
	return ids, names
}

// writeDialog asks for a file and writes it.
type writeDialog struct {
	host   *kit.Host
	sheet  *kit.Dialog
	suffix string
	action string
	note   string
	write  func(ctx context.Context, path string, p *background.Progress) (desk.Written, error)
	done   func(desk.Written) string
}

func (d *writeDialog) open(path string, more ...*widget.FormItem) {
	entry := widget.NewEntry()
	entry.SetText(path)
	start := widget.NewButton(d.action, func() { d.run(withSuffix(kit.Paths(entry.Text)[0], d.suffix)) })
	start.Importance = widget.HighImportance
	entry.OnChanged = func(text string) {
		if len(kit.Paths(text)) == 1 {
			start.Enable()
		} else {
			start.Disable()
		}
	}
	browse := d.host.BrowseFolder(func(folder string) { entry.SetText(filepath.Join(folder, filepath.Base(entry.Text))) })
	form := widget.NewForm(append([]*widget.FormItem{
		widget.NewFormItem("File", container.NewBorder(nil, nil, nil, browse, entry)),
	}, more...)...)
	d.sheet.Show(container.NewVBox(wrapped(d.note), form), d.sheet.CloseButton("Cancel"), start)
	d.sheet.Present(nil)
}

func (d *writeDialog) run(path string) {
	var written desk.Written
	d.sheet.Work(d.action, func(ctx context.Context, p *background.Progress) (err error) {
		written, err = d.write(ctx, path, p)
		return err
	}, func(err error) {
		switch {
		case cancelled(err):
			d.sheet.Close()
			d.host.Say("Nothing was written.")
		case err != nil && d.sheet.Closed():
			d.host.Fail(err)
		case err != nil:
			d.sheet.Show(wrapped(sentence(err)), d.sheet.CloseButton("Close"))
		default:
			d.host.Say(fmt.Sprintf("Wrote %s", written.Path))
			d.sheet.Show(container.NewVBox(wrapped(d.done(written)),
				widget.NewForm(widget.NewFormItem("File", deskLine(written.Path)), widget.NewFormItem("SHA-256", deskLine(written.SHA256)))),
				d.sheet.CloseButton("Close"))
		}
	})
}

// deskLine is a line of text that can be selected and copied.
func deskLine(text string) *widget.Entry {
	entry := widget.NewEntry()
	entry.SetText(text)
	return entry
}
