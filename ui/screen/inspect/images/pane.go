package images

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// Pane shows the images behind the cell that was clicked, those that contribute most first.
type Pane struct {
	*ranked
	from  *widget.Picker
	about *evidence.Under // what is ranked, and which images make it
}

// The images that can be ranked: those that count and those that were left out.
const counted, excluded = "counted", "excluded"

// New makes the tab. The matrices stay in sight, to click the next cell. follow, which may be nil,
// hears which image is chosen; preview, which may be nil, too, shows one under the whole family.
func New(site pane.Site, store picture.Store, follow, preview func(image int)) *Pane {
	p := &Pane{ranked: newRanked(site, store, follow, preview)}
	p.from = site.Menu(func(which string) {
		p.ask.Excluded = which == excluded
		p.page.Changed()
	})
	p.offer(0)
	p.OnRune = func(r rune) bool {
		if r == 'e' {
			p.from.SetSelectedIndex(1 - p.from.SelectedIndex())
			return true
		}
		return p.letter(r)
	}
	p.about = evidence.NewUnder(container.NewBorder(container.NewVBox(p.menus(p.from), p.exclude), nil, nil, nil,
		p.wall.Object()))
	p.make("Images", kit.Screen[struct{}, Report]{
		Name: "Rank images", Doing: "Ranking images…", Quiet: true, Body: p.about.Container,
		Show: func(r Report) {
			p.show(r.Ranking)
			p.offer(r.Excluded)
			p.about.Say(strings.TrimSpace(r.Title + ". " + r.Why))
		},
	}, func(s pane.Subject, q Request) Report { return Report{Ranking: Rank(s, q)} })
	return p
}

// offer fills the menu of the images that are ranked.
func (p *Pane) offer(out int) {
	key := counted
	if p.ask.Excluded {
		key = excluded
	}
	left := fmt.Sprintf("%s excluded", result.Whole(out))
	p.from.Offer([]widget.Option{{Key: counted, Name: counted}, {Key: excluded, Name: left}}, key)
}
