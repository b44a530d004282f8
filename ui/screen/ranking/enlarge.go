package ranking

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	parts "github.com/variscope/variscope/ui/widget"
)

// enlargedSide is the side of an enlarged picture.
const enlargedSide = 320

// enlarge shows one of the hardest images large, with all that models say of it.
func (p *imagesPage) enlarge(k int) {
	if k < 0 || k >= len(p.hard) {
		return
	}
	h, v := p.hard[k], p.s.outcome()
	frame := kit.NewFrame(enlargedSide)
	frame.SetPicture(p.pictures.Picture(h.Image))
	text := fynewidget.NewLabel(v.Predictions(h))
	text.Wrapping, text.Selectable = fyne.TextWrapWord, true
	head := parts.Wrapped(v.HardText(h))
	scroll := container.NewVScroll(text)
	scroll.SetMinSize(fyne.NewSize(360, enlargedSide))
	content := container.NewBorder(head, nil, container.NewCenter(frame), nil, scroll)
	d := dialog.NewCustomWithoutButtons("Hard image", parts.Fitting(content, p.s.Window), p.s.Window)
	buttons := []fyne.CanvasObject{fynewidget.NewButton("Close", d.Hide)}
	if best, ok := v.bestModel(); ok && p.s.InspectImage != nil && v.Material.inspectable() {
		id := v.Board.Models[best].ID
		buttons = append(buttons, fynewidget.NewButtonWithIcon(fmt.Sprintf("Inspect it with %s", id),
			theme.SearchIcon(), func() {
				d.Hide()
				p.s.InspectImage(v.Board.Models[best].Hash, h.Image)
			}))
	}
	d.SetButtons(buttons)
	d.SetOnClosed(p.wall.Focus)
	d.Resize(fyne.NewSize(760, 460))
	d.Show()
}

// bestModel is the best model by LaF that is in this workspace.
func (v Answer) bestModel() (j int, ok bool) {
	for _, j := range v.byLaF() {
		if v.Board.Models[j].Hash != "" {
			return j, true
		}
	}
	return 0, false
}

// Predictions lists the classes that models predict for an image, each with its models by LaF's
// rank.
func (v Answer) Predictions(h Hard) string {
	var lines []string
	for _, vote := range v.votes(h.Image) {
		var ids []string
		for _, j := range vote.Models {
			ids = append(ids, v.Board.Models[j].ID)
		}
		line := fmt.Sprintf("%s, %s: %s", v.Material.Class(vote.Class), result.Counted(len(ids), "model"),
			strings.Join(ids, ", "))
		if vote.Class == h.Truth {
			line = "✓ " + line
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n\n")
}
