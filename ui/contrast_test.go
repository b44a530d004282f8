package ui

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

// The least contrasts: of text, and of large text, marks and borders (WCAG 2.2, 1.4.3 and 1.4.11).
// What cannot be used now is held to that of text: Fyne gives its colour to labels of little
// importance as well.
const (
	readable = 4.5
	seen     = 3.0
)

// luminance is the relative luminance of an opaque colour (WCAG 2.2).
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// laid is what a colour that may be transparent looks like on an opaque one.
func laid(over, ground color.NRGBA) color.NRGBA {
	mix := func(a, b uint8) uint8 {
		return uint8((int(a)*int(over.A) + int(b)*(255-int(over.A)) + 127) / 255)
	}
	return color.NRGBA{mix(over.R, ground.R), mix(over.G, ground.G), mix(over.B, ground.B), 0xff}
}

// contrast is the contrast of a colour on an opaque ground, from 1 to 21.
func contrast(on, ground color.NRGBA) float64 {
	a, b := luminance(laid(on, ground)), luminance(ground)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

func plainColour(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }

// TestThemeContrast: whatever text the theme puts on whatever ground can be read in both looks,
// and borders and the mark of the focus can be seen.
func TestThemeContrast(t *testing.T) {
	grounds := []fyne.ThemeColorName{
		theme.ColorNameBackground, theme.ColorNameHeaderBackground, theme.ColorNameInputBackground,
		theme.ColorNameMenuBackground, theme.ColorNameOverlayBackground, theme.ColorNameButton,
	}
	texts := []fyne.ThemeColorName{
		theme.ColorNameForeground, theme.ColorNamePlaceHolder, theme.ColorNamePrimary, theme.ColorNameHyperlink,
		theme.ColorNameError, theme.ColorNameWarning, theme.ColorNameSuccess,
	}
	filled := map[fyne.ThemeColorName]fyne.ThemeColorName{
		theme.ColorNamePrimary: theme.ColorNameForegroundOnPrimary,
		theme.ColorNameError:   theme.ColorNameForegroundOnError,
		theme.ColorNameWarning: theme.ColorNameForegroundOnWarning,
		theme.ColorNameSuccess: theme.ColorNameForegroundOnSuccess,
	}
	for _, look := range []Look{LookLight, LookDark} {
		th := NewTheme(look)
		get := func(name fyne.ThemeColorName) color.NRGBA { return plainColour(th.Color(name, theme.VariantLight)) }
		check := func(least float64, on, ground color.NRGBA, what string) {
			t.Helper()
			if got := contrast(on, ground); got < least {
				t.Errorf("%s: %s has a contrast of %.2f", look, what, got)
			}
		}
		for _, ground := range grounds {
			for _, state := range []fyne.ThemeColorName{
				"", theme.ColorNameHover, theme.ColorNameSelection, theme.ColorNameFocus,
			} {
				under, where := get(ground), fmt.Sprintf("on %s", ground)
				if state != "" {
					under, where = laid(get(state), under), where+" with "+string(state)
				}
				for _, text := range texts {
					check(readable, get(text), under, string(text)+" "+where)
				}
				check(seen, get(theme.ColorNamePrimary), under, "the mark of the focus "+where)
			}
			check(readable, get(theme.ColorNameForeground), laid(get(theme.ColorNamePressed), get(ground)),
				"a pressed button on "+string(ground))
			check(readable, get(theme.ColorNameDisabled), get(ground),
				"what is disabled or of little importance on "+string(ground))
		}
		check(readable, get(theme.ColorNameDisabled), get(theme.ColorNameDisabledButton), "a disabled button")
		for _, ground := range []fyne.ThemeColorName{
			theme.ColorNameBackground, theme.ColorNameInputBackground, theme.ColorNameOverlayBackground,
		} {
			check(seen, get(theme.ColorNameInputBorder), get(ground), "the border of an entry on "+string(ground))
		}
		for ground, text := range filled {
			for _, state := range []fyne.ThemeColorName{
				theme.ColorNameHover, theme.ColorNamePressed, theme.ColorNameFocus,
			} {
				check(readable, get(text), get(ground), fmt.Sprintf("%s on %s", text, ground))
				check(readable, get(text), laid(get(state), get(ground)),
					fmt.Sprintf("%s on %s with %s", text, ground, state))
			}
		}
	}
}

// groundOf is the colour that most of a box has in a picture: what a text stands on.
func groundOf(picture image.Image, b box, scale float32) (color.NRGBA, bool) {
	count := map[color.NRGBA]int{}
	var most color.NRGBA
	for y := int(b.top * scale); y < int(b.bottom*scale); y++ {
		for x := int(b.left * scale); x < int(b.right*scale); x++ {
			c := plainColour(picture.At(x, y))
			count[c]++
			if count[c] > count[most] {
				most = c
			}
		}
	}
	return most, count[most] > 0
}

// faint are the texts on a screen that stand out too little from what lies behind them in a
// picture of it.
func faint(picture image.Image, list []letters) (faults []string) {
	for _, one := range list {
		shown := one.box.within(one.clip)
		ground, ok := groundOf(picture, shown, 1)
		if !ok {
			continue
		}
		least := readable
		if one.size >= 24 || one.bold && one.size >= 18.66 {
			least = seen
		}
		if got := contrast(one.colour, ground); got < least {
			faults = append(faults, fmt.Sprintf("%q (%T) at %v in %v on %v has a contrast of %.2f", one.text, one.owner,
				one.box, one.colour, ground, got))
		}
	}
	return faults
}

// readableTexts reports texts of the screen shown that stand out too little from what lies behind
// them in its picture.
func (o *opened) readableTexts(t *testing.T, where string, picture image.Image) {
	t.Helper()
	for _, fault := range faint(picture, lettersOf(o.Window.Window().Content(), o.Window.Window().Canvas().Size())) {
		t.Errorf("%s, %s: %s", o.theme.Look(), where, fault)
	}
}

// drawnAs keeps how a text is drawn.
func (l *letters) drawnAs(text *canvas.Text) {
	l.colour, l.size, l.bold = plainColour(text.Color), text.TextSize, text.TextStyle.Bold
}
