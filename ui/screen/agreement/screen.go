// Package agreement is the screen that shows how well the annotators of a round agree, over all
// models, over time and by kind of model, how many more labels would tell it better, and where
// what they disagree on gets its final label. What it shows is declared in engine/agreement and
// engine/label; View, computed by Build without Fyne, is that of one round.
package agreement

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// Actions are what a round has besides what a screen shows. Nil hides an entry.
type Actions struct {
	// Scenes reads what background rounds show; nil where there are none.
	Scenes evidence.Scenes
	// Invite writes a round package, Send the labels of this desk, Merge takes files of labels.
	Invite, Send func(roundID string)
	Merge        func()
	// Close closes a round, after a question, or opens it again.
	Close func(roundID string, closed bool)
	// Did gets every change of data that can be taken back.
	Did func(history.Step)
}

// The workspace settings that the screen remembers, and those of others that it follows.
const (
	settingJudge  = "agreement.judge" // id of who adjudicates
	settingViewer = "label.annotator" // who signed in last
)

// Screen is the agreement screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	*kit.Screen[measure.RoundOptions, Data]
	store    *store.Workspace
	actions  Actions
	tabs     *kit.Tabs
	measures *measuresPage
	overTime *kit.Screen[measure.OverTimeOptions, series]
	kinds    *kindsPage
	plan     *planPage
	queue    *queuePage
	ending   *fynewidget.Button // closes the round, or opens it again
	shown    string             // id of the round shown
}

// Data is what the screen reads. It is immutable.
type Data struct {
	Rounds         []label.Round // newest first
	View           *View         // of the chosen one, nil without rounds
	Judge          string        // id of who adjudicated last
	Colour, Fields string        // names of the colour maps of matrices and of interpolated ones
}

// New makes the screen; it measures when it is shown.
func New(host *kit.Host, ws *store.Workspace, actions Actions) *Screen {
	if actions.Did == nil {
		actions.Did = func(history.Step) {}
	}
	s := &Screen{store: ws, actions: actions}
	desks := host.MenuButton("Other desks", theme.MailSendIcon(), s.desksMenu)
	s.ending = fynewidget.NewButton("Close round…", func() {
		round := s.view().Round
		actions.Close(round.ID, !round.Closed)
	})
	var head []fyne.CanvasObject
	if actions.Invite != nil || actions.Send != nil || actions.Merge != nil {
		head = append(head, desks)
	}
	if actions.Close != nil {
		head = append(head, s.ending)
	}
	s.measures, s.overTime = newMeasures(s, host), newOverTime(s, host)
	s.kinds, s.plan, s.queue = newKinds(s, host), newPlan(s, host), newQueue(s, host)
	s.tabs = kit.NewTabs(host, "agreement",
		kit.Tab{Key: "measures", Title: "Measures", Page: s.measures},
		kit.Tab{Key: "time", Title: "Over time", Page: s.overTime},
		kit.Tab{Key: "kinds", Title: "By kind of model", Page: s.kinds},
		kit.Tab{Key: "plan", Title: "How many more?", Page: s.plan},
		kit.Tab{Key: "adjudicate", Title: "Adjudicate", Page: s.queue})
	s.Screen = kit.New(kit.Screen[measure.RoundOptions, Data]{
		Host: host, Name: "Measure agreement", Doing: "Measuring agreement…", Key: "agreement", About: &answers,
		Tabs: s.tabs, Quiet: true,
		Load: func(o measure.RoundOptions) kit.Work[Data] {
			return func(ctx context.Context, _ engine.Progress) (Data, error) { return read(ctx, ws, o) }
		},
		On:   []store.ChangeKind{store.LabelsChanged, store.RoundChanged, store.ModelChanged, store.SettingChanged},
		Form: &kit.Form[measure.RoundOptions]{Choices: s.rounds}, Head: head, Show: s.show,
		Empty: func(d Data) (kit.Empty, bool) {
			return kit.Empty{Text: "No round yet. Create one on the Label screen; agreement appears here as soon as " +
				"two people have labelled the same model."}, d.View == nil
		},
		Line: func(d Data) string { return d.View.Heading() }, Margin: true,
	})
	return s
}

// ShowRound shows the agreement in a round.
func (s *Screen) ShowRound(id string) {
	if d, _ := s.Data(); len(d.Rounds) > 0 && d.Rounds[0].ID == id {
		id = "" // rounds gives the newest no key
	}
	if err := s.Form.Put("round", id); err != nil {
		s.Fail(err)
	}
	s.tabs.Select("measures")
}

// view is what is shown, of no round where there is none.
func (s *Screen) view() *View {
	if d, _ := s.Data(); d.View != nil {
		return d.View
	}
	return &View{Measured: &measure.Round{}}
}

// rounds are the choices of the menu. The newest round has no key: whoever has chosen no other sees
// the next one as soon as it is there.
func (s *Screen) rounds(string) (list []kit.Option, first string) {
	d, _ := s.Data()
	for k, r := range d.Rounds {
		o := kit.Option{Key: r.ID, Name: r.Name}
		if slices.ContainsFunc(d.Rounds[:k], func(before label.Round) bool { return before.Name == r.Name }) {
			o.Name = r.Name + " (" + r.ID + ")"
		}
		if k == 0 {
			o.Key = ""
		}
		list = append(list, o)
	}
	return list, ""
}

func read(ctx context.Context, from *store.Workspace, o measure.RoundOptions) (d Data, err error) {
	d.Colour, d.Fields = evidence.DefaultMap, evidence.DefaultFieldMap
	var in Input
	for key, into := range map[string]*string{
		settingJudge: &d.Judge, settingViewer: &in.Viewer, evidence.SettingMap: &d.Colour,
		evidence.SettingFieldMap: &d.Fields,
	} {
		if _, err := from.Setting(key, into); err != nil {
			return d, err
		}
	}
	if d.Rounds, err = from.Rounds(); err != nil || len(d.Rounds) == 0 {
		return d, err
	}
	slices.SortStableFunc(d.Rounds, func(x, y label.Round) int { return y.Created.Compare(x.Created) })
	in.Round = d.Rounds[max(0, slices.IndexFunc(d.Rounds, func(r label.Round) bool { return r.ID == o.Round }))]
	if in.Events, err = from.Events(in.Round.ID); err != nil {
		return d, err
	}
	if in.People, err = from.AnnotatorNames(); err != nil {
		return d, err
	}
	models, err := from.Models()
	if err != nil {
		return d, err
	}
	in.Names, in.Records = make(map[string]string, len(models)), make(map[string][]model.Field, len(models))
	for _, m := range models {
		in.Names[m.Hash], in.Records[m.Hash] = m.ID, m.Record
	}
	in.Options = measure.Options{LeaveOneOut: o.LeaveOneOut, Intervals: true, Context: ctx}
	d.View = Build(in)
	return d, ctx.Err()
}

// show applies what was read.
func (s *Screen) show(d Data) {
	v := d.View
	if v.Round.ID != s.shown {
		s.shown = v.Round.ID
		s.measures.forget()
		s.queue.forget()
	}
	s.queue.take(d)
	s.ending.SetText("Close round…")
	if v.Round.Closed {
		s.ending.SetText("Open round again")
	}
	s.tabs.Count("adjudicate", len(v.Cases)-decided(v.Cases))
}

// desksMenu is what there is to do with other desks.
func (s *Screen) desksMenu() (items []*fyne.MenuItem) {
	id := s.view().Round.ID
	if s.actions.Invite != nil {
		items = append(items, fyne.NewMenuItem("Invite: write a round package…", func() { s.actions.Invite(id) }))
	}
	if s.actions.Send != nil {
		items = append(items, fyne.NewMenuItem("Send the labels of this desk…", func() { s.actions.Send(id) }))
	}
	if s.actions.Merge != nil {
		items = append(items, fyne.NewMenuItem("Merge labels of other desks…", s.actions.Merge))
	}
	return items
}
