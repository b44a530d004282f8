package job

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/store"
)

// Interrupted is the phase of a recorded run that had not ended when its process did.
const Interrupted engine.Phase = "interrupted"

// Words are the phases for people; a phase without one is said as it is.
var Words = map[engine.Phase]string{engine.Queued: "waiting", engine.Done: "finished"}

// Word is a phase for people.
func Word(p engine.Phase) string { return cmp.Or(Words[p], string(p)) }

// Listed is a run of this process, or the record of an earlier one.
type Listed struct {
	ID     string
	Suite  string // its name
	Family string // for people
	Phase  engine.Phase
	// Done and Total are inferences, Reused the part of Done that was there already.
	Done, Total, Reused int64
	Failed              int // models
	Skipped             int // corrupt images that the suite left out
	PerSecond           float64
	Left                time.Duration // 0 where that is unknown
	Started, Ended      time.Time     // zero where that is unknown
	Took                time.Duration // 0 where that is unknown
	Mixed               bool          // processors of any kind may compute it
	Reason              string        // why it was not started
	Models              []Model
	// Record is what was asked; its ID is empty where it was not kept.
	Record store.RunRecord
}

// Model is a model of a run.
type Model struct {
	ID, Hash            string
	Phase               engine.Phase
	Done, Total, Reused int64
	Reason              string // why it failed
	// Device is the kind of device that computes it, empty for the processor, and Difference the
	// largest one of its softmax from the processor's.
	Device     string
	Difference float64
	// Accuracy and Robust (correct_product of spec/assessors.md) are NaN where nobody has asked for
	// them, without signals and without labels.
	Accuracy, Robust float64
	MappedBy         string // how classes were matched, see engine.ByName; "" where nobody has asked for it
	Looks            chance.Looks
	Chance           chance.Level
}

// Open tells whether the run has not ended and can be cancelled.
func (l Listed) Open() bool {
	return l.Phase == engine.Running || l.Phase == engine.Queued || l.Phase == engine.Paused
}

// CanAgain tells whether the run can be asked for once more: an interrupted one to resume it, or
// one that was cancelled or in which models failed. What is finished is never computed again.
func (l Listed) CanAgain() bool {
	if l.Record.ID == "" {
		return false
	}
	return l.Phase == Interrupted || l.Phase == engine.Failed || l.Phase == engine.Cancelled ||
		l.Phase == engine.Done && l.Failed > 0
}

// Title names the run for people.
func (l Listed) Title() string { return l.Family + " on " + l.Suite }

// said is the phase for people, with the models that failed.
func (l Listed) said() string {
	text := Word(l.Phase)
	if l.Phase == engine.Done && l.Failed > 0 {
		text += ", " + result.Whole(l.Failed) + " failed"
	}
	return text
}

// Share is the part that is done, 0..1.
func (l Listed) Share() float64 {
	if l.Phase == engine.Done && l.Total == 0 {
		return 1
	}
	return part(l.Done, l.Total)
}

// Share is the part that is done, 0..1.
func (m Model) Share() float64 { return part(m.Done, m.Total) }

func part(done, total int64) float64 {
	if total <= 0 {
		return 0
	}
	return min(1, max(0, float64(done)/float64(total)))
}

// Names gives people's names to hashes.
type Names struct {
	Models, Suites, Selections map[string]string
}

// ReadNames reads those of a workspace.
func ReadNames(ws *store.Workspace) (n Names, err error) {
	n = Names{Models: map[string]string{}, Suites: map[string]string{}, Selections: map[string]string{}}
	models, err := ws.Models()
	if err != nil {
		return n, err
	}
	for _, m := range models {
		n.Models[m.Hash] = m.ID
	}
	suites, err := ws.Suites()
	if err != nil {
		return n, err
	}
	for _, m := range suites {
		n.Suites[m.Hash] = m.Name
	}
	selections, err := ws.Selections()
	for _, r := range selections {
		n.Selections[r.Hash] = r.Name
	}
	return n, err
}

func named(names map[string]string, hash string) string {
	return cmp.Or(names[hash], result.ID.SayText(hash))
}

// Model is a model's id, or the beginning of its hash where the workspace has none of that hash any
// more.
func (n Names) Model(hash string) string { return named(n.Models, hash) }

func (n Names) family(text string) string {
	return store.FamilyName(text, func(hash string) string { return n.Selections[hash] })
}

// List puts the engine's runs and the records of earlier ones together: what is at work first in
// the order of the queue, then interrupted runs, then the ended ones, newest first. say makes a
// sentence for people of an error.
func List(statuses []engine.Status, records []store.RunRecord, names Names, say func(error) string) []Listed {
	byID := map[string]store.RunRecord{}
	for _, r := range records {
		byID[r.ID] = r
	}
	var runs []Listed
	known := map[string]bool{}
	for _, s := range statuses {
		known[s.ID] = true
		runs = append(runs, fromStatus(s, byID[s.ID], names, say))
	}
	for _, r := range records {
		if !known[r.ID] {
			runs = append(runs, fromRecord(r, names))
		}
	}
	rank := func(l Listed) int {
		switch {
		case l.Open():
			return 0
		case l.Phase == Interrupted:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(runs, func(a, b Listed) int {
		x, y := rank(a), rank(b)
		if x != y || x == 0 {
			return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.ID, b.ID))
		}
		return cmp.Compare(b.ID, a.ID)
	})
	return runs
}

func fromStatus(s engine.Status, record store.RunRecord, names Names, say func(error) string) Listed {
	l := Listed{
		ID: s.ID, Suite: s.Suite, Family: names.family(s.Family), Phase: s.Phase,
		Done: s.Done, Total: s.Total, Reused: s.Reused, Failed: s.Failed, Skipped: s.Skipped, PerSecond: s.PerSecond,
		Left: s.Left, Started: s.Submitted, Ended: s.Ended, Mixed: record.Mixed, Record: record,
	}
	if !s.Ended.IsZero() {
		l.Took = s.Took
	}
	for _, t := range s.Tasks {
		m := Model{
			ID: t.ID, Hash: t.Model, Phase: t.Phase, Done: t.Done, Total: t.Total, Reused: t.Reused,
			Accuracy: math.NaN(), Robust: math.NaN(),
		}
		if t.Err != nil {
			m.Reason = say(t.Err)
		}
		if s.Phase == engine.Paused && (m.Phase == engine.Running || m.Phase == engine.Queued) {
			m.Phase = engine.Paused
		}
		l.Models = append(l.Models, m)
	}
	l.complete(names)
	return l
}

func fromRecord(record store.RunRecord, names Names) Listed {
	l := Listed{
		ID: record.ID, Suite: named(names.Suites, record.Suite), Family: names.family(record.Family),
		Phase: record.Phase, Done: record.Done, Total: record.Total, Reused: record.Reused, Skipped: record.Skipped,
		Started: record.Started, Ended: record.Ended, Mixed: record.Mixed, Record: record,
	}
	if record.Unfinished() {
		l.Phase = Interrupted
	}
	if record.Ended.After(record.Started) && !record.Started.IsZero() {
		l.Took = record.Ended.Sub(record.Started)
	}
	for _, hash := range record.Models {
		if _, failed := record.Failures[hash]; !failed { // how far each model was is not recorded
			l.Models = append(l.Models, Model{
				ID: named(names.Models, hash), Hash: hash, Phase: l.Phase, Done: record.Done, Total: record.Total,
				Accuracy: math.NaN(), Robust: math.NaN(),
			})
		}
	}
	l.complete(names)
	return l
}

// complete adds what the record knows.
func (l *Listed) complete(names Names) {
	seen := map[string]bool{}
	for _, m := range l.Models {
		seen[m.Hash] = true
	}
	for _, hash := range slices.Sorted(maps.Keys(l.Record.Failures)) {
		if !seen[hash] {
			l.Failed++
			l.Models = append(l.Models, Model{
				ID: named(names.Models, hash), Hash: hash, Phase: engine.Failed, Reason: l.Record.Failures[hash],
				Accuracy: math.NaN(), Robust: math.NaN(),
			})
		}
	}
	l.SetDevices(l.Record)
}

// SetDevices adds what the record says of the models' devices.
func (l *Listed) SetDevices(r store.RunRecord) {
	for i := range l.Models {
		m := &l.Models[i]
		on := r.Devices[m.Hash]
		m.Device, m.Difference = on.Device, on.Difference
	}
}

// Progress is the key of the columns that tell how much is done, as a bar in the window.
const Progress = "done"

// Runs is the table of runs.
var Runs = result.Table[Listed]{
	Name: "runs", Title: "Runs", Noun: "run", ID: func(l Listed) string { return l.ID },
	Columns: []result.Column[Listed]{
		result.Texts("name", "run", "family of transformations and test suite", Listed.Title),
		result.Texts("run", "id", "of the run", func(l Listed) string { return l.ID }).In(result.FileOnly).Once(),
		phase(func(l Listed) engine.Phase { return l.Phase }).Told(Listed.said),
		result.Numbers(Progress, "done", "share of the inferences: images x transformations",
			result.Share, Listed.Share),
		result.Counts("models", "models", "that take part or were refused",
			func(l Listed) int { return len(l.Models) }).In(result.Offered),
		result.Counts("failed", "failed", "models", func(l Listed) int { return l.Failed }).In(result.Offered),
		result.Counts("skipped_images", "skipped", "corrupt images that the suite left out",
			func(l Listed) int { return l.Skipped }).In(result.Offered),
		result.Numbers("started", "started", "when it was asked for", result.Time,
			func(l Listed) float64 { return moment(l.Started) }).In(result.Offered).Once(),
		result.Numbers("took", "took", "time at work", result.Duration,
			func(l Listed) float64 { return seconds(l.Took) }).In(result.Offered).Once(),
		result.Numbers("images_per_s", "images/s", "inferences per second", result.Count, func(l Listed) float64 {
			if l.PerSecond <= 0 {
				return math.NaN()
			}
			return l.PerSecond
		}).In(result.Offered).Once(),
		result.Bools("mixed", "mixed", "processors of any kind may compute it",
			func(l Listed) bool { return l.Mixed }).In(result.Offered),
		result.Texts("reason", "reason", "why it was not started",
			func(l Listed) string { return l.Reason }).In(result.FileOnly),
	},
}

func moment(t time.Time) float64 {
	if t.IsZero() {
		return math.NaN()
	}
	return float64(t.Unix())
}

func seconds(d time.Duration) float64 {
	if d <= 0 {
		return math.NaN()
	}
	return d.Seconds()
}

func phase[R any](of func(R) engine.Phase) result.Column[R] {
	order := []engine.Phase{
		engine.Running, engine.Paused, engine.Queued, Interrupted, engine.Failed, engine.Cancelled, engine.Done,
	}
	return result.Texts("state", "state", "waiting, running, paused, finished, failed, cancelled or interrupted",
		func(r R) string { return string(of(r)) }).Told(func(r R) string { return Word(of(r)) }).
		Ranked(func(r R) float64 { return float64(slices.Index(order, of(r))) })
}

var (
	modelNames = result.Lift(subject.Columns[:2], func(m Model) subject.Subject {
		return subject.Subject{Model: m.ID, ModelHash: m.Hash}
	})
	computed = []result.Column[Model]{
		result.Numbers("computed", "computed", "inferences: images x transformations", result.Count,
			func(m Model) float64 { return float64(m.Done - m.Reused) }).Once(),
		result.Numbers("reused", "reused", "inferences that were there already", result.Count,
			func(m Model) float64 { return float64(m.Reused) }).Once(),
	}
	reason = result.Texts("reason", "reason", "why it failed", func(m Model) string { return m.Reason })
)

// Models is the table of the models of a run while it lasts and afterwards.
var Models = result.Table[Model]{
	Name: "run_models", Title: "Models of a run", Noun: "model", ID: func(m Model) string { return m.Hash },
	Columns: slices.Concat(modelNames, []result.Column[Model]{
		result.Numbers(Progress, "done", "share of the inferences: images x transformations",
			result.Share, Model.Share),
		phase(func(m Model) engine.Phase { return m.Phase }), reason,
	}, result.Showing(result.Offered, computed...)),
	More: func(rows []Model) []result.Column[Model] { return onDevices(rows, func(m Model) Model { return m }) },
}

// difference is the column of a model's difference from the processor.
var difference = result.Column[Model]{
	Key: "device_difference", Title: "difference",
	Help:   "largest difference of its softmax from the processor's, over 64 images",
	Format: result.Number, Decimals: -2, Value: func(m Model) float64 {
		if m.Device == "" {
			return math.NaN()
		}
		return m.Difference
	},
}

// onDevices are columns about devices where some row is of a GPU.
func onDevices[R any](rows []R, model func(R) Model) []result.Column[R] {
	list := subject.Device(rows, func(r R) string { return model(r).Device })
	if list == nil {
		return nil
	}
	return append(list, result.Lift([]result.Column[Model]{difference}, model)...)
}

// Outcome is a model of one of several runs.
type Outcome struct {
	subject.Subject
	Run string // its id
	Model
}

// Outcomes is the table of what runs have computed, a row per model and run. It says which models
// are no better than chance, and which look as if they want another recipe, where there are any.
var Outcomes = result.Table[Outcome]{
	Name: "run", Title: "Runs", Noun: "model",
	ID: func(o Outcome) string { return o.Run + "/" + o.SuiteHash + "/" + o.Subject.Family + "/" + o.Hash },
	Columns: slices.Concat(
		result.Lift(subject.Columns, func(o Outcome) subject.Subject { return o.Subject }),
		[]result.Column[Outcome]{
			{
				Key: "run", Title: "run", Help: "id of the run, missing where it was not started",
				Show: result.FileOnly, Text: func(o Outcome) string { return o.Run }, Fleeting: true,
			},
		},
		result.Lift(slices.Concat([]result.Column[Model]{phase(func(m Model) engine.Phase { return m.Phase })},
			computed, []result.Column[Model]{
				result.Numbers("accuracy", "accuracy", "share of the labelled images that are classified rightly",
					result.Share, func(m Model) float64 { return m.Accuracy }),
				result.Numbers("robust_accuracy", "robust accuracy",
					"share of them that are right under all transformations", result.Share,
					func(m Model) float64 { return m.Robust }),
				result.Texts("classes", "classes",
					"how the classes of model and suite were matched: by name, by index or by table",
					func(m Model) string { return m.MappedBy }),
				reason.In(result.FileOnly),
			}), func(o Outcome) Model { return o.Model })),
	More: func(rows []Outcome) (list []result.Column[Outcome]) {
		list = onDevices(rows, func(o Outcome) Model { return o.Model })
		if slices.ContainsFunc(rows, func(o Outcome) bool { return o.Chance.Flagged() }) {
			list = append(list, result.Lift(chance.Columns[:1], func(o Outcome) chance.Level { return o.Chance })...)
		}
		if slices.ContainsFunc(rows, func(o Outcome) bool { return o.Looks.Doubtful() }) {
			list = append(list, result.Showing(result.FileOnly,
				result.Lift(chance.LookColumns, func(o Outcome) chance.Looks { return o.Looks })...)...)
		}
		return list
	},
}
