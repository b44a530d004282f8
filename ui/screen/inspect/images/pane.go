package images

import (
	"fmt"

	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

var _ pane.Pane = (*Pane)(nil)

// Pane shows the images behind the cell that was clicked, those that contribute most first.
type Pane struct {
	*ranked
	from *widget.Picker
}

// The images that can be ranked: those that count and those that were left out.
const counted, excluded = "counted", "excluded"

// New makes the pane. The matrices stay in sight, to click the next cell. preview, which may be
// nil, shows an image under the whole family.
func New(site pane.Site, store picture.Store, preview func(image int)) *Pane {
	p := &Pane{ranked: newRanked(site, store, preview, "Images", false)}
	p.from = p.Menu(func(which string) {
		p.ask.Excluded = which == excluded
		p.load()
	})
	p.offer(0)
	p.answer = func() {
		answer(p.ranked, "rank images", Rank, func(r Ranking) {
			p.show(r)
			p.offer(r.Excluded)
		})
	}
	head := p.head(nil, picture.Wide(150, p.from.Object()))
	p.Lay(container.NewBorder(head, nil, nil, nil, p.wall.Object()), p.rune, p.wall.Key)
	return p
}

// offer fills the menu of the images that are ranked.
func (p *Pane) offer(out int) {
	left := fmt.Sprintf("%s excluded", result.Whole(out))
	p.from.Offer([]widget.Option{{Key: counted, Name: "counted images"}, {Key: excluded, Name: left}}, map[bool]string{false: counted, true: excluded}[p.ask.Excluded])
}

func (p *Pane) rune(r rune) bool {
	if r == 'e' {
		p.from.SetSelectedIndex(1 - p.from.SelectedIndex())
		return true
	}
	return p.letter(r)
}
