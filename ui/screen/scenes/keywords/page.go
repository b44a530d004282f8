// Package keywords is the page Keywords of the Background screen: where keywords come from, images by keyword, how an image's keywords are expanded.
package keywords

import (
	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/screen/scenes/page"
	"github.com/variscope/variscope/ui/widget"
	"github.com/variscope/variscope/ui/words"
)

// Page is the page. All methods are called on Fyne's main goroutine.
type Page struct {
	deps  page.Deps
	empty *widget.Vacancy
}

var _ page.Page = (*Page)(nil)

// New makes the page; it reads when it is shown.
func New(deps page.Deps) *Page {
	return &Page{deps: deps, empty: widget.NewVacancy()}
}

// Title implements page.Page.
func (p *Page) Title() string { return words.T("Keywords") }

// Object implements page.Page.
func (p *Page) Object() fyne.CanvasObject { return p.empty.Object() }

// Show implements page.Page.
func (p *Page) Show(page.Subject) {}

// Hide implements page.Page.
func (p *Page) Hide() {}

// Changed implements page.Page.
func (p *Page) Changed(store.Change) {}

// Focus implements page.Page.
func (p *Page) Focus() {}

// Close implements page.Page.
func (p *Page) Close() {}
