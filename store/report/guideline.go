package report

import (
	"regexp"
	"strings"
)

var (
	headingLine = regexp.MustCompile(`^#{1,6}\s+(.*)$`)
	listLine    = regexp.MustCompile(`^([-*+]|\d{1,3}[.)])\s+(.*)$`)
	picture     = regexp.MustCompile(`!\[([^\]]*)\]\([^)]*\)`)
	emphasis    = regexp.MustCompile(`\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s][^*]*)\*`)
)

// guideline reads what people wrote in Markdown as paragraphs; lines that follow each other are
// one. Only what guidelines use is read: headings, lists, bold and italic words, and pictures by
// their description; anything else stays as it is written.
func guideline(markdown string) (list []Block) {
	last := Text{}
	end := func(next Text) {
		if last.Runs != nil {
			list = append(list, last)
		}
		last = next
	}
	for line := range strings.Lines(strings.ReplaceAll(markdown, "\r\n", "\n")) {
		line = strings.TrimSpace(line)
		if found := headingLine.FindStringSubmatch(line); found != nil {
			end(Text{Style: QuoteHeading, Runs: emphasised(found[1])})
			end(Text{})
		} else if found := listLine.FindStringSubmatch(line); found != nil {
			mark := found[1]
			if strings.Contains("-*+", mark) {
				mark = "•"
			}
			end(Text{Style: Quote, Mark: mark, Runs: emphasised(found[2])})
		} else if line == "" {
			end(Text{})
		} else if last.Runs == nil {
			last = Text{Style: Quote, Runs: emphasised(line)}
		} else {
			last.Runs = append(append(last.Runs, Run{Text: " "}), emphasised(line)...)
		}
	}
	end(Text{})
	return list
}

// emphasised splits a line at its bold and italic words.
func emphasised(line string) (runs []Run) {
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
