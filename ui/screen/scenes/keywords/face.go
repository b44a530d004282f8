package keywords

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/widget"
)

// face holds the page's widgets: what can be done above, keywords, their images and the chosen one
// side by side below, and what stands there while there is nothing.
type face struct {
	p       *Page
	caption *fynewidget.Label
	masks   *fynewidget.Button
	table   *fynewidget.Button // what can be done with the table
	list    *listPane
	gallery *gallery
	detail  *detail
	body    *fyne.Container
	empty   *widget.Vacancy
	root    fyne.CanvasObject
	grown   float32 // the size of text that the columns are for
}

func newFace(p *Page) *face {
	f := &face{p: p, empty: widget.NewVacancy(), caption: fynewidget.NewLabel("")}
	f.caption.Truncation = fyne.TextTruncateEllipsis
	f.list, f.gallery, f.detail = newListPane(p), newGallery(p), newDetail(p)
	read := fynewidget.NewButtonWithIcon("Read keywords…", theme.ContentAddIcon(), p.askKeywords)
	f.masks = fynewidget.NewButton("Masks…", p.askMasks)
	f.table = fynewidget.NewButtonWithIcon("Table", theme.MenuDropDownIcon(), nil)
	f.table.IconPlacement = fynewidget.ButtonIconTrailingText
	f.table.OnTapped = func() {
		menu := fynewidget.NewPopUpMenu(fyne.NewMenu("", p.tableMenu()...), p.deps.Host.Window.Canvas())
		menu.ShowAtRelativePosition(fyne.NewPos(0, f.table.Size().Height), f.table)
	}
	f.table.Disable()
	head := container.NewBorder(nil, nil, container.NewHBox(read, f.masks, f.table), nil, f.caption)
	f.body = container.New(threeColumns{}, f.list.object, f.gallery.object, f.detail.object)
	f.body.Hide()
	f.root = container.NewBorder(head, nil, nil, nil, container.NewStack(f.body, f.empty.Object()))
	return f
}

// working says that something is being read.
func (f *face) working() {
	if !f.body.Visible() {
		f.empty.Say("Reading keywords…")
	}
}

// vacant shows a text in place of the columns, with what helps.
func (f *face) vacant(text string, help ...widget.Help) {
	f.body.Hide()
	f.caption.SetText("")
	f.table.Disable()
	f.empty.Say(text, help...)
}

// show applies what was read.
func (f *face) show() {
	p, v := f.p, f.p.view
	widget.Enable(f.masks, v.Suites > 0)
	switch {
	case v.Record.Hash == "" && v.Suites == 0:
		f.vacant("This workspace has no images yet. Import a suite of targets, with a class label each, and a suite of backgrounds without any foreground object.",
			widget.Help{Text: "Import…", Icon: theme.FolderOpenIcon(), Do: p.deps.Import})
		return
	case v.Record.Hash == "":
		f.vacant("What do the images contain? Two networks can tell, one for the elements and one for the kind of scene, or a table that was made elsewhere. All that follows, ontology, testing scenes and matrices, rests on these keywords.",
			widget.Help{Text: "Read keywords…", Icon: theme.ContentAddIcon(), Do: p.askKeywords},
			widget.Help{Text: "Import…", Icon: theme.FolderOpenIcon(), Do: p.deps.Import})
		return
	}
	f.empty.Hide()
	f.body.Show()
	f.table.Enable()
	f.list.rule.show(p.rule)
	f.recounted()
	f.grown = widget.Grown()
	if c := p.deps.Host.Window.Canvas(); c.Focused() == nil {
		p.Focus() // the list could not have it before
	}
}

// recounted shows the keywords under another rule.
func (f *face) recounted() {
	f.caption.SetText(f.p.view.Caption())
	f.list.show()
	f.gallery.show(false)
}

// grow makes columns wider after text has got another size.
func (f *face) grow() {
	if f.grown != widget.Grown() && f.body.Visible() {
		f.show()
	}
}

func (f *face) rest() { f.gallery.rest() }

func (f *face) close() {
	f.gallery.close()
	f.detail.close()
}

// threeColumns gives the outer columns shares of the width, within bounds, and the middle the rest.
type threeColumns struct{}

// The gap between the columns, the width in which the list shows all its columns, and the width
// that is left to the images all the same.
const columnGap, leastList, leastMiddle = 8, 392, 216

// Layout implements fyne.Layout.
func (threeColumns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	right := max(objects[2].MinSize().Width, min(0.325*size.Width, 620))
	most := size.Width - right - 2*columnGap - leastMiddle*widget.Grown()
	left := max(objects[0].MinSize().Width, min(0.35*size.Width, 460), min(leastList*widget.Grown(), most))
	middle := max(0, size.Width-left-right-2*columnGap)
	at := float32(0)
	for k, width := range []float32{left, middle, right} {
		objects[k].Move(fyne.NewPos(at, 0))
		objects[k].Resize(fyne.NewSize(width, size.Height))
		at += width + columnGap
	}
}

// MinSize implements fyne.Layout.
func (threeColumns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := fyne.NewSize(2*columnGap, 0)
	for _, o := range objects {
		size := o.MinSize()
		least.Width += size.Width
		least.Height = max(least.Height, size.Height)
	}
	return least
}
