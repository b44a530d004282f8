// Package assessors is the screen that trains assessors, compares them, looks inside them and asks
// them for verdicts. FormChoices, Learn and the data of the pages are plain values that know
// nothing of Fyne; Screen draws them.
package assessors

import (
	"context"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/exchange"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// Actions are what the screen has others do. NewRound and NewScenesRound are needed; of the rest,
// what is nil is not done.
type Actions struct {
	// NewRound asks for a round of models in their order, about matrices of a family; name says of
	// the list what it is. NewScenesRound asks for one about the scenes of a selection (hash).
	NewRound       func(name string, hashes []string)
	NewScenesRound func(selection, name string, hashes []string)
	// Runner checks exported assessors through ONNX Runtime; without it they are exported
	// unchecked.
	Runner exchange.Runner
	// Version is the program's, for the files of assessors.
	Version string
	// Did gets every change of data that can be taken back.
	Did func(history.Step)
	// Guide opens the page of the user guide about this screen.
	Guide func()
}

// Screen is the assessors screen: what it loads is what the form offers and the saved assessors.
// All methods are called on Fyne's main goroutine.
type Screen struct {
	*kit.Screen[struct{}, readings]
	host        *kit.Host
	ws          *store.Workspace
	actions     Actions
	saver       *figures.Saver
	cache       training.Cache
	lookups     jobs.Latest
	job         *jobs.Job
	unsubscribe func() // ends the watching of the job
	training    *Training
	subject     *Subject
	widgets     *widgets
}

// readings is what the screen reads: what the form can offer, and the saved assessors.
type readings struct {
	offer FormChoices
	saved []store.AssessorFile
}

// New makes the screen; it reads when it is shown. A training that is shown stays when the
// workspace changes.
func New(host *kit.Host, ws *store.Workspace, actions Actions) *Screen {
	if actions.Did == nil {
		actions.Did = func(history.Step) {}
	}
	s := &Screen{host: host, ws: ws, actions: actions, saver: host.Saver()}
	s.widgets = newWidgets(s)
	s.Screen = kit.New(kit.Screen[struct{}, readings]{
		Host: host, Name: "Read what assessors can learn from", Doing: "Reading…", Key: "assessors", Quiet: true,
		About: &answers,
		Load: func(struct{}) kit.Work[readings] {
			return func(context.Context, engine.Progress) (read readings, err error) {
				if read.offer, err = readFormChoices(ws); err == nil {
					read.saved, err = ws.Assessors()
				}
				return read, err
			}
		},
		On: []store.ChangeKind{
			store.RoundChanged, store.ModelChanged, store.AssessorChanged, store.SuiteChanged, store.CurrentChanged,
		},
		Body: s.widgets.room,
		Show: func(read readings) {
			s.widgets.form.show(read.offer)
			s.widgets.saved.files.Set(read.saved)
		},
		Parts: []kit.Page{s.widgets.right}, OnClosed: s.unwatch, Margin: true,
	})
	return s
}

// busy tells whether a training is under way.
func (s *Screen) busy() bool { return s.job != nil }

// start runs work as a job, one at a time; the window's status line shows its progress.
func (s *Screen) start(name string, work func(ctx context.Context, p *jobs.Progress) error, done func()) {
	if s.busy() {
		return
	}
	s.job = s.host.Work.Start(name, work, func(err error) {
		s.unwatch()
		switch {
		case present.Cancelled(err): // the window says so
		case err != nil:
			s.host.Fail(err)
		default:
			done()
		}
	})
	job := s.job
	s.unsubscribe = s.host.Work.Subscribe(func() {
		if s.job == job {
			s.widgets.follow(job)
		}
	})
	s.widgets.follow(job)
}

func (s *Screen) unwatch() {
	if s.unsubscribe != nil {
		s.unsubscribe()
		s.unsubscribe = nil
	}
	s.job = nil
	s.widgets.follow(nil)
}

// Cancel stops the training that is under way.
func (s *Screen) Cancel() {
	if s.job != nil {
		s.job.Cancel()
		s.widgets.follow(s.job)
	}
}

// Train trains and evaluates what options ask for, and shows it.
func (s *Screen) Train(asked assess.EvalOptions) {
	plan, err := newPlan(asked)
	if err != nil {
		s.host.Fail(err)
		return
	}
	var trained Training
	s.start("Train assessors", func(ctx context.Context, p *jobs.Progress) error {
		at, err := whereFor(s.ws, plan.Selection)
		if err != nil {
			return err
		}
		trained, err = Learn(ctx, s.ws, at, plan, &s.cache, jobs.Stages{Progress: p})
		return err
	}, func() { s.show(&trained) })
}

// command is the command that trains and tests assessors on models that are measured at a place.
func (s *Screen) command(at Place, o assess.EvalOptions) (words []string, options any) {
	if o.Selection == "" {
		o.Suite, o.Family = at.Suite.Name, at.Family
	}
	return []string{"variscope", "assess", "eval", s.ws.Path()}, &o
}

// trained is the command that does what the training did, or answers a question of the page
// Stability about it; "" without a training.
func (s *Screen) trained(question string) string {
	if s.training == nil {
		return ""
	}
	return option.Command(s.command(s.training.Place, asking(s.training.Plan.EvalOptions, question)))
}

// explained is the command that explains a saved assessor or, with the ID of a model, its verdict
// on that; "" for an assessor that is in no file.
func (s *Screen) explained(id string) string {
	if s.subject == nil || s.subject.File == nil {
		return ""
	}
	var o assess.ExplainOptions
	option.SetDefaults(&o)
	o.DataOptions, o.Assessor, o.Model = s.subject.Asked, s.subject.Name, id
	return option.Command([]string{"variscope", "assess", "explain", s.ws.Path()}, &o)
}

// show puts a training on the screen and chooses its best assessor.
func (s *Screen) show(l *Training) {
	s.training = l
	best := -1
	for k, e := range l.Entries {
		if e.Problem == nil && (best < 0 || e.Evaluation.Accuracy > l.Entries[best].Evaluation.Accuracy) {
			best = k
		}
	}
	s.widgets.showTraining(l)
	s.Choose(best)
}

// Choose looks at assessor k of the training.
func (s *Screen) Choose(k int) {
	if s.training == nil || k < 0 || k >= len(s.training.Entries) {
		return
	}
	s.widgets.compare.Select(string(s.training.Entries[k].Settings.Algorithm))
	if problem := s.training.Entries[k].Problem; problem != nil {
		s.host.Say(present.Sentence(problem))
		return
	}
	subject := s.training.subject(k)
	s.look(&subject)
}

// Subject is the assessor that is looked at; ok is false while there is none.
func (s *Screen) Subject() (subject Subject, ok bool) {
	if s.subject == nil {
		return Subject{}, false
	}
	return *s.subject, true
}

// look shows a subject; the page in front asks it.
func (s *Screen) look(subject *Subject) {
	s.subject = subject
	s.widgets.right.Changed()
}
