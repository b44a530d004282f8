package stage

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Look is Fyne's theme, light or dark, with text so many times as large.
func Look(variant fyne.ThemeVariant, text float32) fyne.Theme {
	return look{theme.DefaultTheme(), variant, text}
}

type look struct {
	fyne.Theme
	variant fyne.ThemeVariant
	text    float32
}

// Color implements fyne.Theme.
func (l look) Color(name fyne.ThemeColorName, _ fyne.ThemeVariant) color.Color {
	return l.Theme.Color(name, l.variant)
}

// Size implements fyne.Theme.
func (l look) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameText, theme.SizeNameCaptionText, theme.SizeNameHeadingText, theme.SizeNameSubHeadingText:
		return l.text * l.Theme.Size(name)
	}
	return l.Theme.Size(name)
}
