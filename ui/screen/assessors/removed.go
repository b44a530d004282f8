package assessors

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
)

// What is shown was measured before: models may have been removed from the workspace since.

// open shows a model on the inspect screen, unless it is gone.
func (s *Screen) open(id, hash string) {
	s.whenThere([]string{hash}, func(there []string) {
		if len(there) == 0 {
			s.host.Fail(fmt.Errorf("model %s was removed from the workspace after this training; train again to go on without it", id))
			return
		}
		if s.host.Inspect != nil {
			s.host.Inspect(hash)
		}
	})
}

// newRound asks for a round of the models of a list that are not gone, in its order.
func (s *Screen) newRound(name string, list []assess.Doubted) {
	asked, selection := hashes(list), s.subject.Place.Selection.Hash
	s.whenThere(asked, func(there []string) {
		if gone := len(asked) - len(there); gone > 0 {
			s.host.Say(fmt.Sprintf("%s removed from the workspace after this training; left out", result.Counted(gone, "model")))
		}
		if len(there) == 0 {
			s.host.Fail(errors.New("none of these models is in the workspace any more; train again"))
			return
		}
		if selection != "" {
			s.actions.NewScenesRound(selection, name, there)
			return
		}
		s.actions.NewRound(name, there)
	})
}

// whenThere looks in the background which models the workspace still has, and goes on with them in
// their order.
func (s *Screen) whenThere(asked []string, then func(there []string)) {
	ws := s.ws
	background.Load(s.host.Work, &s.lookups, "look for models", func(context.Context) ([]string, error) {
		var there []string
		for _, hash := range asked {
			switch _, err := ws.Model(hash); {
			case err == nil:
				there = append(there, hash)
			case !errors.Is(err, store.ErrNotFound):
				return nil, err
			}
		}
		return there, nil
	}, func(there []string, err error) {
		if err != nil {
			s.host.Fail(err)
			return
		}
		then(there)
	})
}
