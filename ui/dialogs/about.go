package dialogs

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/docs"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
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
	text := widget.NewLabel("Choose a part to read its licence.")
	text.Wrapping = fyne.TextWrapWord
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
