// Package engine runs jobs: it cuts runs over models x source x family into units of work, computes
// them in background goroutines and hands each finished unit to a Recorder (DESIGN.md section 2).
package engine

import (
	"context"
	"time"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
)

// Progress is told how much of a run, or of a method's work, is done (package progress).
type Progress = progress.Progress

// NoProgress ignores everything.
type NoProgress = progress.None

// Recorder keeps finished units. The store implements it.
type Recorder interface {
	// Has tells whether the unit is kept already; such a unit is never computed again.
	Has(unitKey string) (bool, error)
	// Record keeps a unit; when it returns, the unit survives a crash.
	Record(ctx context.Context, spec signal.Spec, unit *signal.Unit) error
	// Finish is called once per model of a run, after its last unit was recorded.
	Finish(ctx context.Context, task Task) error
	// Ended is called once when a run has reached a final phase.
	Ended(status Status) error
}

// Source is what a run reads: images with labels, in a fixed order.
type Source interface {
	// Len is the number of images.
	Len() int
	// Label is the class of image i, -1 without label.
	Label(i int) int
	// Name is the image's name for messages: its path inside the suite or its number.
	Name(i int) string
	// Image decodes image i. It is safe for many goroutines.
	Image(i int) (suite.Image, error)
}

// Encoded is a Source that gives images as they lie, so that another process can decode them.
type Encoded interface {
	// Encoded is image i as it lies; without data where it has to be decoded here.
	Encoded(i int) (suite.Raw, error)
}

// Task is one model of a run, fully resolved by Plan.
type Task struct {
	ID   string // the model's id, for messages
	Spec signal.Spec
	Feed Feed
	// Absent are the requested positions that the model does not have.
	Absent []string
	// Classes maps a suite label to the model's class index: by name, by index, or by a table
	// (DESIGN.md section 5).
	Classes []int
	// MappedBy says how: "by name", "by index", "by table"; for the run's report.
	MappedBy string
	// Skipped is the number of images that the suite left out as corrupt.
	Skipped int
	// Probed says that the feed's probe passed before (model.Model.Probes); otherwise the run
	// probes the model before it opens it in this process (DESIGN.md section 4).
	Probed bool
}

// Run is a job: the same source and family over many models.
type Run struct {
	ID     string // ULID, given by the caller
	Suite  string // name, for people
	Family string // canonical text
	Source Source
	Tasks  []Task
	// Workers is the number of goroutines where fewer than the engine's are faster; 0 for all.
	// Results do not depend on it.
	Workers int
	// Executor alone computes the run, in place of the engine's workers and of those that are
	// attached; nil for them.
	Executor Executor
	// Close frees the source when the run has ended; may be nil.
	Close func() error
	// Working is told which models (content hashes) are being computed, before the first unit of
	// each and after its last one; the end of the run is told by Recorder.Ended alone. One call at
	// a time; may be nil.
	Working func(models []string)
}

// Phase is where a run, or one model of it, stands.
type Phase string

// The phases. Done, Failed and Cancelled are final; a run with failed models and others done is
// Done.
const (
	Queued    Phase = "queued"
	Running   Phase = "running"
	Paused    Phase = "paused"
	Done      Phase = "done"
	Failed    Phase = "failed"
	Cancelled Phase = "cancelled"
)

// TaskStatus is the state of one model of a run. Counts are inferences: images x transformations.
type TaskStatus struct {
	Model, ID   string
	Phase       Phase
	Done, Total int64
	// Reused is the part of Done that was on disk already.
	Reused int64
	Err    error
}

// Status is a snapshot of a run.
type Status struct {
	ID, Suite, Family string
	Source            string // content hash of what its images are from, such as the suite
	Phase             Phase
	Done, Total       int64
	Reused            int64
	Failed            int // models
	Skipped           int // images left out by the suite
	// PerSecond is the speed: lately while the run is at work, or was before its pause, and of the
	// whole run once it has ended. Left, 0 when unknown, is how long the rest takes at that speed.
	PerSecond float64
	Left      time.Duration
	// Shares are who makes PerSecond up, while the run has not ended.
	Shares           []Share
	Submitted, Ended time.Time
	Took             time.Duration // at work: neither waiting in the queue nor paused
	Timings          Timings       // by the workers, units that are not finished left out
	Tasks            []TaskStatus
}
