package command

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/augmented"
	desks "github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/store/shards"
)

// Version is the program's version. FyneApp.toml, which packages take it from, and the newest
// entry of CHANGELOG.md have the same: a test compares them.
const Version = "0.1.0"

// ID names the program to Fyne and to desktops; FyneApp.toml has the same.
const ID = "io.github.variscope.variscope"

// commit and committed (RFC 3339) are written by the linker, see scripts/stamp.sh. They are empty
// after a plain go build.
var commit, committed string

// build says from which sources the program was built.
type build struct {
	Commit string // ends in "+changes" where the sources had changes that were not committed; "" unknown
	Date   string // of the commit, RFC 3339
}

// buildOf is what the linker wrote, else what Go keeps of the checkout.
func buildOf(info *debug.BuildInfo) build {
	b := build{Commit: commit, Date: committed}
	if b.Commit != "" || info == nil {
		return b
	}
	changed := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value[:min(len(s.Value), 12)]
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			changed = s.Value == "true"
		}
	}
	if changed && b.Commit != "" {
		b.Commit += "+changes"
	}
	return b
}

// String is "commit 1a2b3c4d5e6f of 2026-11-23", or that nobody knows.
func (b build) String() string {
	if b.Commit == "" {
		return "unknown sources"
	}
	day := b.Date[:min(len(b.Date), len("2006-01-02"))]
	return fmt.Sprintf("commit %s of %s", b.Commit, day)
}

// Build says from which commit the program was built, and of which day that is.
func Build() string {
	info, _ := debug.ReadBuildInfo() // nil where Go wrote none
	return buildOf(info).String()
}

type versionCommand struct{}

// part is something that has a version.
type part struct{ name, version string }

// parts is the table of versions.
var parts = result.Table[part]{
	Name: "versions", Title: "Versions", Noun: "part", ID: func(p part) string { return p.name },
	Columns: []result.Column[part]{
		result.Texts("part", "part", "the program, what it was built from and what it uses, forms of files, libraries",
			func(p part) string { return p.name }),
		result.Texts("version", "version", "its version", func(p part) string { return p.version }),
	},
}

// shownModules are the libraries that decide what files and figures look like.
var shownModules = map[string]bool{
	"fyne.io/fyne/v2": true, "go.etcd.io/bbolt": true, "gonum.org/v1/gonum": true, "gonum.org/v1/plot": true,
	"github.com/yalue/onnxruntime_go": true, "github.com/parquet-go/parquet-go": true, "codeberg.org/go-pdf/fpdf": true,
}

func (c *versionCommand) Run(s *Session) error {
	library, rights := "not found", "not known"
	if workers, err := s.Runtime(); err == nil {
		library = workers.Version() + " (" + workers.Ready().Path + ")"
		rights = workers.Ready().Rights
	}
	info, made := debug.ReadBuildInfo()
	built := buildOf(info)
	list := []part{
		{"variscope", Version},
		{"commit", built.Commit},
		{"committed", built.Date},
		{"go", runtime.Version()},
		{"system", runtime.GOOS + "/" + runtime.GOARCH},
		{"ONNX Runtime", library},
		{"workers may use", rights},
		// The newest forms of files that this program reads.
		{"format: workspace", fmt.Sprint(store.SchemaVersion)},
		{"format: assessor", fmt.Sprint(saved.Format)},
		{"format: round package", fmt.Sprint(desks.Version)},
		{"format: augmentation recipe", augmented.RecipeFormat},
		{"format: plan", fmt.Sprint(shards.Form)},
	}
	if made {
		for _, module := range info.Deps {
			if shownModules[module.Path] {
				list = append(list, part{module.Path, module.Version})
			}
		}
	}
	return s.give(answer{Document: s.document("version", nil, parts.Sheet(list))})
}
