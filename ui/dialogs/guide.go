package dialogs

import (
	"regexp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/docs"
	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/kit"
	drawn "github.com/variscope/variscope/ui/widget"
)

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
		page.Objects = append([]fyne.CanvasObject{text}, drawings(pages[i].Title)...)
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
func drawings(title string) []fyne.CanvasObject {
	if title != "Four cases" {
		return nil
	}
	cases, err := figures.Cases()
	if err != nil { // they are constants: only a fault in the measuring
		return nil
	}
	return []fyne.CanvasObject{drawn.NewPairs(cases)}
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
