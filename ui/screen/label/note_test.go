package label

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/variscope/variscope/store"
)

// What was typed into the note stays until it is stored with the next event, whatever is clicked
// or changes meanwhile.
func TestTypedNoteOutlivesClicksAndChanges(t *testing.T) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, nil)
	r.signIn(round, "r1")
	f := r.screen.widgets
	r.window.Canvas().Focus(f.note)
	test.Type(f.note, "a cross")
	for what, do := range map[string]func(){
		"a click on a matrix": func() { r.screen.focus() },
		"unsure":              func() { r.click("Keys (?)"); r.key('x'); f.sure.SetChecked(!f.sure.Checked) },
		"a new name": func() {
			if err := r.store.PutAnnotator(store.Annotator{ID: "r1", Name: "annotator 1"}); err != nil {
				t.Fatal(err)
			}
			r.stage.Until("the name", func() bool { return r.screen.name("r1") == "annotator 1" })
		},
	} {
		if do(); f.note.Text != "a cross" {
			t.Fatalf("after %s the note is %q", what, f.note.Text)
		}
	}
	r.screen.focus()
	r.key('v')
	if got := r.events(round); len(got) != 1 || got[0].Note != "a cross" {
		t.Errorf("stored %+v", got)
	}
	if f.note.Text != "" || r.window.Canvas().Focused() != fyne.Focusable(f.surface) {
		t.Errorf("the next model has the note %q", f.note.Text)
	}
}
