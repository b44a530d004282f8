package ui

import (
	"fyne.io/fyne/v2"
)

// Preferences is what the window remembers between starts; fyne.Preferences is one.
type Preferences interface {
	StringWithFallback(key, fallback string) string
	SetString(key, value string)
	FloatWithFallback(key string, fallback float64) float64
	SetFloat(key string, value float64)
}

// The keys of the preferences.
const (
	keyLook      = "look"
	keyWorkspace = "workspace"
	keyWidth     = "window.width"
	keyHeight    = "window.height"
)

// The window's sizes in Fyne's device-independent pixels: what it starts with, and the smallest that it is made for.
const (
	usualWidth, usualHeight       = 1280, 800
	smallestWidth, smallestHeight = 1024, 700
)

// LastWorkspace is the path of the workspace that was open last, "" the first time. App opens it.
func LastWorkspace(p Preferences) string { return p.StringWithFallback(keyWorkspace, "") }

// rememberedSize is the size of the window when it was closed last.
func rememberedSize(p Preferences) fyne.Size {
	width := p.FloatWithFallback(keyWidth, usualWidth)
	height := p.FloatWithFallback(keyHeight, usualHeight)
	return fyne.NewSize(max(float32(width), smallestWidth), max(float32(height), smallestHeight))
}

func rememberSize(p Preferences, size fyne.Size) {
	if size.Width < smallestWidth/2 || size.Height < smallestHeight/2 {
		return // iconified, or not laid out yet
	}
	p.SetFloat(keyWidth, float64(size.Width))
	p.SetFloat(keyHeight, float64(size.Height))
}
