package dialogs

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// invitation is what is asked for a round package.
type invitation struct {
	Out string `required:"" help:"Round package to write." label:"File" placeholder:"NAME.vround" type:"path"`
	desk.InviteOptions
}

// InviteDialog asks for a file and writes the round package of a round into it, for annotators at
// other computers.
func InviteDialog(host *kit.Host, ws *store.Workspace, roundID string) {
	readDeskRound(host, ws, roundID, func(f deskRound) {
		ask := &kit.Ask[invitation]{
			Title: fmt.Sprintf("Invite to %s", f.round.Name), Button: "Write package", Size: deskSize,
			Job: "Write package", Stopped: "Nothing was written.",
			Above: own.Wrapped("The package holds the round, the matrices of its models, their records and curves. " +
				"Whoever opens it can label at once, without models, images or ONNX Runtime, and sends the labels " +
				"back as a file. No label of anybody goes with it."),
			Form: &kit.Form[invitation]{Host: host, Command: func(o invitation) ([]string, any) {
				return []string{"variscope", "label", ws.Path(), "invite", roundID}, &o
			}},
			Start:  func(form *kit.Form[invitation]) { put(form, "out", deskFile(ws, desk.RoundSuffix, f.round.Name)) },
			Writes: func(o invitation) []string { return []string{withSuffix(o.Out, desk.RoundSuffix)} },
			Run: func(ctx context.Context, o invitation, p *jobs.Progress) (kit.Done, error) {
				w, err := desk.Invite(ctx, ws, roundID, withSuffix(o.Out, desk.RoundSuffix), o.Full, p)
				return wrote(w, err, result.Counted(w.Models, "model"),
					"Give it to the annotators; they open it with File > Open round package.")
			},
		}
		ask.Open()
	})
}

var deskSize = fyne.NewSize(640, 330)

// sending is what is asked for a file of labels.
type sending struct {
	Out       string `required:"" help:"File to write." label:"File" placeholder:"NAME.vlabels" type:"path"`
	Annotator string `help:"Whose labels are sent." label:"Whose labels" source:"annotators"`
}

// SendLabelsDialog asks whose labels of this desk go into which file, and writes it.
func SendLabelsDialog(host *kit.Host, ws *store.Workspace, roundID string) {
	readDeskRound(host, ws, roundID, func(f deskRound) {
		title, senders := fmt.Sprintf("Send labels of %s", f.round.Name), f.senders()
		if len(senders) == 0 {
			d := host.NewDialog(title, deskSize)
			d.Show(own.Wrapped("Nobody has labelled anything in this round at this desk yet. "+
				"There is nothing to send."), d.CloseButton("Close"))
			d.Present(nil)
			return
		}
		ask := &kit.Ask[sending]{
			Title: title, Button: "Write file", Size: deskSize, Job: "Write file", Stopped: "Nothing was written.",
			Above: own.Wrapped("The file holds what was labelled at this desk, with notes, times and what was taken " +
				"back. Whoever collects the labels merges it; sending again later does no harm."),
			Form: &kit.Form[sending]{
				Host: host, Choices: func(string) ([]kit.Option, string) { return senders, senders[0].Key },
				Command: func(o sending) ([]string, any) {
					return []string{"variscope", "label", ws.Path(), "send", roundID}, &o
				},
			},
			Start: func(form *kit.Form[sending]) {
				put(form, "out", deskFile(ws, desk.LabelsSuffix, f.round.Name, ws.Name()))
			},
			Writes: func(o sending) []string { return []string{withSuffix(o.Out, desk.LabelsSuffix)} },
			Run: func(ctx context.Context, o sending, _ *jobs.Progress) (kit.Done, error) {
				w, err := desk.Send(ctx, ws, roundID, o.Annotator, withSuffix(o.Out, desk.LabelsSuffix))
				return wrote(w, err, result.Counted(w.Events, "event"),
					"The hash tells whoever gets it that it is whole.")
			},
		}
		ask.Open()
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
	host.Quietly("read round", func() (err error) {
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
	}, func() { show(f) })
}

// senders are the choices of whose labels are sent, by id: everybody's first where there are
// several.
func (f deskRound) senders() (list []kit.Option) {
	for _, id := range f.round.Annotators {
		if n := f.own[id]; n > 0 {
			list = append(list, kit.Option{
				Key: id, Name: fmt.Sprintf("%s (%s)", cmp.Or(f.names[id], id), result.Counted(n, "event")),
			})
		}
	}
	if len(list) > 1 {
		list = append([]kit.Option{{Name: "everybody at this desk"}}, list...)
	}
	return list
}

// wrote says what was written, with what in it.
func wrote(w desk.Written, err error, with, hint string) (done kit.Done, _ error) {
	if err == nil {
		done = kit.Done{
			Said: "Wrote " + w.Path, Paths: []string{w.Path}, Text: hint + "\nSHA-256 " + w.SHA256,
			Title: fmt.Sprintf("%s with %s, %s", filepath.Base(w.Path), with, store.SizeText(w.Size)),
		}
	}
	return done, err
}
