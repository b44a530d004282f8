package dialogs

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// SettingsPage is one page of the settings. What is changed on it applies at once.
type SettingsPage struct {
	Title  string
	Object fyne.CanvasObject
}

// SettingsDialog shows pages of settings beside their titles, the first one open.
func SettingsDialog(host *kit.Host, pages []SettingsPage) {
	sheet := host.NewDialog("Settings", fyne.NewSize(780, 520))
	tabs := container.NewAppTabs()
	tabs.SetTabLocation(container.TabLocationLeading)
	for _, page := range pages {
		tabs.Append(widget.NewTab(page.Title, container.NewPadded(container.NewVScroll(page.Object))))
	}
	sheet.Show(tabs, sheet.CloseButton("Close"))
	sheet.Present(nil)
}
