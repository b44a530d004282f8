package ui

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/stage"
	parts "github.com/variscope/variscope/ui/widget"
)

// iconMeanings are the icons of buttons and what each of them means, with how the texts beside it
// begin.
var iconMeanings = []struct {
	icon, means string
	texts       []string
}{
	{"Account", "another person", []string{"Another annotator"}},
	{"Cancel", "end what is at work", []string{"Cancel", "Disconnect"}},
	{"ColorAchromatic", "light or dark", []string{"Light or dark"}},
	{"ColorPalette", "range of colours", nil},
	{"Computer", "other machines", []string{"Allow other machines"}},
	{"Confirm", "done", []string{"Save final label", "Set weight", "Close"}},
	{"ContentAdd", "something new", []string{
		"Import", "New ", "Read keywords", "Choose scenes…", "Add ", "Augmentation", "Bring back", "Disagreements",
	}},
	{"ContentClear", "out of a list or filter", []string{"Show all", "Take it from this list"}},
	{"ContentCopy", "copy", []string{"Copy", "Duplicate"}},
	{"ContentCut", "cut off", []string{"Cut off"}},
	{"ContentRedo", "redo", []string{"Redo"}},
	{"ContentRemove", "take out", []string{"Remove edge", "Retire"}},
	{"ContentUndo", "take back", []string{"Undo", "Take back", "Take this edit back"}},
	{"Delete", "remove", []string{"Delete", "Remove"}},
	{"DocumentCreate", "label", []string{"Label"}},
	{"DocumentSave", "save", []string{"Save", "Export", "Keep"}},
	{"FolderOpen", "a place on the disk", []string{"Locate"}},
	{"Grid", "cards", []string{"Gallery"}},
	{"Help", "help", []string{"Help", "How to read this", "What the guide says"}},
	{"History", "an earlier state", []string{"Restore"}},
	{"List", "table", []string{"Table"}},
	{"Logout", "sign out", []string{"Sign out"}},
	{"MailSend", "other desks", []string{"Invite", "Other desks"}},
	{"MediaPause", "pause", []string{"Pause"}},
	{"MediaPlay", "compute, or go on", []string{
		"Run", "Start", "Compute", "Train", "Judge", "Resume", "Go on", "Predict", "New run",
	}},
	{"MediaReplay", "on other samples", []string{"Resample"}},
	{"MediaSkipNext", "skip", []string{"Skip", "Next round"}},
	{"MenuDropDown", "what opens below", []string{"Filter", "Columns", "Table", "Other machines"}},
	{"MenuDropUp", "what is open and closes", nil},
	{"MoreVertical", "more that can be done", []string{"What can be done"}},
	{"MoveDown", "one further down", []string{"The next hit", "The section below"}},
	{"MoveUp", "one further up", []string{"The hit before", "The section above"}},
	{"NavigateBack", "the one before", []string{
		"Back", "Look back", "The case before", "The image before", "The model before", ",",
	}},
	{"NavigateNext", "the next one", []string{
		"Next", "The next ", ".", "Show runs", "Keywords of images", "Choose scenes", "Assessors", "Agreement",
		"Go to model",
	}},
	{"Question", "why", []string{"Cross at 0"}},
	{"Search", "look into a model", []string{"Inspect", "Open model"}},
	{"Settings", "change how", []string{
		"Change", "Edit", "Rename", "Rankers", "Vector", "Matrices", "Choose other matrices", "Compute something else",
		"Assign another position",
	}},
	{"Storage", "models", []string{"Models"}},
	{"Upload", "send", []string{"Send"}},
	{"ViewFullScreen", "full screen", []string{"Full screen"}},
	{"ViewRefresh", "again", []string{"Try again", "Compute again", "Open again", "Choose with"}},
	{"Visibility", "look at it", []string{"Show as position", "Show these masks"}},
	{"ZoomFit", "all of it", []string{"Show the whole"}},
	{"ZoomIn", "larger", []string{"Draw the tree larger"}},
	{"ZoomOut", "smaller", []string{"Draw the tree smaller"}},
}

// TestAnIconHasOneMeaning: icons and meanings are listed once, and each button of the whole tree
// has the icon of what it says.
func TestAnIconHasOneMeaning(t *testing.T) {
	icons, means := map[string][]string{}, map[string]bool{}
	for _, one := range iconMeanings {
		if _, twice := icons[one.icon]; twice || means[one.means] {
			t.Errorf("%s (%s) stands there twice", one.icon, one.means)
		}
		icons[one.icon], means[one.means] = one.texts, true
	}
	seen := 0
	visitCode(t, ".", func(path string, n ast.Node) {
		icon, text := iconBeside(n)
		if icon == "" || text == "" || strings.HasSuffix(path, "_test.go") {
			return
		}
		seen++
		if !slices.ContainsFunc(icons[icon], func(begins string) bool { return strings.HasPrefix(text, begins) }) {
			t.Errorf("%s: %q has the icon %s, which means something else", path, text, icon)
		}
	})
	if seen < 100 {
		t.Errorf("only %d buttons were found", seen)
	}
}

// iconBeside is the name of Fyne's icon that a call or a literal has among what it is made from,
// and the text there.
func iconBeside(n ast.Node) (icon, text string) {
	var parts []ast.Expr
	switch n := n.(type) {
	case *ast.CallExpr:
		parts = n.Args
	case *ast.CompositeLit:
		parts = n.Elts
	}
	for _, part := range parts {
		if pair, ok := part.(*ast.KeyValueExpr); ok {
			part = pair.Value
		}
		switch part := part.(type) {
		case *ast.BasicLit:
			if part.Kind == token.STRING && text == "" {
				text, _ = strconv.Unquote(part.Value)
			}
		case *ast.CallExpr:
			of, ok := part.Fun.(*ast.SelectorExpr)
			if !ok {
				continue
			}
			if from, ok := of.X.(*ast.Ident); ok && from.Name == "theme" && strings.HasSuffix(of.Sel.Name, "Icon") {
				icon = strings.TrimSuffix(of.Sel.Name, "Icon")
			}
		}
	}
	return icon, text
}

// TestPlacesHaveTheirOwnIcons: no two places of the rail look the same.
func TestPlacesHaveTheirOwnIcons(t *testing.T) {
	stage.New(t)
	names := map[string]Place{}
	for p := range places {
		name := p.icon().Name()
		if other, twice := names[name]; twice {
			t.Errorf("%s and %s have the icon %s", p, other, name)
		}
		names[name] = p
	}
}

// TestIconsAloneHaveHints: a button without a text says what it does, on every screen and page.
func TestIconsAloneHaveHints(t *testing.T) {
	if testing.Short() {
		return // one goroutine lays out what is shown
	}
	o := openLabelled(t)
	for p := range places {
		o.Go(p)
		o.idle()
		hinted := 0
		var visit func(fyne.CanvasObject)
		visit = func(object fyne.CanvasObject) {
			switch b := object.(type) {
			case nil:
				return
			case *container.AppTabs: // with a button of Fyne's for tabs that do not fit
				for _, tab := range b.Items {
					visit(tab.Content)
				}
				return
			case interface{ SetOptions(options []string) }: // with a button of Fyne's for its menu
				return
			case *widget.Button:
				if b.Icon != nil && b.Text == "" {
					t.Errorf("%s: a button with the icon %s has no hint", p, b.Icon.Name())
				}
			case interface{ AccessibilityLabel() string }:
				if _, isButton := object.(fyne.Tappable); isButton && b.AccessibilityLabel() == "" {
					t.Errorf("%s: %T has no hint", p, b)
				}
				hinted++
			}
			for _, child := range parts.Inside(object) {
				visit(child)
			}
		}
		visit(o.Window.Window().Content())
		if hinted < 3 {
			t.Errorf("%s: %d buttons with hints", p, hinted)
		}
	}
}
