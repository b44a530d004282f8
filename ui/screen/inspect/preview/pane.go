package preview

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// Pane shows one image under the whole family.
type Pane struct {
	pane.Tab
	*widgets
	site     pane.Site
	cache    *picture.Cache
	prepared Prepared
	sheet    Sheet
	image    int
	chosen   int // transformation of the larger picture
	class    int // -1 for any
	inNet    bool
}

// New makes the tab. It has the room of the matrices for its strip.
func New(site pane.Site, store picture.Store) *Pane {
	p := &Pane{site: site, class: -1}
	p.cache = picture.NewCache(site.Work, store, p.arrived)
	p.Tab = pane.Tab{
		Tall: true, OnRune: p.rune, OnKey: p.key,
		Tab: kit.Tab{Key: "preview", Title: "Preview", Page: &kit.Panel{
			Body: p.build(), Show: p.show, Keys: site.Refocus, OnShown: p.arrived, OnHidden: p.cache.Rest,
			OnClosed: p.cache.Close,
		}},
	}
	return p
}

func (p *Pane) show() {
	s, before := p.site.Screen.Subject(), p.prepared.subject
	if p.cache.Problem() == nil && sameStrip(s, before) && p.image == p.sheet.Image {
		return // only the choice of images or the colours changed, which a strip does not show
	}
	p.prepared = Prepare(s)
	if s.Suite.Hash != before.Suite.Hash {
		p.class = -1
	}
	if s.Family != before.Family {
		p.chosen = p.prepared.family.Identity()
	}
	if s.Focus.Cell() && s.Focus != before.Focus {
		p.chosen = s.Focus.I
	}
	p.offerClasses(s.Suite.Classes)
	p.Choose(p.image)
}

// sameStrip tells whether two subjects give the same strips.
func sameStrip(a, b pane.Subject) bool {
	return a.Set != nil && a.Set == b.Set && a.Model.Hash == b.Model.Hash && a.Suite.Hash == b.Suite.Hash &&
		a.Suite.Root == b.Suite.Root && a.Family == b.Family &&
		a.First == b.First && a.Last == b.Last && a.Focus == b.Focus &&
		slices.Equal(a.Images.Excluded, b.Images.Excluded)
}

// Choose shows an image by its number in the suite, as soon as the pane is shown.
func (p *Pane) Choose(image int) {
	if p.prepared.subject.Model.Hash == "" {
		p.image = image
		return
	}
	p.sheet = p.prepared.Sheet(image)
	p.image = p.sheet.Image
	p.chosen = max(0, min(p.chosen, len(p.sheet.Frames)-1))
	if p.sheet.Reason == "" {
		p.cache.Use(p.sheet.Lens)
	}
	p.fill()
}

// Follow shows the image that was chosen elsewhere, at once or when the pane is shown.
func (p *Pane) Follow(image int) {
	if image != p.image {
		p.image = image
		p.Page.Changed()
	}
}

// step goes to another image.
func (p *Pane) step(by int, want Want) {
	image, ok := p.prepared.Next(p.image, by, want, p.class)
	if !ok {
		p.site.Say("there is no such image")
		return
	}
	p.Choose(image)
}

// random goes to an image at random.
func (p *Pane) random() {
	if image, ok := p.prepared.Any(rand.Float64(), p.class); ok {
		p.Choose(image)
	}
}

// number goes to the image whose number was typed.
func (p *Pane) number(text string) {
	image, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || image < 0 || image >= p.sheet.Total {
		p.site.Say(fmt.Sprintf("image numbers go from 0 to %s", strconv.Itoa(p.sheet.Total-1)))
		p.fill()
		return
	}
	p.Choose(image)
}

// enlarge shows a transformation beside the original.
func (p *Pane) enlarge(i int) {
	p.chosen = max(0, min(i, len(p.sheet.Frames)-1))
	p.wall.Select(p.chosen)
	p.draw()
}

// exclude leaves the image out of the matrices, or takes it back in.
func (p *Pane) exclude() {
	switch {
	case p.sheet.Reason != "":
	case p.sheet.Excluded:
		p.site.Screen.Include([]int{p.image})
	default:
		p.site.Screen.Exclude([]int{p.image})
	}
}

func (p *Pane) rune(r rune) bool {
	switch r {
	case 'r':
		p.random()
	case 'w':
		p.step(1, WrongImage)
	case 'c':
		p.step(1, ChangingImage)
	case 'n':
		p.normalised.SetChecked(!p.inNet)
	case 'x':
		if p.site.Spend() {
			p.exclude()
		}
	case ',':
		p.step(-1, AnyImage)
	case '.':
		p.step(1, AnyImage)
	default:
		return false
	}
	return true
}

func (p *Pane) key(name fyne.KeyName) bool {
	switch name {
	case fyne.KeyPageUp:
		p.step(-1, AnyImage)
	case fyne.KeyPageDown:
		p.step(1, AnyImage)
	case fyne.KeyHome:
		p.enlarge(p.sheet.Identity)
	default:
		return p.wall.Key(name)
	}
	return true
}

// arrived puts pictures where they are waited for.
func (p *Pane) arrived() {
	p.wall.Arrived(p.cache.Problem(), p.sheet.Lens.Suite)
	p.draw()
}
