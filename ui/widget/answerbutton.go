package widget

import (
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

// AnswerButton is a button for one of several answers, in letters to be read from a distance. It
// bears the shape of the answer's points in figures, in their colour.
type AnswerButton struct{ widget.Button }

// NewAnswerButton makes an offer.
func NewAnswerButton(text string, look result.Look, tapped func()) *AnswerButton {
	b := &AnswerButton{widget.Button{Text: text, Icon: shapeIcon(look), OnTapped: tapped}}
	b.ExtendBaseWidget(b)
	return b
}

// CreateRenderer implements fyne.Widget.
func (b *AnswerButton) CreateRenderer() fyne.WidgetRenderer {
	r := b.Button.CreateRenderer()
	for _, o := range r.Objects() {
		if text, ok := o.(*widget.RichText); ok {
			text.Segments[0].(*widget.TextSegment).Style.SizeName = theme.SizeNameSubHeadingText
			text.Refresh()
		}
	}
	return r
}

// shapeIcon is the shape of a look as an icon, in the colour that the look has in the theme in
// force.
type shapeIcon result.Look

// colour is that of the look, which name tells from its other one.
func (s shapeIcon) colour() (colour color.NRGBA, name string) {
	look := render.Looks[s]
	if darkGround(theme.Color(theme.ColorNameBackground)) {
		return look.Dark, "dark"
	}
	return look.Light, "light"
}

// Name implements fyne.Resource.
func (s shapeIcon) Name() string {
	_, name := s.colour()
	return fmt.Sprintf("look-%d-%s.svg", s, name)
}

// Content implements fyne.Resource.
func (s shapeIcon) Content() []byte {
	shapes := map[render.Shape]string{
		render.Disc: `circle cx="12" cy="12" r="9"`, render.Square: `rect x="4" y="4" width="16" height="16"`,
		render.Triangle: `polygon points="12,3 22,21 2,21"`,
	}
	c, _ := s.colour()
	const head = `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">`
	return fmt.Appendf(nil, head+`<%s fill="#%02x%02x%02x"/></svg>`, shapes[render.Looks[s].Shape], c.R, c.G, c.B)
}
