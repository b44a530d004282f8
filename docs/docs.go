// Package docs holds the texts that the window shows of this folder: the user guide and the licences.
package docs

import _ "embed"

// Guide is the user guide and Licences the licences of everything that a package contains, both in Markdown.
var (
	//go:embed guide.md
	Guide string
	//go:embed licences.md
	Licences string
)
