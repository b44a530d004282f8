package models

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/kit/evidence"
	parts "github.com/variscope/variscope/ui/widget"
)

// roundWidth is the width of the menu of rounds in device-independent pixels, sliderWidth that of
// the size of the gallery's matrices.
const roundWidth, sliderWidth = 160, 130

// buildControls makes what stands above the table: what the gallery shows, whose labels, and the
// button between table and gallery.
func (s *Screen) buildControls() {
	s.toggle = widget.NewButtonWithIcon("Gallery", theme.GridIcon(), s.toggleGallery)
	s.modality = widget.NewSelect(evidence.DefaultModalities(), nil)
	s.modality.SetSelected(s.looks.Modality)
	s.modality.OnChanged = s.chooseModality
	s.size = widget.NewSlider(smallestTile, largestTile)
	s.size.Step = 4
	s.size.SetValue(float64(s.looks.Tile))
	s.size.OnChanged = func(v float64) {
		s.looks.Tile = float32(v)
		s.gallery.resized()
	}
	s.size.OnChangeEnded = func(float64) {
		s.Focus()
		s.remember()
	}
	slider := container.NewGridWrap(fyne.NewSize(sliderWidth, s.size.MinSize().Height), s.size)
	s.badge = parts.NewBadge()
	s.badge.OnTapped = s.takeScales
	s.galleryControls = container.NewHBox(s.modality, widget.NewLabel("size"), container.NewCenter(slider),
		container.NewCenter(s.badge))
	s.galleryControls.Hide()
	s.round, s.blind = widget.NewSelect(nil, nil), widget.NewLabel("")
	s.blind.Importance = widget.LowImportance
	chooser := container.NewGridWrap(fyne.NewSize(roundWidth, s.round.MinSize().Height), s.round) // names may be long
	s.roundControls = container.NewHBox(s.blind, widget.NewLabel("Labels of"), chooser)
	s.roundControls.Hide()
}

// toggleGallery changes between table and gallery; the selected model stays in sight.
func (s *Screen) toggleGallery() {
	s.looks.Gallery = !s.looks.Gallery
	s.remember()
	s.showGallery()
	s.rescale()
	s.Focus()
}

// showGallery shows the table or the gallery.
func (s *Screen) showGallery() {
	if s.toggle.Text, s.toggle.Icon = "Gallery", theme.GridIcon(); s.looks.Gallery {
		s.toggle.Text, s.toggle.Icon = "Table", theme.ListIcon()
	}
	s.toggle.Refresh()
	if s.size.Value != float64(s.looks.Tile) {
		s.size.SetValue(float64(s.looks.Tile))
	}
	parts.Show(s.galleryControls, s.looks.Gallery)
	parts.Show(s.scale, s.looks.Gallery)
	if s.looks.Gallery {
		s.list.SetLook(s.gallery)
	} else {
		s.list.SetLook(nil)
	}
	s.Object().Refresh()
}

// offer puts the modalities into the gallery's menu.
func (s *Screen) offer(names []string) {
	if !slices.Contains(names, s.looks.Modality) {
		names = append(names, s.looks.Modality)
	}
	s.modality.OnChanged = nil
	s.modality.SetOptions(names)
	s.modality.SetSelected(s.looks.Modality)
	s.modality.OnChanged = s.chooseModality
}

func (s *Screen) chooseModality(name string) {
	if name == "" || name == s.looks.Modality {
		return
	}
	s.looks.Modality = name
	s.remember()
	s.retryPictures()
	s.ranging.again()
	s.rescale()
	s.list.Refresh()
	s.Focus()
}

// shownScale shows the gallery's scale.
func (s *Screen) shownScale() {
	scale, badge, ok := s.galleryScale()
	parts.Show(s.bar, ok)
	s.badge.SetText(badge)
	if ok {
		s.bar.SetScale(scale)
	}
	s.galleryControls.Refresh()
}
