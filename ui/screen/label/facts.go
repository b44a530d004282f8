package label

import (
	"context"
	"fmt"
	"image"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// begin shows a session that has just started.
func (f *widgets) begin(session *Session, pictures map[string]image.Image) {
	round := session.Round()
	f.guideline.Show(round.Guideline, pictures)
	for value, button := range f.buttons {
		if session.Offers(value) {
			button.Show()
		} else {
			button.Hide()
		}
	}
	f.offers.Refresh()
	f.clearNote()
	f.readOut.SetText("")
	f.message("", false)
	if round.Closed {
		f.message(confirmClosed(round), false)
	}
}

// showSession brings the work to the front and updates what depends on the session.
func (f *widgets) showSession() {
	f.signIn.object.Hide()
	f.surface.Show()
	f.done.Hide()
	f.showPaused(f.s.paused)
	f.update()
}

// showPaused covers the matrices, or shows them again.
func (f *widgets) showPaused(paused bool) {
	f.rest.Hidden = !paused
	f.over.Hidden = paused || f.done.Visible()
	f.arrange()
}

// showSignIn brings the choice of round and annotator to the front.
func (f *widgets) showSignIn() {
	f.panel.close()
	f.surface.Hide()
	f.signIn.object.Show()
}

// update shows label, certainty, progress and note of the item; the matrices stay.
func (f *widgets) update() {
	session := f.s.session
	p := session.Progress()
	f.progress.SetText(fmt.Sprintf("%s: %d of %d", f.s.name(session.Annotator()), p.Done, p.Total))
	if p.Total > 0 {
		f.bar.SetValue(float64(p.Done) / float64(p.Total))
	}
	f.showPace(session.Pace(f.s.deps.Now()))
	f.sure.Checked = !session.Sure()
	f.sure.Refresh()
	f.chip.SetText(chipText(session))
	f.arrangeHead()
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
	if f.noteTurn == turn && (f.typing() || typed) {
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
	f.badge.Explain(e.Badge())
	f.title.SetText(e.Model.ID)
	f.arrangeHead()
}

// arrangeHead shares the header's width out anew after a text in it changed.
func (f *widgets) arrangeHead() { f.head.Layout.Layout(f.head.Objects, f.head.Size()) }

// chipText says what is known of the item shown: its place, its label and flag, and whether it is
// an earlier one.
func chipText(session *Session) string {
	if _, ok := session.Item(); !ok {
		return ""
	}
	text := session.Round().Name
	if ev, ok := session.Label(); ok {
		text = fmt.Sprintf("%s, your label: %s", text, string(ev.Value))
		if !ev.Sure {
			text = fmt.Sprintf("%s, unsure", text)
		}
	} else if session.Skipped() {
		text = fmt.Sprintf("%s, skipped before", text)
	}
	if flag := session.Flag(); flag != "" {
		text = fmt.Sprintf("%s, flagged: %s", text, flag)
	}
	if session.Looking() {
		text = fmt.Sprintf("%s — an earlier one", text)
	}
	return text
}

// showEvidence shows the matrices, curves and record of the item.
func (f *widgets) showEvidence(e evidence.Prepared) {
	f.setItem(e.Evidence)
	f.row.Show(e)
	rearrange := f.charts.Show(e.Evidence)
	if scenes := e.Scenes != nil; scenes == f.charts.AccuracyBox().Visible() { // in scenes there is no accuracy per transformation
		f.charts.AccuracyBox().Hide()
		if !scenes {
			f.charts.AccuracyBox().Show()
		}
		rearrange = true
	}
	if rearrange {
		f.details.Refresh()
	}
	f.record.Show(recordLines(f.s.session.Round(), e.Evidence))
	if e.State != "" {
		f.message(e.State, true)
	}
}

// recordLines are what was measured of a model and the fields of its training record that the
// round shows.
func recordLines(round labels.Round, e evidence.Evidence) []evidence.Line {
	record := evidence.RecordLines(&round, e.Model)
	if e.Scenes != nil {
		return append(evidence.SceneLines(e), record...)
	}
	return append(record, evidence.Line{Name: "suite", Value: e.Suite},
		evidence.Line{Name: "family", Value: e.Family}, evidence.Line{Name: "images", Value: e.Counts()})
}

// repaint makes the pictures anew for the view in force, off the main goroutine.
func (f *widgets) repaint() {
	if f.s.session == nil {
		return
	}
	shown, v := f.row.Shown().Evidence, f.s.view
	f.s.forget() // what was painted for the old view
	epoch := f.s.epoch
	background.Load(f.s.Work, &f.paint, "paint matrices", func(context.Context) (evidence.Prepared, error) {
		return evidence.Prepare(shown, v), nil
	}, func(p evidence.Prepared, err error) {
		if item, ok := f.s.currentItem(); ok && err == nil && epoch == f.s.epoch && item == p.Model.Hash && p.Ready() {
			f.s.shelf.put(item, p)
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
	f.blank("…", hash, "reading")
}

// blank shows nothing of any model but a title and a reason: matrices, curves, record and read-out
// go.
func (f *widgets) blank(title, hash, reason string) {
	f.setTitle(title)
	f.row.Blank(evidence.Blank(f.s.session.Round(), hash, reason))
	f.charts.Blank(reason)
	f.record.Show(nil)
	f.readOut.SetText("")
}

// showBroken says that the item's evidence cannot be read.
func (f *widgets) showBroken(hash string, err error) {
	f.blank(result.ID.SayText(hash), hash, present.Sentence(err))
}

// showDone is the end of the round for this annotator.
func (f *widgets) showDone() {
	session := f.s.session
	p := session.Progress()
	f.setTitle(session.Round().Name)
	keys := f.s.keys()
	f.doneText.SetText(fmt.Sprintf("%s has done all %d of round %s. %s and %s lead back to change a label.",
		f.s.name(session.Annotator()), p.Total, session.Round().Name, keys.Text("Back", keymap.Back), keys.Text("Undo", keymap.Undo)))
	f.over.Hide()
	f.done.Show()
	f.showPace(Pace{})
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

func (f *widgets) typeIntoNote(r rune) { f.note.TypedRune(r) }

func (f *widgets) noteKey(k fyne.KeyName) { f.note.TypedKey(&fyne.KeyEvent{Name: k}) }

// noteText is the text in the note; what is stored when the text belongs to another item.
func (f *widgets) noteText() string {
	if f.s.session != nil && f.s.session.Turn() == f.noteTurn {
		return f.note.Text
	}
	return f.s.session.Note()
}

// clearNote drops what is in the note, because another item is shown.
func (f *widgets) clearNote() { f.noteTurn = labels.Turn{} }

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

// arrange lays out anew what stands beside the matrices.
func (f *widgets) arrange() { f.desk.Refresh() }
