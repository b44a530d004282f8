package report

import (
	"regexp"
	"strings"
)

// Guideline is a text that people wrote in Markdown, as paragraphs. Only what guidelines use is
// read: headings, lists, bold and italic words, and pictures by their description; anything else
// stays as it is written.
type Guideline []Paragraph

// Paragraph is one line of a guideline as it is shown. Mark is what stands in front of a list's
// item: "1." or "•".
type Paragraph struct {
	Heading bool
	Mark    string
	Runs    []Run
}

// Run is a stretch of text in one style.
type Run struct {
	Text         string
	Bold, Italic bool
}

var (
	headingLine = regexp.MustCompile(`^#{1,6}\s+(.*)$`)
	listLine    = regexp.MustCompile(`^\s*([-*+]|\d{1,3}[.)])\s+(.*)$`)
	picture     = regexp.MustCompile(`!\[([^\]]*)\]\([^)]*\)`)
	emphasis    = regexp.MustCompile(`\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s][^*]*)\*`)
)

// readGuideline reads Markdown; lines that follow each other are one paragraph.
func readGuideline(text string) Guideline {
	var g Guideline
	open := false // the last paragraph goes on
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			open = false
		case headingLine.MatchString(line):
			g = append(g, Paragraph{Heading: true, Runs: readRuns(headingLine.FindStringSubmatch(line)[1])})
			open = false
		case listLine.MatchString(line):
			found := listLine.FindStringSubmatch(line)
			mark := found[1]
			if strings.Contains("-*+", mark) {
				mark = "•"
			}
			g, open = append(g, Paragraph{Mark: mark, Runs: readRuns(found[2])}), true
		case open:
			last := &g[len(g)-1]
			last.Runs = append(append(last.Runs, Run{Text: " "}), readRuns(line)...)
		default:
			g, open = append(g, Paragraph{Runs: readRuns(line)}), true
		}
	}
	return g
}

// readRuns splits a line at its emphases.
func readRuns(line string) (runs []Run) {
	line = picture.ReplaceAllString(line, "[picture: $1]")
	at := 0
	for _, found := range emphasis.FindAllStringSubmatchIndex(line, -1) {
		if found[0] > at {
			runs = append(runs, Run{Text: line[at:found[0]]})
		}
		for group := 1; group <= 3; group++ {
			if from := found[2*group]; from >= 0 {
				runs = append(runs, Run{Text: line[from:found[2*group+1]], Bold: group < 3, Italic: group == 3})
			}
		}
		at = found[1]
	}
	if at < len(line) {
		runs = append(runs, Run{Text: line[at:]})
	}
	return runs
}
