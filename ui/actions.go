package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/dialogs"
)

// command is something that menu and keyboard reach.
type command struct {
	menu, text string
	key        fyne.KeyName
	do         func()
}

func (w *Window) commands() []command {
	list := []command{
		{"File", "Import…", fyne.KeyI, func() { w.Import(nil) }},
		{"File", "Export…", fyne.KeyE, w.export},
	}
	if w.deps.CreateWorkspace != nil {
		list = append(list, command{"File", "New workspace…", fyne.KeyN, w.createWorkspace})
	}
	if w.deps.OpenWorkspace != nil {
		list = append(list, command{"File", "Open workspace…", fyne.KeyO, w.openWorkspace})
	}
	list = append(list,
		command{"Edit", "Undo", fyne.KeyZ, w.takeBack},
		command{"Edit", "Redo", fyne.KeyY, w.makeAgain})
	keys := [places]fyne.KeyName{fyne.Key1, fyne.Key2, fyne.Key3, fyne.Key4, fyne.Key5}
	for p := range places {
		list = append(list, command{"View", p.String(), keys[p], func() { w.Go(p) }})
	}
	return append(list,
		command{"View", "Light or dark", fyne.KeyD, w.toggleLook},
		command{"Run", "New run…", fyne.KeyR, w.newRun},
		command{"Run", "New round…", "", w.newRound})
}

// addKeys makes the menu and the shortcuts. Both are needed: the menu's shortcuts work while an entry has the keyboard,
// the canvas's where there is no menu.
func (w *Window) addKeys() {
	var menus []*fyne.Menu
	for _, c := range w.commands() {
		if len(menus) == 0 || menus[len(menus)-1].Label != c.menu {
			menus = append(menus, fyne.NewMenu(c.menu))
		}
		do := func() {
			if w.window.Canvas().Overlays().Top() == nil && !w.closing { // not behind a dialog
				c.do()
			}
		}
		item := fyne.NewMenuItem(c.text, do)
		if c.key != "" {
			shortcut := &desktop.CustomShortcut{KeyName: c.key, Modifier: fyne.KeyModifierShortcutDefault}
			item.Shortcut = shortcut
			w.window.Canvas().AddShortcut(shortcut, func(fyne.Shortcut) { do() })
		}
		menu := menus[len(menus)-1]
		menu.Items = append(menu.Items, item)
	}
	quit := fyne.NewMenuItem("Quit", w.Close)
	quit.IsQuit = true
	leave := &desktop.CustomShortcut{KeyName: fyne.KeyQ, Modifier: fyne.KeyModifierShortcutDefault}
	quit.Shortcut = leave
	w.window.Canvas().AddShortcut(leave, func(fyne.Shortcut) { w.Close() })
	menus[0].Items = append(menus[0].Items, fyne.NewMenuItemSeparator(), quit)
	w.window.SetMainMenu(fyne.NewMainMenu(menus...))
}

// toggleLook changes between light and dark and remembers it.
func (w *Window) toggleLook() {
	look := LookDark
	if w.theme.Dark(w.deps.App.Settings().ThemeVariant()) {
		look = LookLight
	}
	w.SetLook(look)
}

// SetLook makes the window light or dark and remembers it.
func (w *Window) SetLook(look Look) {
	w.theme = NewTheme(look)
	w.deps.App.Settings().SetTheme(w.theme)
	w.deps.Preferences.SetString(keyLook, string(look))
	w.toolbar.look.SetIcon(theme.ColorPaletteIcon())
}

func (w *Window) createWorkspace() {
	dialogs.WorkspaceDialog(w.host(), "New workspace", true, w.leaveFor(w.deps.CreateWorkspace))
}

func (w *Window) openWorkspace() {
	dialogs.WorkspaceDialog(w.host(), "Open workspace", false, w.leaveFor(w.deps.OpenWorkspace))
}

// leaveFor opens another workspace and closes this window when that has worked.
func (w *Window) leaveFor(open func(string) error) func(string) error {
	return func(path string) error {
		if err := open(path); err != nil {
			return err
		}
		w.work.Post(w.Close)
		return nil
	}
}

// openPath opens a workspace that was dropped or typed into the import dialog.
func (w *Window) openPath(path string) {
	if w.deps.OpenWorkspace == nil {
		return
	}
	open := w.leaveFor(w.deps.OpenWorkspace)
	w.work.Start("Open workspace", func(context.Context, *background.Progress) error { return open(path) }, w.ShowError)
}
