package dialogs

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
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
	head := widget.NewLabel(fmt.Sprintf("Variscope %s, built from %s\nONNX Runtime: %s\nWorkspaces of schema %d",
		about.Version, about.Build, cmp.Or(about.Library, "missing"), store.SchemaVersion))
	head.Selectable = true
	read(host, "About Variscope", fyne.NewSize(760, 560), 0.42, head, Licences(docs.Licences), "",
		func(s Section) []fyne.CanvasObject {
			text := own.Wrapped(s.Text)
			text.Selectable = true
			return []fyne.CanvasObject{text}
		})
}

// GuideDialog shows the user guide, a page per heading, opened at the page whose title begins with
// at ("" is the first).
func GuideDialog(host *kit.Host, at string) {
	read(host, "User guide", fyne.NewSize(920, 600), 0.25, nil, GuidePages(docs.Guide), at,
		func(s Section) []fyne.CanvasObject {
			text := widget.NewRichTextFromMarkdown(s.Text)
			text.Wrapping = fyne.TextWrapWord
			return append([]fyne.CanvasObject{text}, drawings(host, s.Title)...)
		})
}

// read shows a part of a text beside the titles of all parts, which have a share of the width.
func read(host *kit.Host, title string, size fyne.Size, share float64, head fyne.CanvasObject, parts []Section,
	at string, show func(Section) []fyne.CanvasObject,
) {
	sheet := host.NewDialog(title, size)
	page := container.NewVBox()
	scroll := container.NewVScroll(page)
	titles := widget.NewList(
		func() int { return len(parts) },
		func() fyne.CanvasObject { return widget.NewLabel("") },
		func(i widget.ListItemID, o fyne.CanvasObject) { parts[i].name(o.(*widget.Label)) })
	titles.OnSelected = func(i widget.ListItemID) {
		page.Objects = show(parts[i])
		page.Refresh()
		scroll.ScrollToTop()
	}
	split := container.NewHSplit(titles, scroll)
	split.Offset = share
	sheet.Show(container.NewBorder(head, nil, nil, nil, split), sheet.CloseButton("Close"))
	sheet.Present(nil)
	begins := func(s Section) bool { return at != "" && strings.HasPrefix(s.Title, at) }
	titles.Select(max(0, slices.IndexFunc(parts, begins)))
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

// Section is what stands under one heading of a text; Under is true for a heading below that of a
// page.
type Section struct {
	Title, Text string
	Under       bool
}

// name writes the heading into the list, those below a page's own further in.
func (s Section) name(line *widget.Label) {
	text := s.Title
	if s.Under {
		text = "   " + text
	}
	line.TextStyle.Bold = !s.Under
	line.SetText(text)
}

// cut cuts a Markdown text at its headings of so many levels. Text is made of the lines below one,
// and headings without any are left out.
func cut(markdown string, levels int, text func(lines []string) string) (list []Section) {
	var lines []string
	var now Section
	end := func() {
		if now.Text = text(lines); now.Title != "" && now.Text != "" {
			list = append(list, now)
		}
	}
	for line := range strings.Lines(markdown) {
		line = strings.TrimRight(line, "\r\n")
		title := strings.TrimLeft(line, "#")
		if level := len(line) - len(title); level == 0 || level > levels || !strings.HasPrefix(title, " ") {
			lines = append(lines, line)
			continue
		}
		end()
		now, lines = Section{Title: strings.TrimSpace(title), Under: strings.HasPrefix(line, "##")}, nil
	}
	end()
	return list
}

// Licences cuts the text of all licences. Line breaks within paragraphs are removed, so that the
// text flows.
func Licences(markdown string) []Section { return cut(markdown, 2, flow) }

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

var (
	picture = regexp.MustCompile(`!\[[^]]*\]\([^)]*\)\n?`)
	inside  = regexp.MustCompile(`\[([^]]*)\]\([^):]*\)`) // a link to another page
)

// GuidePages cuts the guide at its headings. Pictures are left out: the window itself is there to
// be looked at. Tables become lists, since the text shown here cannot hold tables, and links to
// other pages their words: these stand in the list beside the text.
func GuidePages(markdown string) []Section {
	markdown = inside.ReplaceAllString(picture.ReplaceAllString(markdown, ""), "$1")
	return cut(markdown, 6, func(lines []string) string {
		var page []string
		for _, line := range lines {
			switch {
			case !strings.HasPrefix(line, "|"):
				page = append(page, line)
			case strings.Trim(line, "|-: ") != "":
				page = append(page, tableLine(line))
			case len(page) > 0:
				page = page[:len(page)-1] // the heading of a table goes with the line below it
			}
		}
		return strings.TrimSpace(strings.Join(page, "\n"))
	})
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
