package models

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/jobs"
)

// ranging is the one job that derives the range of a modality.
type ranging struct {
	job *jobs.Job // nil while there is none
	of  string    // what it derives; stays when it failed or was cancelled, so that not every refresh begins anew
}

// measure derives the range of a modality that no summary holds: a job that people see, since it
// reads all signals. A refresh in the meantime lets it go on; another modality, other sets or
// another colour map end it.
func (s *Screen) measure(modality string) {
	l, sets := s.data, digestOf(s.data.rows)
	of := sets + " " + l.colours + " " + modality
	if s.ranging.of == of {
		return
	}
	if s.ranging.job != nil {
		s.ranging.job.Drop()
	}
	var scale render.Scale
	var job *jobs.Job
	job = s.Work.Start(fmt.Sprintf("Range of %s", modality), func(ctx context.Context, p *jobs.Progress) (err error) {
		p.SetTotal(int64(len(l.rows)))
		scale, err = rangeOf(ctx, s.store, l, modality, func(int, int) { p.Add(1) })
		return err
	}, func(err error) {
		if s.ranging.job != job { // another one took its place
			return
		}
		s.ranging.job = nil
		if err != nil {
			s.failed(err)
			return
		}
		s.ranging.of = ""
		if s.scales.sets == sets && s.scales.colours == l.colours {
			s.scales.by[modality] = scale
			s.shownScale()
			s.list.Refresh()
		}
	})
	s.ranging = ranging{job, of}
}

// again lets what failed or was cancelled be derived when it is wanted next.
func (r *ranging) again() {
	if r.job == nil {
		r.of = ""
	}
}
