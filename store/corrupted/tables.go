package corrupted

import (
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
)

// Source is a suite that is changed. Scaled says by how much lengths are scaled for its images, ""
// for not at all.
type Source struct {
	suite.Manifest
	Scaled string
}

// The tables of what is changed, of the suites that a workspace got, and of the folders that were
// written.
var (
	Sources = result.Table[Source]{
		Name: "source", Title: "Changed suite", Noun: "suite", ID: func(s Source) string { return s.Hash },
		Columns: []result.Column[Source]{
			result.Texts("suite", "suite", "name of the test suite", func(s Source) string { return s.Name }),
			hash(func(s Source) string { return s.Hash }),
			result.Counts("images", "images", "of the suite", func(s Source) int { return s.Images }),
			result.Texts("scaled", "scaled", "by how much lengths are scaled for these images",
				func(s Source) string { return s.Scaled }),
		},
	}
	Suites = result.Table[suite.Manifest]{
		Name: "suites", Title: "Suites", Noun: "suite", ID: func(m suite.Manifest) string { return m.Hash },
		Columns: []result.Column[suite.Manifest]{
			result.Texts("suite", "suite", "name of the suite that was made",
				func(m suite.Manifest) string { return m.Name }),
			hash(func(m suite.Manifest) string { return m.Hash }),
			result.Texts("change", "change", "canonical text of what was done",
				func(m suite.Manifest) string { return m.Derived.Change }),
		},
	}
	Folders = result.Table[Written]{
		Name: "folders", Title: "Folders", Noun: "folder", ID: func(w Written) string { return w.Folder },
		Columns: []result.Column[Written]{
			result.Texts("folder", "folder", "with the changed images", func(w Written) string { return w.Folder }),
			result.Counts("images", "images", "in it", func(w Written) int { return w.Images }),
			result.Texts("change", "change", "canonical text of what was done",
				func(w Written) string { return w.Change.String() }),
			result.Bools("there_already", "there already", "the same images lay there and were not made again",
				func(w Written) bool { return w.There }),
		},
	}
)

func hash[R any](of func(R) string) result.Column[R] {
	return result.Column[R]{
		Key: "suite_hash", Title: "hash", Help: "content hash of the suite", Format: result.ID, Text: of,
	}
}
