package dialogs

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
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
	host.Work.Quiet("read rounds", func(context.Context) (err error) {
		list, err = openRounds(ws)
		return err
	}, func(err error) {
		switch {
		case err != nil:
			host.Fail(err)
		case len(list) == 0:
			fresh()
		default:
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

// RoundTitles are the names of rounds for a menu, each once: equal names carry the start of their
// ids.
func RoundTitles(rounds []label.Round) []string {
	uses := map[string]int{}
	for _, r := range rounds {
		uses[r.Name]++
	}
	titles := make([]string, len(rounds))
	for k, r := range rounds {
		titles[k] = r.Name
		if uses[r.Name] > 1 {
			titles[k] += " " + r.ID
		}
	}
	return titles
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

func (r Rounds) askWhich(list []label.Round, hashes []string, fresh func()) {
	s := r.Host.NewDialog("Add to round", fyne.NewSize(520, 220))
	about := widget.NewLabel("")
	about.Wrapping = fyne.TextWrapWord
	menu := widget.NewSelect(RoundTitles(list), nil)
	add := widget.NewButton("Add", func() {
		round := list[menu.SelectedIndex()]
		s.Close()
		r.append(round, hashes)
	})
	add.Importance = widget.HighImportance
	menu.OnChanged = func(string) { about.SetText(growth(list[menu.SelectedIndex()], hashes)) }
	menu.SetSelectedIndex(0)
	s.Show(container.NewVBox(widget.NewLabel(fmt.Sprintf("Add %s to", present.Counted(int64(len(hashes)), "model"))), menu, about),
		s.CloseButton("Cancel"), widget.NewButton("New round…", func() { s.Close(); fresh() }), add)
	s.Present(nil)
}

// append adds models to a round.
func (r Rounds) append(round label.Round, hashes []string) {
	ws := r.Workspace
	var added []string
	r.Host.Work.Quiet("add to round", func(context.Context) (err error) {
		added, err = ws.AppendModels(round.ID, hashes)
		return err
	}, func(err error) {
		if err != nil {
			r.Host.Fail(err)
			return
		}
		r.did(history.Step{
			Title: fmt.Sprintf("%s added to round %s", present.Counted(int64(len(added)), "model"), round.Name),
			Undo:  func(context.Context) error { return ws.RemoveAppended(round.ID, added) },
			Redo:  func(context.Context) error { _, err := ws.AppendModels(round.ID, added); return err },
		})
		r.Host.Say(fmt.Sprintf("%s added to round %s", present.Counted(int64(len(added)), "model"), round.Name))
	})
}
