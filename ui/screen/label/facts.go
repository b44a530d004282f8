package label

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// begin shows a session that has just started.
func (f *widgets) begin(session *Session, w work) {
	round := session.Round()
	f.guideline.Show(round.Guideline, w.pictures)
	f.evidence.Begin(round, w.longest)
	f.row.Blank(evidence.Blank(round, "", reading)) // the last round may have shown the same model otherwise
	f.surface.Follow(f.signIn.surface)
	f.surface.Show() // the bar belongs to it
	f.nameOffers()
	f.clearNote()
	f.listing = false
	f.items.SetFilter("")
	f.items.Select("")
	f.items.Unmark()
	f.ending.offer(labels.Round{}, "")
	f.signIn.newcomer.SetText("")
	f.readOut.SetText("")
	f.message("", false)
	if round.Closed {
		f.message(fmt.Sprintf("round %s is closed; labels can be looked at, not changed", round.Name), false)
	}
	f.placeBar()
}

// showSession brings the work to the front and updates what depends on the session.
func (f *widgets) showSession() {
	f.signIn.object.Hide()
	f.surface.Show()
	f.arrange()
	f.update()
}

// showSignIn brings the choice of round and annotator to the front.
func (f *widgets) showSignIn() {
	f.panel.close()
	f.surface.Hide()
	f.placeBar()
	f.signIn.object.Show()
	f.s.focus()
}

// update shows label, certainty, progress and note of the item; the matrices stay.
func (f *widgets) update() {
	session := f.s.session
	p := session.Shown()
	f.roundName.SetText(session.Round().Name)
	f.progress.SetText(fmt.Sprintf("%s: %d of %d", f.s.name(session.Annotator()), p.Done, p.Total))
	f.track.SetValue(float64(p.Done) / float64(max(p.Total, 1)))
	f.showPace(session.Pace(f.s.deps.Now()))
	f.sure.Checked = !session.Sure()
	f.sure.Refresh()
	f.showHead()
	if f.listing {
		f.items.Set(f.s.session.Items(f.s.modelNames))
	}
	current, labelled := session.Label()
	for value, button := range f.buttons {
		importance := fynewidget.MediumImportance
		if labelled && current.Value == value {
			importance = fynewidget.HighImportance
		}
		if button.Importance != importance {
			button.Importance = importance
			button.Refresh()
		}
	}
	f.showNote()
}

// showNote shows the note that is stored, unless something was typed on this turn that is not
// stored yet.
func (f *widgets) showNote() {
	turn, stored := f.s.session.Turn(), f.s.session.Note()
	typed := f.note.Text != f.noteStored && f.note.Text != stored
	if f.noteTurn == turn && turn.Model != "" && (f.typing() || typed) {
		return
	}
	f.noteTurn, f.noteStored = turn, stored
	f.note.SetText(stored)
}

// showPace shows the time on the item, the speed and the time left.
func (f *widgets) showPace(p Pace) {
	text := ""
	if _, open := f.s.session.Item(); open {
		text = p.String()
	}
	if f.pace.Text != text {
		f.pace.SetText(text)
		f.arrangeHead()
	}
}

// setTitle shows another name than that of an item.
func (f *widgets) setTitle(text string) { f.setItem(evidence.Evidence{Model: model.Model{ID: text}}) }

// setItem shows the name of an item with its badge.
func (f *widgets) setItem(e evidence.Evidence) {
	f.named = e
	f.showHead()
}

// showHead names what is in front: the list, else the item with its badge and what is known of it.
func (f *widgets) showHead() {
	e, chip := f.named, chipText(f.s.session)
	if f.listing {
		e, chip = evidence.Evidence{Model: model.Model{ID: itemTable.Title}}, ""
	}
	f.badge.Explain(e.Badge())
	f.title.SetText(e.Model.ID)
	f.chip.SetText(chip)
	f.arrangeHead()
}

// arrangeHead shares the widths of header and bar out anew after a text in them changed.
func (f *widgets) arrangeHead() {
	for _, line := range []*fyne.Container{f.head, f.bar} {
		line.Layout.Layout(line.Objects, line.Size())
	}
}

// chipText says what is known of the item shown: its label and flag, and whether it is an earlier
// one.
func chipText(session *Session) string {
	if _, ok := session.Item(); !ok {
		return ""
	}
	var parts []string
	if ev, ok := session.Label(); ok {
		text := "your label: " + session.Round().Word(ev.Value)
		if !ev.Sure {
			text += ", unsure"
		}
		parts = append(parts, text)
	} else if session.Skipped() {
		parts = append(parts, "skipped before")
	}
	if flag := session.Flag(); flag != "" {
		parts = append(parts, "flagged: "+flag)
	}
	if session.Looking() {
		parts = append(parts, "an earlier one")
	}
	return strings.Join(parts, ", ")
}

// showEvidence shows the matrices, curves and record of the item.
func (f *widgets) showEvidence(e evidence.Prepared) {
	f.setItem(e.Evidence)
	f.row.Show(e)
	f.evidence.Show(e.Evidence)
	if e.State != "" {
		f.message(e.State, true)
	}
}

// repaint makes the pictures anew for the view in force, off the main goroutine.
func (f *widgets) repaint() {
	if f.s.session == nil {
		return
	}
	shown, v := f.row.Shown().Evidence, f.s.view
	f.s.forget() // what was painted for the old view
	epoch := f.s.epoch
	jobs.Load(f.s.Work, &f.paint, "paint matrices", func(context.Context) (evidence.Prepared, error) {
		return evidence.Prepare(shown, v), nil
	}, func(p evidence.Prepared, err error) {
		if item, ok := f.s.currentItem(); ok && err == nil && epoch == f.s.epoch && item == p.Model.Hash && p.Ready() {
			f.s.cache.put(item, p)
			f.row.Show(p)
		}
	})
}

// showLoading hatches the matrices while the item's evidence is read.
func (f *widgets) showLoading() {
	hash, _ := f.s.session.Item()
	if f.row.Shown().Model.Hash == hash {
		return // being read anew
	}
	f.blank("…", hash, reading)
}

// reading is what stands in the place of evidence that is not there yet.
const reading = "reading"

// blank shows nothing of any model but a title and a reason: matrices, curves, record and read-out
// go.
func (f *widgets) blank(title, hash, reason string) {
	f.setTitle(title)
	f.row.Blank(evidence.Blank(f.s.session.Round(), hash, reason))
	f.evidence.Blank(reason)
	f.readOut.SetText("")
}

// typing tells whether the note has the focus.
func (f *widgets) typing() bool {
	return f.s.Window.Canvas().Focused() == fyne.Focusable(f.note)
}

// openNote moves the keys into the note.
func (f *widgets) openNote() {
	if _, ok := f.s.session.Item(); ok {
		f.s.Window.Canvas().Focus(f.note)
	}
}

// noteText is the text in the note; what is stored when the text belongs to another item.
func (f *widgets) noteText() string {
	if f.s.session != nil && f.s.session.Turn() == f.noteTurn {
		return f.note.Text
	}
	return f.s.session.Note()
}

// clearNote drops what is in the note, because another item is shown.
func (f *widgets) clearNote() { f.noteTurn = labels.Turn{} }

// toggleDetails hides charts and record, so that the matrices have their room, or shows them.
func (f *widgets) toggleDetails() {
	f.detailsOn = !f.detailsOn
	f.arrange()
	f.s.keeper.Keep(settingDetails, f.detailsOn)
}

// toggleGuideline opens the drawer with the guideline, or closes it.
func (f *widgets) toggleGuideline() {
	f.drawer.Hidden = !f.drawer.Hidden
	f.arrange()
}

// enlarge shows the next (1) or previous (-1) matrix alone, or all again (0). Past the last come
// all.
func (f *widgets) enlarge(by int) {
	n := len(f.row.Shown().Tiles)
	if n == 0 {
		return
	}
	only := -1
	if by != 0 {
		only = (f.row.Enlarged()+1+by+n+1)%(n+1) - 1
	}
	f.row.Enlarge(only)
	f.arrange()
}

// arrange shows the one thing that is in front, a pause before the list before the matrices or the
// end, and lays out what stands beside it. While an item cannot be seen its clock stands, and it
// takes neither label nor note.
func (f *widgets) arrange() {
	_, open := f.s.currentItem()
	f.rest.Hidden = !f.s.paused
	f.listed.Hidden = f.s.paused || !f.listing
	f.done.Hidden = f.s.paused || f.listing || open
	f.over.Hidden = f.s.paused || f.listing || !open
	f.offers.Hidden = f.listing || !open
	if widget.Show(f.note, f.over.Visible()); f.typing() && !f.note.Visible() {
		f.s.focus()
	}
	f.s.runClock()
	f.desk.Refresh()
}
