package label

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"
	fynewidget "fyne.io/fyne/v2/widget"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// askedRounds notes what the sign-in page asks for.
type askedRounds struct{ asked []string }

func (a *askedRounds) note(format string, args ...any) {
	a.asked = append(a.asked, fmt.Sprintf(format, args...))
}
func (a *askedRounds) New()                        { a.note("new") }
func (a *askedRounds) Edit(id string)              { a.note("edit %s", id) }
func (a *askedRounds) Duplicate(id string)         { a.note("duplicate %s", id) }
func (a *askedRounds) Disagreements(id string)     { a.note("disagreements %s", id) }
func (a *askedRounds) Close(id string, close bool) { a.note("close %s %v", id, close) }
func (a *askedRounds) Delete(id string)            { a.note("delete %s", id) }

func TestSignInManagesRounds(t *testing.T) {
	r := newRig(t, 4)
	asked := &askedRounds{}
	r.screen.Close()
	r.screen = New(r.screen.Host, Deps{
		Store: r.store, Rounds: asked, Invite: func(id string) { asked.note("invite %s", id) },
		Send: func(id string) { asked.note("send %s", id) }, Now: func() time.Time { return r.now },
	})
	t.Cleanup(r.screen.Close)
	r.window.SetContent(r.screen.Object())
	fresh := r.store.NewRound(t, func(x *labels.Round) { x.Name = "fresh" })
	r.screen.Shown()
	page := r.screen.widgets.signIn
	r.stage.Until("rounds", func() bool { return len(page.choices.Rounds) == 1 })
	visible := func() string {
		var names []string
		for _, o := range page.does.row.Objects {
			if b := o.(*fynewidget.Button); b.Visible() {
				names = append(names, b.Text)
			}
		}
		return strings.Join(names, " ")
	}
	if got := visible(); got != "Edit… Duplicate… Close Delete Invite…" {
		t.Errorf("an unused round offers %s", got)
	}
	used := r.store.NewRound(t, func(x *labels.Round) { x.Name = "used" })
	r.store.Put(t, used, "r1", used.Models[0], labels.Variant)
	r.store.Put(t, used, "r2", used.Models[0], labels.Invariant)
	r.stage.Until("the new round is shown", func() bool {
		now, ok := page.round()
		return ok && now.ID == used.ID && page.choices.Rounds[page.at].Divided == 1
	})
	if got := visible(); got != "Edit… Duplicate… Disagreements… Close Invite… Send my labels…" {
		t.Errorf("a used round offers %s", got)
	}
	for _, text := range []string{
		"Edit…", "Duplicate…", "Disagreements…", "Close", "Invite…", "Send my labels…",
		"New round…",
	} {
		test.Tap(r.button(text))
	}
	want := []string{"edit", "duplicate", "disagreements", "close", "invite", "send"}
	for k, word := range want {
		if !strings.HasPrefix(asked.asked[k], word+" "+used.ID) {
			t.Errorf("asked %q, want %s", asked.asked[k], word)
		}
	}
	if asked.asked[6] != "new" || asked.asked[3] != "close "+used.ID+" true" {
		t.Errorf("asked %v", asked.asked)
	}
	testdata.OK(t, r.store.CloseRound(used.ID, true))
	r.stage.Until("closed", func() bool { return strings.Contains(visible(), "Open again") })
	page.list.Select(slices.IndexFunc(page.choices.Rounds, func(c RoundChoice) bool { return c.Round.ID == fresh.ID }))
	test.Tap(r.button("Delete"))
	if last := asked.asked[len(asked.asked)-1]; last != "delete "+fresh.ID {
		t.Errorf("asked %q", last)
	}
}

// Which models divide the annotators is hidden while a blind round is open: whoever knows their own
// label would know others'.
func TestSignInHidesDisagreementsOfABlindRound(t *testing.T) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, func(x *labels.Round) { x.Blind = true })
	r.store.Put(t, round, "r1", round.Models[0], labels.Variant)
	r.store.Put(t, round, "r2", round.Models[0], labels.Invariant)
	for _, closed := range []bool{false, true} {
		testdata.OK(t, r.store.CloseRound(round.ID, closed))
		c := testdata.Must(readChoices(r.store))(t)
		if got := c.Rounds[0].Divided > 0; got != closed {
			t.Errorf("closed %v: disagreements are shown: %v", closed, got)
		}
	}
}

// A round that is deleted under an annotator's hands leads back to the choice of rounds.
func TestSignedOutOfADeletedRound(t *testing.T) {
	r := newRig(t, 4)
	round := r.store.NewRound(t, nil)
	r.signIn(round, "r1")
	testdata.Must(r.store.DeleteRound(round.ID))(t)
	r.stage.Until("the choice of rounds", func() bool {
		return r.screen.Session() == nil && r.screen.widgets.signIn.object.Visible()
	})
	if len(r.errs) > 0 {
		t.Errorf("errors %v", r.errs)
	}
}
