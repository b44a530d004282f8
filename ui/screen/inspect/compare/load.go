package compare

import (
	"context"
	"errors"
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// Store is what the pane needs of a workspace; *store.Workspace is one.
type Store interface {
	Models() ([]model.Model, error)
	Model(hash string) (model.Model, error)
	SetFor(m model.Model, suiteHash, family string, modalities []string) (store.SetInfo, bool, error)
	LoadSet(ctx context.Context, key string, want store.Want) (*signal.Set, error)
}

// own is the side of the model that the screen shows: its signals are in memory already.
func own(s pane.Subject) Side {
	side := Side{Model: s.Model, Set: s.Set, Mapping: s.Mapping}
	if s.Set == nil {
		side.Problem = "no signals"
	}
	return side
}

// loadSides reads the other models' signals. What is in before is taken from there; the result has
// the order of hashes, without models that are gone. It is slow (files). What a model lacks is
// said in its Problem; the error is for a workspace that cannot be read.
func loadSides(ctx context.Context, from Store, s pane.Subject, hashes []string, before []Side) ([]Side, error) {
	modalities := s.Evidence.Modalities()
	sides := make([]Side, 0, len(hashes))
	for _, hash := range hashes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		side, err := loadSide(ctx, from, s, hash, modalities, before)
		if errors.Is(err, store.ErrNotFound) {
			continue // it was deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		sides = append(sides, side)
	}
	return sides, nil
}

// loadBeside reads the signals of the subject's model under another family.
func loadBeside(ctx context.Context, from Store, s pane.Subject, family string, before []Side) (Side, error) {
	name := s.Model.ID + ", " + family
	if f, err := transform.Parse(family); err == nil {
		name = s.Model.ID + ", " + string(f.Interpolation())
	}
	s.Family = family
	side, err := loadSide(ctx, from, s, s.Model.Hash, s.Evidence.Modalities(), before)
	side.Name = name
	return side, err
}

func loadSide(
	ctx context.Context, from Store, s pane.Subject, hash string, modalities []string, before []Side,
) (Side, error) {
	m, err := from.Model(hash)
	if err != nil {
		return Side{}, err
	}
	side := Side{Model: m, Problem: "no signals"}
	if _, err := m.Settings(); err != nil {
		side.Problem = "its settings cannot be read"
		return side, nil
	}
	info, ok, err := from.SetFor(m, s.Suite.Hash, s.Family, modalities)
	if err != nil || !ok {
		return side, err
	}
	k := slices.IndexFunc(before, func(b Side) bool {
		return b.key == info.Key && slices.Equal(b.loaded, modalities)
	})
	if k >= 0 {
		side.Set, side.Mapping, side.Problem, side.key, side.loaded = before[k].Set, info.ClassMap, "", info.Key,
			modalities
		return side, nil
	}
	want := store.Want{Predictions: true}
	for _, name := range modalities {
		if modality, err := signal.ParseModality(name); err == nil {
			want.Modalities = append(want.Modalities, modality)
		}
	}
	set, err := from.LoadSet(ctx, info.Key, want)
	switch {
	case ctx.Err() != nil:
		return side, ctx.Err()
	case err != nil: // the others can be compared all the same
		side.Problem = present.Sentence(err)
		return side, nil
	}
	side.Set, side.Mapping, side.Problem, side.key, side.loaded = set, info.ClassMap, "", info.Key, modalities
	return side, nil
}
