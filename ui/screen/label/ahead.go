package label

import (
	"context"
	"errors"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
)

// ahead is how many items' evidence is read before they are shown.
const ahead = 4

// readAhead reads the evidence of the next items. Interpolating matrices takes all processors for a
// while: in a background round those of the item shown come first, and of the next items one after
// the other.
func (s *Screen) readAhead() {
	oneByOne := s.session.Round().Kind == labels.BackgroundRound
	if oneByOne && len(s.cache.loading) > 0 {
		return
	}
	for _, next := range s.session.Upcoming(ahead) {
		if _, ready := s.cache.get(next); ready || s.cache.broken[next] {
			continue
		}
		s.fetch(next)
		if oneByOne {
			return
		}
	}
}

// fetch reads a model's evidence into the cache.
func (s *Screen) fetch(hash string) {
	if s.cache.loading[hash] {
		return
	}
	s.cache.loading[hash] = true
	epoch, round, view := s.epoch, s.session.Round(), s.view
	var p evidence.Prepared
	s.Work.Quiet("read matrices", func(ctx context.Context) (err error) {
		e, err := evidence.OfRound(ctx, s.deps.Store, s.deps.Scenes, round, hash)
		p = evidence.Prepare(e, view)
		return err
	}, func(err error) {
		delete(s.cache.loading, hash)
		if s.session == nil || errors.Is(err, jobs.ErrClosed) {
			return
		}
		item, _ := s.session.Item()
		if epoch != s.epoch || s.session.Round().ID != round.ID {
			if item == hash {
				s.fetch(hash)
			}
			s.readAhead()
			return
		}
		if err == nil {
			s.cache.put(hash, p)
		} else {
			s.cache.broken[hash] = true
		}
		s.readAhead()
		if item != hash {
			return
		}
		if err != nil {
			s.widgets.blank(result.ID.SayText(hash), hash, present.Sentence(err))
			s.problem(err)
			return
		}
		s.widgets.showEvidence(p)
	})
}
