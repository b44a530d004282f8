package assessors

import (
	"context"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/exchange"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// Deps is what the screen is made from. Workspace, Work and Window are needed; the rest may be nil.
type Deps struct {
	Workspace *store.Workspace
	Work      *background.Group
	Window    fyne.Window
	// Inspect opens a model on the inspect screen.
	Inspect func(modelHash string)
	// NewRound asks for a round of models in their order, about matrices of a family; name says of
	// the list what it is. NewScenesRound asks for one about the scenes of a selection (hash).
	NewRound       func(name string, hashes []string)
	NewScenesRound func(selection, name string, hashes []string)
	// Runner checks exported assessors through ONNX Runtime; without it they are exported unchecked.
	Runner exchange.Runner
	// Version is the program's, for the files of assessors.
	Version string
	// Did gets every change of data that can be taken back.
	Did func(history.Step)
	// Guide opens the page of the user guide about this screen.
	Guide func()
	// Status shows a line of text at the foot of the window, "" ends it.
	Status func(text string)
	// ShowError shows an error to the person.
	ShowError func(err error)
}

func (d *Deps) defaults() {
	if d.Inspect == nil {
		d.Inspect = func(string) {}
	}
	if d.NewRound == nil {
		d.NewRound = func(string, []string) {}
	}
	if d.NewScenesRound == nil {
		d.NewScenesRound = func(string, string, []string) {}
	}
	if d.Guide == nil {
		d.Guide = func() {}
	}
	if d.Did == nil {
		d.Did = func(history.Step) {}
	}
	if d.Status == nil {
		d.Status = func(string) {}
	}
	if d.ShowError == nil {
		d.ShowError = func(error) {}
	}
}

// settingDraft is the workspace setting that remembers the form.
const settingDraft = "assessors.draft"

// Screen is the assessors screen. All methods are called on Fyne's main goroutine.
type Screen struct {
	deps     Deps
	saver    *figures.Saver
	cache    training.Cache
	keeper   *background.Keeper // of the form
	loads    background.Latest
	insights background.Latest
	explains background.Latest
	lookups  background.Latest
	shown    bool
	stale    bool
	filled   bool // the form shows what was remembered
	job      *background.Job
	hear     func() // ends the watching of the job
	lesson   *Lesson
	subject  *Subject
	insight  insight
	face     *face
	cancel   func()
}

// New makes the screen and listens to the store until Close.
func New(deps Deps) *Screen {
	deps.defaults()
	s := &Screen{deps: deps, stale: true, keeper: background.NewKeeper(deps.Work, deps.Workspace.SetSetting, deps.ShowError)}
	s.saver = &figures.Saver{Window: deps.Window, Work: deps.Work, Status: deps.Status, ShowError: deps.ShowError}
	s.face = newFace(s)
	s.cancel = deps.Workspace.Subscribe(func(c store.Change) {
		switch c.Kind {
		case store.RoundChanged, store.ModelChanged, store.AssessorChanged, store.SuiteChanged, store.CurrentChanged:
			deps.Work.Post(s.changed)
		}
	})
	return s
}

// host is what the window gives the tables of the screen.
func (s *Screen) host() *kit.Host {
	return &kit.Host{Window: s.deps.Window, Work: s.deps.Work, Status: s.deps.Status, ShowError: s.deps.ShowError}
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.face.root }

// Close ends listening to the store.
func (s *Screen) Close() {
	s.cancel()
	s.unwatch()
}

// Shown is called when the screen comes to the front; it reads anew what changed meanwhile.
func (s *Screen) Shown() {
	s.shown = true
	if s.stale {
		s.Refresh()
	}
}

// Hidden is called when the screen leaves the front: what it said of something under the pointer
// goes with it.
func (s *Screen) Hidden() {
	s.shown = false
	s.deps.Status("")
}

func (s *Screen) changed() {
	if s.shown {
		s.Refresh()
	} else {
		s.stale = true
	}
}

// shelf is what a refresh reads: what the form can offer, the remembered draft, and the saved
// assessors.
type shelf struct {
	offer Offer
	draft Draft
	saved []store.AssessorFile
}

// Refresh reads what can be chosen. A training that is shown stays.
func (s *Screen) Refresh() {
	s.stale = false
	ws := s.deps.Workspace
	background.Load(s.deps.Work, &s.loads, "read what assessors can learn from", func(context.Context) (shelf, error) {
		read := shelf{draft: newDraft()}
		var err error
		if read.offer, err = readOffer(ws); err != nil {
			return read, err
		}
		if _, err = ws.Setting(settingDraft, &read.draft); err != nil {
			read.draft = newDraft() // of another version of the program
		}
		read.saved, err = ws.Assessors()
		return read, err
	}, func(read shelf, err error) {
		if err != nil {
			s.deps.ShowError(err)
			return
		}
		if s.filled {
			read.draft = s.face.form.draft
		}
		s.filled = true
		s.face.form.show(read.offer, read.draft)
		s.face.saved.show(read.saved)
	})
}

// busy tells whether a training is under way.
func (s *Screen) busy() bool { return s.job != nil }

// start runs work as a job, one at a time; the window's status line shows its progress.
func (s *Screen) start(name string, work func(ctx context.Context, p *background.Progress) error, done func()) {
	if s.busy() {
		return
	}
	s.job = s.deps.Work.Start(name, work, func(err error) {
		s.unwatch()
		switch {
		case present.Cancelled(err): // the window says so
		case err != nil:
			s.face.form.say(present.Sentence(err))
			s.deps.ShowError(err)
		default:
			done()
		}
	})
	job := s.job
	s.hear = s.deps.Work.Subscribe(func() {
		if s.job == job {
			s.face.follow(job)
		}
	})
	s.face.follow(job)
}

func (s *Screen) unwatch() {
	if s.hear != nil {
		s.hear()
		s.hear = nil
	}
	s.job = nil
	s.face.follow(nil)
}

// Cancel stops the training that is under way.
func (s *Screen) Cancel() {
	if s.job != nil {
		s.job.Cancel()
		s.face.follow(s.job)
	}
}

// Train trains and evaluates what a draft asks for, and shows it.
func (s *Screen) Train(d Draft) {
	plan, err := d.Plan()
	if err != nil {
		s.face.form.say(present.Sentence(err))
		return
	}
	ws := s.deps.Workspace
	s.keeper.Keep(settingDraft, d)
	var lesson Lesson
	s.start("Train assessors", func(ctx context.Context, p *background.Progress) error {
		at, err := whereFor(ws, plan.Scenes)
		if err != nil {
			return err
		}
		lesson, err = Learn(ctx, ws, at, plan, &s.cache, background.Stages{Progress: p})
		return err
	}, func() { s.show(&lesson) })
}

// show puts a training on the screen and chooses its best assessor.
func (s *Screen) show(l *Lesson) {
	s.lesson = l
	best := -1
	for k, e := range l.Entries {
		if e.Problem == nil && (best < 0 || e.Evaluation.Accuracy > l.Entries[best].Evaluation.Accuracy) {
			best = k
		}
	}
	s.face.showLesson(l)
	s.Choose(best)
}

// Choose looks at assessor k of the training.
func (s *Screen) Choose(k int) {
	if s.lesson == nil || k < 0 || k >= len(s.lesson.Entries) {
		return
	}
	s.face.compare.Select(string(s.lesson.Entries[k].Settings.Algorithm))
	if problem := s.lesson.Entries[k].Problem; problem != nil {
		s.deps.Status(present.Sentence(problem))
		return
	}
	subject := s.lesson.subject(k)
	s.look(&subject)
}

// Subject is the assessor that is looked at; ok is false while there is none.
func (s *Screen) Subject() (subject Subject, ok bool) {
	if s.subject == nil {
		return Subject{}, false
	}
	return *s.subject, true
}

// insight is what is computed of a subject at once; what takes longer is computed when it is
// looked at.
type insight struct {
	scores     Scores
	judgements []assess.Judgement
	second     []assess.Doubted
	unsure     []assess.Doubted
	order      string // what unsure is in order of
	why        string // why there is no such order
	ready      bool

	importance assess.Importance
	summary    assess.Summary
	explained  bool
	// unexplained says why there are neither.
	unexplained string
}

// look shows a subject.
func (s *Screen) look(subject *Subject) {
	s.subject, s.insight = subject, insight{}
	s.explains.Next()
	s.face.showSubject()
	background.Load(s.deps.Work, &s.insights, "ask the assessor", func(context.Context) (insight, error) {
		return lookInto(*subject), nil
	}, func(i insight, err error) {
		if err != nil {
			s.deps.ShowError(err)
			return
		}
		s.insight = i
		s.face.showInsight()
	})
}

func lookInto(subject Subject) insight {
	i := insight{ready: true, scores: BuildScores(subject), judgements: Judgements(subject), second: SecondLook(subject)}
	var err error
	if i.unsure, i.order, err = LeastSure(subject); err != nil {
		i.why = present.Sentence(err)
	}
	return i
}

// explain computes importance and Shapley values of the subject once.
func (s *Screen) explain() {
	if s.subject == nil || s.insight.explained || s.subject.Assessor.Threshold != nil {
		return
	}
	subject := *s.subject
	s.insight.explained = true
	background.Load(s.deps.Work, &s.explains, "explain the assessor", func(ctx context.Context) (insight, error) {
		var i insight
		var err error
		if i.importance, err = measureImportance(ctx, subject); err != nil {
			return i, err
		}
		all := make([]int, len(subject.Data.Rows))
		for k := range all {
			all[k] = k
		}
		i.summary, err = assess.Summarise(ctx, subject.Assessor, subject.Data, all, subject.Assessor.Shown(), engine.NoProgress{})
		return i, err
	}, func(i insight, err error) {
		if err != nil {
			s.insight.unexplained = present.Sentence(err)
			s.face.inside.show()
			s.deps.ShowError(err)
			return
		}
		s.insight.importance, s.insight.summary = i.importance, i.summary
		s.face.inside.show()
	})
}
