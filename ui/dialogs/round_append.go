package dialogs

import (
	"context"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// AddToRoundDialog adds models to an open round, or makes a new round of them. Did is told of the
// change and may be nil.
func AddToRoundDialog(host *kit.Host, ws *store.Workspace, hashes []string, did func(history.Step)) {
	rounds := Rounds{Host: host, Workspace: ws, Did: did}
	fresh := func() { rounds.newOf(offer{"chosen ones", hashes}, false) }
	var list []label.Round
	host.Quietly("read rounds", func() (err error) {
		list, err = openRounds(ws)
		return err
	}, func() {
		if len(list) == 0 {
			fresh()
		} else {
			rounds.askWhich(list, hashes, fresh)
		}
	})
}

// openRounds are the rounds that can grow, newest first.
func openRounds(ws *store.Workspace) ([]label.Round, error) {
	all, err := ws.Rounds()
	var list []label.Round
	for k := len(all) - 1; k >= 0; k-- {
		if !all[k].Closed {
			list = append(list, all[k])
		}
	}
	return list, err
}

// growth says what adding models to a round does.
func growth(r label.Round, hashes []string) string {
	in := map[string]bool{}
	for _, hash := range r.Models {
		in[hash] = true
	}
	known := 0
	for _, hash := range hashes {
		if in[hash] {
			known++
		}
	}
	text := present.ByCount(len(hashes)-known, "%d model comes to the %d of the round.", "%d models come to the %d of the round.",
		len(hashes)-known, len(r.Models))
	if known > 0 {
		text = present.ByCount(known, "%s %d is in it already.", "%s %d are in it already.", text, known)
	}
	if known < len(hashes) {
		text = fmt.Sprintf("%s Annotators who had finished have more to do then.", text)
	}
	return text
}

// growing is what is asked for where models are added to a round.
type growing struct {
	Round string `help:"Round that grows: one that is open." source:"rounds"`
}

func (r Rounds) askWhich(list []label.Round, hashes []string, fresh func()) {
	chosen := func(o growing) label.Round {
		return list[slices.IndexFunc(list, func(one label.Round) bool { return one.ID == o.Round })]
	}
	var d *kit.Dialog
	other := widget.NewButton("New round…", func() { d.Close(); fresh() })
	d = (&kit.Ask[growing]{
		Title: fmt.Sprintf("Add %s to a round", result.Counted(len(hashes), "model")), Button: "Add", Size: fyne.NewSize(520, 220),
		Form: &kit.Form[growing]{Host: r.Host, Choices: func(string) ([]kit.Option, string) { return roundOptions(list), "" }},
		Line: func(o growing) kit.Work[string] {
			text := growth(chosen(o), hashes)
			return func(context.Context, engine.Progress) (string, error) { return text, nil }
		},
		Below: container.NewHBox(other),
		Do: func(d *kit.Dialog, o growing) {
			d.Close()
			r.append(chosen(o), hashes)
		},
	}).Open()
}

// append adds models to a round.
func (r Rounds) append(round label.Round, hashes []string) {
	ws := r.Workspace
	var added []string
	r.Host.Quietly("add to round", func() (err error) {
		added, err = ws.AppendModels(round.ID, hashes)
		return err
	}, func() {
		title := fmt.Sprintf("%s added to round %s", result.Counted(len(added), "model"), round.Name)
		r.noted(title, title, func() error { return ws.RemoveAppended(round.ID, added) },
			func() error { _, err := ws.AppendModels(round.ID, added); return err })
	})
}
