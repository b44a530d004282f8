// Package widget holds the parts that Variscope's screens are built of: heatmaps with axes and
// colour bars, thumbnails, line charts, small tables for kappas and confusions, progress rows, and
// the focus surface for label keys.
//
// Every widget takes its colours and sizes from the theme, so it follows light and dark, and draws
// in Fyne's device-independent pixels. Methods are called on Fyne's main goroutine; functions that
// do work on pixels (NewPicture, render.Strip) are called off it and only their result is handed
// over.
package widget

import (
	"image/color"
	"math"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/outside"
)

// Keys receives what a focused widget does not use itself, so that a screen's single-key commands
// keep working wherever the focus is. Both callbacks may be nil.
type Keys struct {
	// OnRune gets each typed character.
	OnRune func(rune)
	// OnKey is asked first about each key; true means handled.
	OnKey func(*fyne.KeyEvent) bool
}

func (k *Keys) passRune(r rune) {
	if k.OnRune != nil {
		k.OnRune(r)
	}
}

func (k *Keys) passKey(ev *fyne.KeyEvent) bool { return k.OnKey != nil && k.OnKey(ev) }

// keyed is the part of a widget that can have the keyboard: it knows whether it has it, and passes
// characters on.
type keyed struct {
	widget.BaseWidget
	Keys
	focused bool
}

// FocusGained implements fyne.Focusable.
func (k *keyed) FocusGained() {
	k.focused = true
	k.Refresh()
}

// FocusLost implements fyne.Focusable.
func (k *keyed) FocusLost() {
	k.focused = false
	k.Refresh()
}

// TypedRune implements fyne.Focusable.
func (k *keyed) TypedRune(r rune) { k.passRune(r) }

// style bundles what every renderer here asks the theme for.
type style struct {
	foreground, faint, line, background, primary, focus, selection, hover color.Color
	text, caption, pad                                                    float32
}

func styleOf(w fyne.Widget) style {
	c := func(name fyne.ThemeColorName) color.Color { return theme.ColorForWidget(name, w) }
	return style{
		foreground: c(theme.ColorNameForeground), faint: c(theme.ColorNamePlaceHolder),
		line: c(theme.ColorNameSeparator), background: c(theme.ColorNameBackground), primary: c(theme.ColorNamePrimary),
		focus: c(theme.ColorNameFocus), selection: c(theme.ColorNameSelection), hover: c(theme.ColorNameHover),
		text: theme.SizeForWidget(theme.SizeNameText, w), caption: theme.SizeForWidget(theme.SizeNameCaptionText, w),
		pad: theme.SizeForWidget(theme.SizeNamePadding, w),
	}
}

// drawn is the part of a renderer that makes its objects anew at each change of size, theme or
// data.
type drawn struct {
	of      fyne.Widget
	draw    func(fyne.Size) // sets objects
	objects []fyne.CanvasObject
}

// Destroy implements fyne.WidgetRenderer.
func (d *drawn) Destroy() {}

// Objects implements fyne.WidgetRenderer.
func (d *drawn) Objects() []fyne.CanvasObject { return d.objects }

// Layout implements fyne.WidgetRenderer.
func (d *drawn) Layout(size fyne.Size) { d.draw(size) }

// Refresh implements fyne.WidgetRenderer.
func (d *drawn) Refresh() {
	d.draw(d.of.Size())
	canvas.Refresh(d.of)
}

func measure(text string, size float32, bold bool) fyne.Size {
	return fyne.MeasureText(text, size, fyne.TextStyle{Bold: bold})
}

func newText(text string, c color.Color, size float32) *canvas.Text {
	t := canvas.NewText(text, c)
	t.TextSize = size
	return t
}

// placeText moves a text so that its box of its own size has its top-left corner at x, y.
func placeText(t *canvas.Text, x, y float32) {
	t.Resize(t.MinSize())
	t.Move(fyne.NewPos(x, y))
}

func newLine(c color.Color, x1, y1, x2, y2 float32) *canvas.Line {
	l := canvas.NewLine(c)
	l.StrokeWidth = 1
	l.Position1, l.Position2 = fyne.NewPos(x1, y1), fyne.NewPos(x2, y2)
	return l
}

// shorten cuts text at its end with an ellipsis until it is at most width wide; "" when not even
// one letter fits.
func shorten(text string, size, width float32, bold bool) string {
	text = outside.Visible(text)
	if measure(text, size, bold).Width <= width {
		return text
	}
	return longestCut(text, func(cut string) bool { return measure(cut, size, bold).Width <= width })
}

// longestCut is the longest beginning of a text, with an ellipsis, that fits; "" when not even one
// letter does. Of two beginnings the longer one is the wider one, so that few have to be measured:
// a text can have thousands of letters.
func longestCut(text string, fits func(cut string) bool) string {
	letters := []rune(text)
	cut := func(n int) string { return strings.TrimRight(string(letters[:n]), " ,;") + "…" }
	n := sort.Search(max(len(letters)-1, 0), func(n int) bool { return !fits(cut(n + 1)) }) // so many letters fit
	if n == 0 {
		return ""
	}
	return cut(n)
}

// wrap breaks text at spaces into lines of at most width; a longer word stands alone and is
// shortened.
func wrap(text string, size, width float32) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && measure(longer, size, false).Width > width {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	lines = append(lines, line)
	for i := range lines {
		lines[i] = shorten(lines[i], size, width, false)
	}
	return lines
}

// whole rounds down to whole pixels.
func whole(v float32) float32 { return float32(math.Floor(float64(v))) }

// faded is c at a share of its opacity.
func faded(c color.Color, share float64) color.Color {
	r, g, b, a := c.RGBA()
	if a == 0 {
		return color.Transparent
	}
	un := func(v uint32) uint8 { return uint8(v * 0xff / a) }
	return color.NRGBA{R: un(r), G: un(g), B: un(b), A: uint8(float64(a>>8)*min(max(share, 0), 1) + 0.5)}
}
