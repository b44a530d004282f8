// Package docs holds the texts that the window shows of this folder: the user guide and the
// licences.
package docs

import (
	"embed"
	"path"
	"regexp"
	"strings"
)

//go:embed guide.md guide/*.md
var pages embed.FS

// Licences are the licences of everything that a package contains, in Markdown.
//
//go:embed licences.md
var Licences string

// Guide is the user guide in Markdown: what the index says before it links the pages, then these in
// their order.
var Guide = together()

// link is a link of the index to a page.
var link = regexp.MustCompile(`\]\((guide/[a-z-]+\.md)\)`)

func together() string {
	index := page("guide.md")
	say, _, _ := strings.Cut(index, "\n## ")
	whole := []string{say}
	for _, found := range link.FindAllStringSubmatch(index, -1) {
		whole = append(whole, page(found[1]))
	}
	return strings.Join(whole, "\n")
}

// page is a text of the guide; one that the index links and that is not there is left out, which a
// test finds.
func page(name string) string {
	text, err := pages.ReadFile(path.Clean(name))
	if err != nil {
		return ""
	}
	return string(text)
}
