package export

import "github.com/variscope/variscope/engine/result"

// Files is the table of the files that an export wrote, by their paths.
var Files = result.Table[string]{
	Name: "files", Title: "Files", Noun: "file", ID: func(path string) string { return path },
	Columns: []result.Column[string]{
		result.Texts("file", "file", "path of the file", func(path string) string { return path }),
	},
}
