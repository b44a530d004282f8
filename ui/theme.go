package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Look is the choice between light and dark.
type Look string

// The looks; LookSystem follows the desktop's preference.
const (
	LookSystem Look = ""
	LookLight  Look = "light"
	LookDark   Look = "dark"
)

// Theme is Variscope's look on top of Fyne's own: calm colours that leave the matrices the
// strongest thing on the screen, and tighter spacing. The default font's digits are of equal
// width, so numbers stand in columns.
type Theme struct {
	base  fyne.Theme
	look  Look
	scale float32 // of everything
	text  float32 // size of ordinary text at scale 1
}

// NewTheme makes the theme for a look in its usual size.
func NewTheme(look Look) *Theme {
	return &Theme{base: theme.DefaultTheme(), look: look, scale: 1, text: usualText}
}

// usualText is the size of ordinary text.
const usualText = 13

// Sized is the theme with everything as many times larger, and with ordinary text of another size
// than 13.
func (t *Theme) Sized(scale, text float64) *Theme {
	sized := *t
	sized.scale, sized.text = float32(scale), float32(text)
	return &sized
}

// like tells whether two themes draw the same.
func (t *Theme) like(o *Theme) bool {
	return t.look == o.look && t.scale == o.scale && t.text == o.text
}

// Look is what the theme was made for.
func (t *Theme) Look() Look { return t.look }

// Dark tells whether the theme is dark where the desktop prefers the given variant.
func (t *Theme) Dark(preferred fyne.ThemeVariant) bool {
	return t.variant(preferred) == theme.VariantDark
}

func (t *Theme) variant(preferred fyne.ThemeVariant) fyne.ThemeVariant {
	switch {
	case t.look == LookDark:
		return theme.VariantDark
	case t.look == LookLight:
		return theme.VariantLight
	case preferred == theme.VariantDark:
		return theme.VariantDark
	}
	return theme.VariantLight
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

func rgba(hex uint32, alpha uint8) color.NRGBA {
	c := rgb(hex)
	c.A = alpha
	return c
}

var light = map[fyne.ThemeColorName]color.NRGBA{
	theme.ColorNameBackground:          rgb(0xf7f8fa),
	theme.ColorNameHeaderBackground:    rgb(0xeef1f4),
	theme.ColorNameForeground:          rgb(0x1f2630),
	theme.ColorNamePlaceHolder:         rgb(0x505a68),
	theme.ColorNameDisabled:            rgb(0x576170),
	theme.ColorNameButton:              rgb(0xe6ebf0),
	theme.ColorNameDisabledButton:      rgb(0xeff2f5),
	theme.ColorNameInputBackground:     rgb(0xffffff),
	theme.ColorNameInputBorder:         rgb(0x848e9c),
	theme.ColorNameMenuBackground:      rgb(0xffffff),
	theme.ColorNameOverlayBackground:   rgb(0xf1f4f7),
	theme.ColorNamePrimary:             rgb(0x1d5580),
	theme.ColorNameHyperlink:           rgb(0x1d5580),
	theme.ColorNameForegroundOnPrimary: rgb(0xffffff),
	theme.ColorNameFocus:               rgba(0x1d5580, 0x28),
	theme.ColorNameSelection:           rgba(0x1d5580, 0x28),
	theme.ColorNameHover:               rgba(0x1f2630, 0x0d),
	theme.ColorNamePressed:             rgba(0x1f2630, 0x1c),
	theme.ColorNameSeparator:           rgb(0xdde2e8),
	theme.ColorNameError:               rgb(0x9c2620),
	theme.ColorNameWarning:             rgb(0x744900),
	theme.ColorNameSuccess:             rgb(0x1d5f35),
	theme.ColorNameScrollBar:           rgba(0x1f2630, 0x66),
	theme.ColorNameShadow:              rgba(0x000000, 0x28),
}

var dark = map[fyne.ThemeColorName]color.NRGBA{
	theme.ColorNameBackground:          rgb(0x171b21),
	theme.ColorNameHeaderBackground:    rgb(0x1f242c),
	theme.ColorNameForeground:          rgb(0xdfe4ea),
	theme.ColorNamePlaceHolder:         rgb(0xb0bac7),
	theme.ColorNameDisabled:            rgb(0x9ba5b4),
	theme.ColorNameButton:              rgb(0x29303a),
	theme.ColorNameDisabledButton:      rgb(0x222830),
	theme.ColorNameInputBackground:     rgb(0x10141a),
	theme.ColorNameInputBorder:         rgb(0x707c8c),
	theme.ColorNameMenuBackground:      rgb(0x242a33),
	theme.ColorNameOverlayBackground:   rgb(0x1d222a),
	theme.ColorNamePrimary:             rgb(0x86c0ea),
	theme.ColorNameHyperlink:           rgb(0x86c0ea),
	theme.ColorNameForegroundOnPrimary: rgb(0x0d1420),
	theme.ColorNameFocus:               rgba(0x6fb0de, 0x2c),
	theme.ColorNameSelection:           rgba(0x6fb0de, 0x34),
	theme.ColorNameHover:               rgba(0xffffff, 0x0e),
	theme.ColorNamePressed:             rgba(0xffffff, 0x1c),
	theme.ColorNameSeparator:           rgb(0x2c333d),
	theme.ColorNameError:               rgb(0xf6a8a1),
	theme.ColorNameWarning:             rgb(0xe3b25a),
	theme.ColorNameSuccess:             rgb(0x80cc9b),
	theme.ColorNameScrollBar:           rgba(0xffffff, 0x55),
	theme.ColorNameShadow:              rgba(0x000000, 0x66),
}

// Color implements fyne.Theme.
func (t *Theme) Color(name fyne.ThemeColorName, preferred fyne.ThemeVariant) color.Color {
	variant := t.variant(preferred)
	palette := light
	if variant == theme.VariantDark {
		palette = dark
	}
	if c, ok := palette[name]; ok {
		return c
	}
	return t.base.Color(name, variant)
}

// Font implements fyne.Theme.
func (t *Theme) Font(style fyne.TextStyle) fyne.Resource { return t.base.Font(style) }

// Icon implements fyne.Theme.
func (t *Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return t.base.Icon(name) }

// Size implements fyne.Theme; lengths are in Fyne's device-independent pixels.
func (t *Theme) Size(name fyne.ThemeSizeName) float32 {
	letters := t.scale * t.text / usualText
	switch name {
	case theme.SizeNamePadding:
		return 3 * t.scale
	case theme.SizeNameInnerPadding:
		return 6 * t.scale
	case theme.SizeNameText:
		return 13 * letters
	case theme.SizeNameHeadingText:
		return 20 * letters
	case theme.SizeNameSubHeadingText:
		return 16 * letters
	case theme.SizeNameCaptionText:
		return 11 * letters
	case theme.SizeNameInputRadius, theme.SizeNameSelectionRadius:
		return 4
	case theme.SizeNameInlineIcon:
		return t.base.Size(name) * max(t.scale, letters)
	case theme.SizeNameSeparatorThickness, theme.SizeNameInputBorder:
		return t.base.Size(name)
	}
	return t.base.Size(name) * t.scale
}
