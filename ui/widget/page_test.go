package widget

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// counted counts how often it is refreshed.
type counted struct {
	widget.Label
	times int
}

func (c *counted) Refresh() {
	c.times++
	c.Label.Refresh()
}

// inDepth is a page with a counted label far inside of what does not refresh its content, and of
// what does so several times.
func inDepth() (*Page, *counted) {
	c := &counted{}
	c.Text = "text"
	c.ExtendBaseWidget(c)
	tabs := container.NewAppTabs(NewTab("One", container.NewVScroll(container.NewVBox(container.NewPadded(c)))))
	return NewPage(NewSurface(container.NewHSplit(tabs, widget.NewLabel("beside")))), c
}

// TestAThemeDrawsEachPageInSightOnce: and a hidden one when it is shown, whoever sets the theme.
func TestAThemeDrawsEachPageInSightOnce(t *testing.T) {
	front, seen := inDepth()
	back, unseen := inDepth()
	back.Hide()
	show(t, container.NewPadded(container.NewStack(front, back)), fyne.NewSize(300, 200))
	settings := fyne.CurrentApp().Settings()
	check := func(what string, do func(), ofSeen, ofUnseen int) {
		t.Helper()
		seen.times, unseen.times = 0, 0
		if do(); seen.times != ofSeen || unseen.times != ofUnseen {
			t.Errorf("%s: refreshed %d and %d times, want %d and %d", what, seen.times, unseen.times, ofSeen, ofUnseen)
		}
	}
	dark := func() { SetTheme(settings, darkTheme) }
	light := func() { SetTheme(settings, lightTheme) }
	back.Show() // its first drawing
	back.Hide()
	check("another theme", dark, 1, 0)
	check("what it lies in", func() { back.Refresh() }, 0, 0)
	check("shown", func() { front.Hide(); back.Show() }, 0, 1)
	check("shown in the same theme", func() { back.Hide(); front.Show() }, 0, 0)
	check("another theme again", light, 1, 0)
	check("of the desktop", func() { front.Hide(); settings.SetTheme(darkTheme); front.Show() }, 1, 0)
	check("and shown", func() { front.Hide(); back.Show() }, 0, 1)
	if got := test.WidgetRenderer(front).Objects(); len(got) != 0 {
		t.Error("a hidden page shows what it holds")
	}
}

// TestATabCostsNothingBehindAnother: a refresh of the tabs reaches the one in front alone.
func TestATabCostsNothingBehindAnother(t *testing.T) {
	front, seen := inDepth()
	back, unseen := inDepth()
	tabs := container.NewAppTabs(NewTab("Front", front), NewTab("Back", back))
	show(t, tabs, fyne.NewSize(300, 200))
	tabs.SelectIndex(1)
	tabs.SelectIndex(0)
	seen.times, unseen.times = 0, 0
	if tabs.Refresh(); unseen.times != 0 {
		t.Errorf("refreshed %d times behind the other tab", unseen.times)
	}
	SetTheme(fyne.CurrentApp().Settings(), darkTheme)
	if seen.times = 0; unseen.times != 0 {
		t.Errorf("refreshed %d times for a theme behind the other tab", unseen.times)
	}
	if tabs.SelectIndex(1); unseen.times == 0 || seen.times != 0 {
		t.Errorf("refreshed %d and %d times when the tab was opened", seen.times, unseen.times)
	}
}
