package images

import (
	"fmt"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// Pane shows the images behind the cell that was clicked, those that contribute most first.
type Pane struct {
	*ranked
	from *widget.Picker
}

// The images that can be ranked: those that count and those that were left out.
const counted, excluded = "counted", "excluded"

// New makes the tab. The matrices stay in sight, to click the next cell. preview, which may be nil,
// shows an image under the whole family.
func New(site pane.Site, store picture.Store, preview func(image int)) *Pane {
	p := &Pane{ranked: newRanked(site, store, preview)}
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
	p.make("Images", kit.Screen[struct{}, Report]{
		Name: "Rank images", Doing: "Ranking images…", Quiet: true, Body: p.wall.Object(), Tools: p.tools(picture.Wide(150, p.from.Object())),
		Show: func(r Report) { p.show(r.Ranking); p.offer(r.Excluded) },
	}, func(s pane.Subject, q Question) Report { return Report{Ranking: Rank(s, q)} })
	return p
}

// offer fills the menu of the images that are ranked.
func (p *Pane) offer(out int) {
	key := counted
	if p.ask.Excluded {
		key = excluded
	}
	left := fmt.Sprintf("%s excluded", result.Whole(out))
	p.from.Offer([]widget.Option{{Key: counted, Name: "counted images"}, {Key: excluded, Name: left}}, key)
}
