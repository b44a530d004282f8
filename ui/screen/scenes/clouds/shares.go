package clouds

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/scatter"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/kit"
)

// shares shows how far the matrices of smaller shares of the targets lie from those of all, for the
// model and measure that are shown. It is computed when it is asked for, since it takes many
// matrices.
type shares struct {
	*kit.Screen[struct{}, shareData]
	shown   *ask
	key     cloudKey
	compute bool // for the next loading
	chart   *kit.Figure
}

type shareData struct {
	about   string // model and measure
	absent  bool   // the measure
	found   bool
	effects background.ShareEffects
}

func newShares(p *Page) *shares {
	s := &shares{chart: &kit.Figure{Host: p.Host}}
	s.chart.Name = func() []string { d, _ := s.Data(); return []string{d.about, "shares"} }
	compute := kit.Help{Text: "Compute", Icon: theme.MediaPlayIcon(), Do: func() {
		s.compute = true
		s.Changed()
	}}
	s.Screen = kit.New(kit.Screen[struct{}, shareData]{
		Host: p.Host, Name: "Compare shares of the targets", Doing: "Comparing shares of the targets…",
		Key: "scenes.matrices.shares",
		Load: func(struct{}) kit.Work[shareData] {
			a, compute := s.shown, s.compute
			if s.compute = false; a == nil {
				return nil
			}
			return func(ctx context.Context, progress engine.Progress) (d shareData, err error) {
				e, measure := a.evidence[0], a.settings.measure()
				d.about = fmt.Sprintf("%s, %s", e.Model.ID, measure)
				if _, there := e.Clouds[measure]; !there {
					d.absent = true
					return d, nil
				}
				d.effects, d.found, err = scenes.ShareEffects(ctx, p.site.Workspace, *e, measure, a.settings.Seed,
					compute, progress)
				return d, err
			}
		},
		Body: s.chart.Object(),
		Empty: func(d shareData) (kit.Empty, bool) {
			e := kit.Empty{Text: "The difference by share of the targets is not computed yet."}
			if !d.absent && d.about != "" {
				e.Help = []kit.Help{compute}
			}
			return e, !d.found
		},
		Show: func(d shareData) { s.chart.Set(d.effects.Figure(d.about, scenes.ShareDraws, scatter.Interpolants())) },
	})
	return s
}

// show follows what is looked at.
func (s *shares) show(a ask) {
	key := a.cloudKey(0, a.settings.measure(), wholeShare)
	key.seed = a.settings.Seed
	if s.shown = &a; key != s.key {
		s.key = key
		s.Changed()
	}
}
