package clouds

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/present"
)

// renewer decides what is computed: a preview of the newest request, one at a time, and after it
// the exact matrices in its place. A newer request ends what is being computed for an older one. It
// is used on the main goroutine only.
type renewer struct {
	p      *Page
	rows   []Row // the models that are wanted
	wanted Settings
	sheet  *sheet // what is shown, nil for nothing
	latest jobs.Latest
	job    *jobs.Job // that computes the exact matrices
	busy   bool      // a preview is being made
	again  bool      // something else was wanted meanwhile
	none   bool      // nothing is wanted
	closed bool
}

// want shows one model in one or several selections, or two models side by side.
func (b *renewer) want(rows []Row, settings Settings) {
	b.rows, b.wanted, b.none = rows, settings, false
	b.halt()
	if b.again = b.busy; !b.busy {
		b.preview()
	}
}

// clear shows nothing.
func (b *renewer) clear() {
	b.none, b.again, b.sheet = true, false, nil
	b.halt()
}

// halt ends what is being computed exactly.
func (b *renewer) halt() {
	b.latest.Next()
	if b.job != nil {
		b.job.Drop()
		b.job = nil
	}
}

// idle tells whether nothing is under way.
func (b *renewer) idle() bool { return !b.busy && b.job == nil }

func (b *renewer) preview() {
	b.busy = true
	rows, a, v, selection := b.rows, ask{settings: b.wanted}, b.p.vault, b.p.subject.Selection
	var made *sheet
	b.p.Work.Quiet("preview matrices", func(ctx context.Context) (err error) {
		list, left, err := looks(b.p.site.Workspace, rows, selection, a.settings.Mode)
		if err != nil {
			return err
		}
		var unread []string
		if a.evidence, unread, err = v.read(ctx, b.p.site.Workspace, list, selection); err != nil {
			return err
		}
		a.left = append(left, unread...)
		made, err = preview(ctx, v, a)
		return err
	}, func(err error) {
		b.busy = false
		if b.closed || b.none {
			return
		}
		current := v == b.p.vault // it is of the selection that is looked at
		if err == nil && current {
			b.show(made) // also where a newer one is wanted: a slider that moves shows where it was a moment ago
		}
		switch {
		case b.again:
			b.again = false
			b.preview()
		case !current:
		case err != nil:
			b.failed(err)
		case !made.exact:
			b.exact(a)
		}
	})
}

func (b *renewer) exact(a ask) {
	id, v := b.latest.Next(), b.p.vault
	var made *sheet
	name := a.evidence[0].Model.ID
	b.job = b.p.Work.Start(fmt.Sprintf("Matrices of %s", name),
		func(ctx context.Context, p *jobs.Progress) (err error) {
			made, err = exact(ctx, b.p.site.Workspace, v, a, p)
			return err
		}, func(err error) {
			if b.closed || !b.latest.Is(id) {
				return
			}
			b.job = nil
			if err != nil {
				b.failed(err)
				return
			}
			b.show(made)
		})
}

// resume computes what was stopped.
func (b *renewer) resume() {
	if b.sheet != nil && !b.sheet.exact && b.idle() {
		b.want(b.rows, b.wanted)
	}
}

func (b *renewer) failed(err error) {
	switch {
	case errors.Is(err, jobs.ErrClosed):
	case present.Cancelled(err):
		b.p.stopped("Computing was cancelled; what is shown is a preview.")
	default:
		b.p.stopped(present.Sentence(err))
		b.p.Fail(err)
	}
}

func (b *renewer) show(s *sheet) {
	b.sheet = s
	b.p.showSheet(s)
}
