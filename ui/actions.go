package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/ui/dialogs"
	parts "github.com/variscope/variscope/ui/widget"
)

// command is something that menu and keyboard reach. One without a text is a line between others.
type command struct {
	menu, text string
	key        fyne.KeyName
	do         func()
	changes    bool // it is off in a workspace that can only be read
}

func (w *Window) commands() []command {
	list := w.fileCommands()
	edit := "Edit"
	list = append(list,
		command{edit, "Undo", fyne.KeyZ, w.takeBack, false},
		command{edit, "Redo", fyne.KeyY, w.makeAgain, false},
		command{menu: edit},
		command{edit, "Annotators…", "", w.annotators, true},
		command{edit, "Settings…", fyne.KeyComma, w.settings, false})
	view := "View"
	keys := [places]fyne.KeyName{
		fyne.Key1, fyne.Key2, fyne.Key3, fyne.Key4, fyne.Key5, fyne.Key6, fyne.Key7, fyne.Key8, fyne.Key9,
		fyne.Key0, fyne.KeyJ,
	}
	for p := range places {
		list = append(list, command{view, p.String(), keys[p], func() { w.Go(p) }, false})
	}
	run, help := "Run", "Help"
	list = append(list,
		command{menu: view},
		command{view, "Light or dark", fyne.KeyD, w.toggleLook, false},
		command{view, "Full screen", fyne.KeyF, func() { w.FocusMode(!w.focusMode) }, false},
		command{run, "New run…", fyne.KeyR, w.newRun, true},
		command{run, "New round…", "", w.newRound, true})
	if w.deps.Study.CarryOut != nil {
		list = append(list, command{run, "Study…", "", w.study, true})
	}
	if w.deps.Machines != nil {
		list = append(list, command{run, "Allow other machines…", "", w.allowMachines, true})
	}
	if w.deps.Demo {
		list = append(list, command{help, highlightsTitle, "", w.showHighlights, false})
	}
	return append(list,
		command{help, "User guide", "", w.guide, false},
		command{help, "Keys", "", w.showKeys, false},
		command{help, "Tour", "", w.startTour, false},
		command{menu: help},
		command{help, "Copy diagnostics…", "", w.diagnostics, false},
		command{help, "About Variscope", "", w.about, false})
}

func (w *Window) fileCommands() []command {
	file := "File"
	list := []command{
		{file, "Import…", fyne.KeyI, func() { w.Import(nil) }, true},
		{file, "Import predictions…", "", w.importPredictions, true},
		{file, "Shifted suites…", "", w.shiftSuites, true},
		{file, "Export…", fyne.KeyE, w.export, false},
		{file, "Report…", "", func() { w.report(w.models.Chosen()) }, false},
		{menu: file},
		{file, "Open round package…", "", func() { w.openPackages(nil) }, true},
		{file, "Merge labels…", "", func() { w.mergeLabels(nil) }, true},
		{menu: file},
	}
	if w.deps.CreateWorkspace != nil {
		list = append(list, command{file, "New workspace…", fyne.KeyN, w.createWorkspace, false})
	}
	if w.deps.OpenWorkspace != nil {
		list = append(list,
			command{file, "Open workspace…", fyne.KeyO, w.openWorkspace, false},
			command{file, "Open recent", "", nil, false})
	}
	list = append(list, command{file, "Save a copy…", "", w.saveCopy, false})
	if w.deps.Reopen != nil {
		list = append(list, command{file, "Move or rename…", "", w.moveWorkspace, true})
	}
	return append(list, command{file, "Storage…", "", w.storage, true},
		command{file, "Check workspace…", "", w.checkWorkspace, false})
}

// addKeys makes the menu and the shortcuts. Both are needed: the menu's shortcuts work while an
// entry has the keyboard, the canvas's where there is no menu.
func (w *Window) addKeys() {
	var menus []*fyne.Menu
	for _, c := range w.commands() {
		if len(menus) == 0 || menus[len(menus)-1].Label != c.menu {
			menus = append(menus, fyne.NewMenu(c.menu))
		}
		menu := menus[len(menus)-1]
		menu.Items = append(menu.Items, w.menuItem(c))
	}
	// The driver has names of its own for Ctrl+Z and Ctrl+Y, so that the menu's shortcuts show the
	// keys but never hear them. An entry that has the keyboard takes them for its text.
	w.shortcut(&fyne.ShortcutUndo{}, w.takeBack)
	w.shortcut(&fyne.ShortcutRedo{}, w.makeAgain)
	w.shortcut(&desktop.CustomShortcut{
		KeyName: fyne.KeyZ, Modifier: fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift,
	}, w.makeAgain)
	quit := fyne.NewMenuItem("Quit", w.Close)
	quit.IsQuit = true
	leave := &desktop.CustomShortcut{KeyName: fyne.KeyQ, Modifier: fyne.KeyModifierShortcutDefault}
	quit.Shortcut = menuShortcut(leave)
	w.window.Canvas().AddShortcut(leave, func(fyne.Shortcut) { w.Close() })
	menus[0].Items = append(menus[0].Items, fyne.NewMenuItemSeparator(), quit)
	w.menu = fyne.NewMainMenu(menus...)
	w.window.SetMainMenu(w.menu)
	w.listenForUnfocusedKeys()
	w.history.OnChange(w.showHistory)
	w.showHistory()
}

func (w *Window) menuItem(c command) *fyne.MenuItem {
	if c.text == "" {
		return fyne.NewMenuItemSeparator()
	}
	item := fyne.NewMenuItem(c.text, nil)
	if c.do == nil {
		menu := fyne.NewMenu("")
		list := w.recent()
		items := map[string]*fyne.MenuItem{}
		for _, r := range list {
			item := fyne.NewMenuItem(r.Title(), w.unlessBusy(func() { w.openPath(r.Path) }))
			items[r.Path] = item
			menu.Items = append(menu.Items, item)
		}
		dialogs.LookForRecent(w.work, list, func(r dialogs.Recent) {
			items[r.Path].Label, items[r.Path].Disabled = r.Title(), true
			w.menu.Refresh()
		})
		item.ChildMenu = menu
		item.Disabled = len(item.ChildMenu.Items) == 0
		return item
	}
	if c.changes {
		c.do = w.changes(c.do)
		item.Disabled = w.deps.Workspace.MayChange() != nil
	}
	item.Action = w.unlessBusy(c.do)
	if c.key != "" {
		shortcut := &desktop.CustomShortcut{KeyName: c.key, Modifier: fyne.KeyModifierShortcutDefault}
		if c.key == fyne.KeyF { // Ctrl+F is for finding
			shortcut.Modifier |= fyne.KeyModifierShift
		}
		item.Shortcut = menuShortcut(shortcut)
		w.shortcut(shortcut, c.do)
	}
	switch c.key {
	case fyne.KeyZ:
		w.undoItem = item
	case fyne.KeyY:
		w.redoItem = item
	}
	return item
}

func (w *Window) shortcut(s fyne.Shortcut, do func()) {
	do = w.unlessBusy(do)
	w.window.Canvas().AddShortcut(s, func(fyne.Shortcut) { do() })
}

// unlessBusy keeps a command from working behind a dialog or while the window closes.
func (w *Window) unlessBusy(do func()) func() {
	return func() {
		if w.window.Canvas().Overlays().Top() == nil && !w.closing {
			do()
		}
	}
}

// showHistory writes into the menu and the toolbar what undo and redo would do.
func (w *Window) showHistory() {
	undo, redo := w.history.Titles()
	labelling := w.place == Label // where labels have an undo of their own
	w.undoItem.Label, w.undoItem.Disabled = historyText("Undo", undo), undo == "" && !labelling
	w.redoItem.Label, w.redoItem.Disabled = historyText("Redo", redo), redo == "" && !labelling
	w.writeMenu()
	w.toolbar.showHistory(undo, redo)
}

// historyText is "Undo: change of the record of m12", or "Undo" when there is nothing to do.
func historyText(what, title string) string {
	if title == "" {
		return what
	}
	return what + ": " + title
}

// recent are the workspaces that were open last, but for this one.
func (w *Window) recent() []dialogs.Recent {
	return dialogs.RecentWorkspaces(Recent(w.deps.Preferences), w.deps.Workspace.Path())
}

// toggleLook changes between light and dark and remembers it.
func (w *Window) toggleLook() {
	look := LookDark
	if w.theme.Dark(w.deps.App.Settings().ThemeVariant()) {
		look = LookLight
	}
	w.SetLook(look)
}

// SetLook makes the window light or dark, or as the desktop is, and remembers it.
func (w *Window) SetLook(look Look) {
	w.deps.Preferences.SetString(keyLook, string(look))
	w.applyTheme()
}

// applyTheme draws everything as the preferences say now.
func (w *Window) applyTheme() {
	w.takeTheme()
	w.layOut()
	w.writeMenu()
}

// takeTheme sets the theme of the preferences. One that is there already is not set anew: the
// library reads all fonts again for each one, and keeps those of before.
func (w *Window) takeTheme() {
	p := w.deps.Preferences
	scale := min(max(p.FloatWithFallback(keyScale, 1), smallestScale), largestScale)
	text := min(max(p.FloatWithFallback(keyText, usualText), smallestText), largestText)
	w.theme = NewTheme(Look(p.StringWithFallback(keyLook, string(LookSystem)))).Sized(scale, text)
	settings := w.deps.App.Settings()
	if shown, ok := settings.Theme().(*Theme); !ok || !shown.like(w.theme) {
		parts.SetTheme(settings, w.theme)
	}
}

func (w *Window) createWorkspace() {
	dialogs.WorkspaceDialog(w.host(), dialogs.WorkspaceAsk{
		Title: "New workspace", Create: true, Open: w.deps.CreateWorkspace, Before: w.beforeAnother, Opened: w.GiveWay,
	})
}

func (w *Window) openWorkspace() {
	ask := dialogs.WorkspaceAsk{
		Title: "Open workspace", Open: w.deps.OpenWorkspace, Restore: w.deps.RestoreWorkspace, Before: w.beforeAnother,
		Opened: w.GiveWay, Recent: w.recent(),
		Forget: func(path string) { Forget(w.deps.Preferences, path) },
	}
	dialogs.WorkspaceDialog(w.host(), ask)
}

// openPath opens a workspace that was dropped, typed into the import dialog or chosen from the
// recent ones.
func (w *Window) openPath(path string) {
	if w.deps.OpenWorkspace == nil {
		return
	}
	w.startOpening("Open workspace", path, w.deps.OpenWorkspace)
}

// beforeAnother asks whether what is at work may end before another workspace is opened.
func (w *Window) beforeAnother(open func()) {
	w.unlessAtWork("Open another workspace?", "Stop and open", open)
}

// startOpening opens another workspace, which takes this one's place when that has worked.
func (w *Window) startOpening(title, path string, open func(string) error) {
	w.beforeAnother(func() {
		w.work.StartWhole(title, func() error { return open(path) }, func(err error) {
			if err != nil {
				w.ShowError(err)
				return
			}
			w.GiveWay()
		})
	})
}

// offerRestore shows that a database is damaged, with a button that puts its newest backup in its
// place.
func (w *Window) offerRestore(damaged *backup.RestorableError, n notice) bool {
	if w.deps.RestoreWorkspace != nil {
		n.action = "Restore the backup"
		n.act = func() {
			w.startOpening("Restore workspace", damaged.Path, w.deps.RestoreWorkspace)
		}
	}
	return w.banner.add(n)
}
