package dialogs

import (
	"fmt"
	"regexp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/docs"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// About is what the dialog says of the program.
type About struct {
	Version string
	Build   string // the sources that it was built from
	Library string // version of ONNX Runtime, "" when it is missing
}

// AboutDialog shows the version and the licences of everything that the program contains.
func AboutDialog(host *kit.Host, about About) {
	sheet := host.NewDialog("About Variscope", fyne.NewSize(760, 560))
	library := about.Library
	if library == "" {
		library = "missing"
	}
	head := widget.NewLabel(fmt.Sprintf("Variscope %s, built from %s\nONNX Runtime: %s\nWorkspaces of schema %d",
		about.Version, about.Build, library, store.SchemaVersion))
	head.Selectable = true
	text := own.Wrapped("Choose a part to read its licence.")
	text.Selectable = true
	scroll := container.NewVScroll(text)
	sections := Sections(docs.Licences)
	names := widget.NewList(
		func() int { return len(sections) },
		func() fyne.CanvasObject { return widget.NewLabel("") },
		func(i widget.ListItemID, o fyne.CanvasObject) { o.(*widget.Label).SetText(sections[i].Title) })
	names.OnSelected = func(i widget.ListItemID) {
		text.SetText(sections[i].Text)
		scroll.ScrollToTop()
	}
	split := container.NewHSplit(names, scroll)
	split.Offset = 0.42
	sheet.Show(container.NewBorder(head, nil, nil, nil, split), sheet.CloseButton("Close"))
	sheet.Present(nil)
	names.Select(0)
}

// Section is a part of a text with a heading.
type Section struct{ Title, Text string }

// Sections cuts a Markdown text at its headings of the first two levels; the heading of the first
// level names what stands before the others. Line breaks within paragraphs are removed, so that
// the text flows.
func Sections(markdown string) []Section {
	var list []Section
	var body []string
	flush := func() {
		if len(list) > 0 {
			list[len(list)-1].Text = flow(body)
		}
		body = nil
	}
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		title, ok := strings.CutPrefix(line, "## ")
		if !ok {
			title, ok = strings.CutPrefix(line, "# ")
		}
		if ok {
			flush()
			list = append(list, Section{Title: title})
			continue
		}
		body = append(body, line)
	}
	flush()
	return list
}

// flow joins the lines of paragraphs; lines that are indented or in a block of code stay as they
// are.
func flow(lines []string) string {
	var out strings.Builder
	open := false // the last line may be continued
	for _, line := range lines {
		line = strings.TrimPrefix(line, "    ")
		switch {
		case strings.HasPrefix(line, "```"):
			continue
		case strings.TrimSpace(line) == "":
			out.WriteString("\n\n")
			open = false
		case open && !strings.HasPrefix(line, " "):
			out.WriteString(" " + line)
		default:
			if open {
				out.WriteString("\n")
			}
			out.WriteString(line)
			open = true
		}
	}
	text := strings.TrimSpace(out.String())
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return text
}

// GuideDialog shows the user guide, a page per heading, opened at the page whose title begins with
// at ("" is the first).
func GuideDialog(host *kit.Host, at string) {
	sheet := host.NewDialog("User guide", fyne.NewSize(920, 600))
	pages := GuidePages(docs.Guide)
	text := widget.NewRichTextFromMarkdown("")
	text.Wrapping = fyne.TextWrapWord
	page := container.NewVBox(text)
	scroll := container.NewVScroll(page)
	titles := widget.NewList(
		func() int { return len(pages) },
		func() fyne.CanvasObject { return widget.NewLabel("") },
		func(i widget.ListItemID, o fyne.CanvasObject) { pages[i].name(o.(*widget.Label)) })
	titles.OnSelected = func(i widget.ListItemID) {
		text.ParseMarkdown(pages[i].Text)
		page.Objects = append([]fyne.CanvasObject{text}, drawings(host, pages[i].Title)...)
		page.Refresh()
		scroll.ScrollToTop()
	}
	split := container.NewHSplit(titles, scroll)
	split.Offset = 0.25
	sheet.Show(split, sheet.CloseButton("Close"))
	sheet.Present(nil)
	chosen := 0
	for i, page := range pages {
		if at != "" && strings.HasPrefix(page.Title, at) {
			chosen = i
		}
	}
	titles.Select(chosen)
}

// drawings are what the window draws itself below a page, where it says more than the screens do.
func drawings(host *kit.Host, title string) []fyne.CanvasObject {
	if title != "Four cases" {
		return nil
	}
	list, err := invariance.Cases()
	if err != nil { // they are constants: only a fault in the measuring
		return nil
	}
	return []fyne.CanvasObject{kit.Beside(host, title, 2, list)}
}

// GuidePage is what stands under one heading of the guide; Under is true for a heading below that
// of a page.
type GuidePage struct {
	Section
	Under bool
}

// name writes the heading into the list, those below a page's own further in.
func (p GuidePage) name(line *widget.Label) {
	text := p.Title
	if p.Under {
		text = "   " + text
	}
	line.TextStyle.Bold = !p.Under
	line.SetText(text)
}

var (
	picture = regexp.MustCompile(`!\[[^]]*\]\([^)]*\)\n?`)
	inside  = regexp.MustCompile(`\[([^]]*)\]\([^):]*\)`) // a link to another page
)

// GuidePages cuts the guide at its headings. Pictures are left out: the window itself is there to
// be looked at. Tables become lists, since the text shown here cannot hold tables, and links to
// other pages their words: these stand in the list beside the text.
func GuidePages(markdown string) []GuidePage {
	var list []GuidePage
	var page []string
	flush := func() {
		if n := len(list); n > 0 {
			list[n-1].Text = strings.TrimSpace(strings.Join(page, "\n"))
		}
		page = nil
	}
	markdown = inside.ReplaceAllString(picture.ReplaceAllString(markdown, ""), "$1")
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			flush()
			list = append(list, GuidePage{Section{Title: strings.TrimSpace(title)}, strings.HasPrefix(line, "##")})
			continue
		}
		if strings.Trim(line, "|-: ") == "" && strings.HasPrefix(line, "|") && len(page) > 0 {
			page = page[:len(page)-1] // the heading of a table goes with the line below it
			continue
		}
		if strings.HasPrefix(line, "|") {
			line = tableLine(line)
		}
		page = append(page, line)
	}
	flush()
	var filled []GuidePage
	for _, s := range list {
		if s.Text != "" {
			filled = append(filled, s)
		}
	}
	return filled
}

// tableLine is a row of a table as an entry of a list: the first cell in bold, then the others.
func tableLine(row string) string {
	const bar = "\x00" // one within a cell
	cells := strings.Split(strings.Trim(strings.ReplaceAll(row, `\|`, bar), "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(strings.ReplaceAll(cells[i], bar, "|"))
	}
	return "- **" + strings.Trim(cells[0], "*") + "** — " + strings.Join(cells[1:], " — ")
}

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
		tabs.Append(own.NewTab(page.Title, container.NewPadded(container.NewVScroll(page.Object))))
	}
	sheet.Show(tabs, sheet.CloseButton("Close"))
	sheet.Present(nil)
}
