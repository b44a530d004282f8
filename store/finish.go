package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/database"
)

// Finish computes a set's summary once all of its units are recorded: the default five matrices as
// far as their positions are there, accuracies and robust accuracy, over all images. Signals of a
// transformation set have no matrices. Repeating it for a set that is finished with the same class
// mapping does nothing. A signal that is not finite is an error that names model, position,
// transformation and image.
func (w *Workspace) Finish(ctx context.Context, task engine.Task) error {
	key := task.Spec.Key()
	done, err := w.finished(key, task)
	if err != nil || done {
		return err
	}
	summary, err := w.summarise(ctx, key, task)
	if err != nil {
		return fmt.Errorf("model %s: %w", task.ID, err)
	}
	data, err := summary.Encode()
	if err != nil {
		return fmt.Errorf("model %s: %w", task.ID, err)
	}
	err = w.Update(func(tx *database.Tx) error {
		set, err := database.Sets.Need(tx, key)
		if err != nil {
			return err
		}
		set.Updated, set.Finished, set.Damaged = time.Now().UTC(), true, nil
		set.Absent, set.ClassMap, set.MappedBy, set.Skipped = task.Absent, task.Classes, task.MappedBy, task.Skipped
		if err := database.Sets.Put(tx, key, set); err != nil {
			return err
		}
		return database.Summaries.PutBytes(tx, key, data)
	})
	if err != nil {
		return err
	}
	w.changes.tell(SignalsChanged, task.Spec.Model)
	return nil
}

// finished tells whether a set has a summary under the task's class mapping.
func (w *Workspace) finished(key string, task engine.Task) (done bool, err error) {
	err = w.View(func(tx *database.Tx) error {
		info, err := getSet(tx, key)
		if err != nil {
			return err
		}
		done = info.Finished && slices.Equal(info.ClassMap, task.Classes) && slices.Equal(info.Absent, task.Absent) &&
			info.MappedBy == task.MappedBy && info.Skipped == task.Skipped
		return nil
	})
	return done, err
}

func (w *Workspace) summarise(ctx context.Context, key string, task engine.Task) (database.Summary, error) {
	info, _, err := w.unitsOf(key)
	if err != nil {
		return database.Summary{}, err
	}
	want := Want{Modalities: signal.DefaultModalities(), Predictions: true}
	if transform.IsSet(task.Spec.Family) {
		want.Modalities = nil
	}
	set, err := w.LoadSet(ctx, key, want)
	if err != nil {
		return database.Summary{}, err
	}
	s := database.Summary{
		Key: key, Images: set.Images, Skipped: task.Skipped, Absent: task.Absent, Classes: task.Classes,
		MappedBy: task.MappedBy, Device: info.Device(), Model: task.Spec.Model, Suite: task.Spec.Source,
		Family: task.Spec.Family, Matrices: map[string]variance.Matrix{},
	}
	every := everyImage(set.Images)
	for _, m := range want.Modalities {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		matrix, err := MatrixOf(set, m, every)
		if errors.Is(err, signal.ErrAbsent) {
			continue
		}
		if err != nil {
			return s, fmt.Errorf("matrix %s: %w", m, err)
		}
		s.Matrices[m.String()] = matrix
	}
	return s, w.judge(&s, set)
}

// Matrix computes a matrix of a finished set over the chosen images. The error is signal.ErrAbsent
// when the set does not have the position or vector modality, variance.ErrNoImages when no image
// is left, transform.ErrSet for the signals of a transformation set.
func (w *Workspace) Matrix(
	ctx context.Context, key string, m signal.Modality, choose variance.Images,
) (variance.Matrix, error) {
	info, _, err := w.unitsOf(key)
	if err != nil {
		return variance.Matrix{}, err
	}
	if err := needFamily(info.Spec.Family); err != nil {
		return variance.Matrix{}, err
	}
	set, err := w.LoadSet(ctx, key, Want{Modalities: []signal.Modality{m}, Predictions: true})
	if err != nil {
		return variance.Matrix{}, err
	}
	labels, err := w.labels(info.Spec.Source, set.Images)
	if err != nil {
		return variance.Matrix{}, err
	}
	images, err := choose.Choose(labels, set.Predictions()[identity(set)], info.ClassMap)
	if err != nil {
		return variance.Matrix{}, err
	}
	return MatrixOf(set, m, images)
}

// needFamily refuses the signals of a transformation set where a variance matrix is asked for; the
// error wraps transform.ErrSet.
func needFamily(family string) error {
	if transform.IsSet(family) {
		return fmt.Errorf("%s: %w", family, transform.ErrSet)
	}
	return nil
}

// judge adds the accuracies if the suite has labels.
func (w *Workspace) judge(s *database.Summary, set *signal.Set) error {
	labels, err := w.labels(s.Suite, set.Images)
	if err != nil {
		return err
	}
	var images []int
	for k, label := range labels {
		if label >= 0 {
			images = append(images, k)
		}
	}
	s.Labelled = len(images)
	counts := assess.ChanceOf(set, labels, s.Classes)
	s.Chance = &counts
	if len(images) > 0 {
		s.Accuracy, s.Robust = variance.Accuracy(set.Predictions(), labels, s.Classes, images)
	}
	return nil
}

// labels are the class labels of a suite's images; a source that is no suite of the workspace has
// none.
func (w *Workspace) labels(source string, images int) ([]int, error) {
	m, err := w.Suite(source)
	if errors.Is(err, database.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(m.Labels) != 0 && len(m.Labels) != images {
		return nil, fmt.Errorf("suite %s has labels for %d images, signals for %d", m.Name, len(m.Labels), images)
	}
	return m.Labels, nil
}
