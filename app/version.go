package app

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/augmented"
	desks "github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/store/shards"
)

// Version is the program's version. FyneApp.toml, which packages take it from, and the newest entry of CHANGELOG.md have the
// same: a test compares them.
const Version = "0.1.0"

// commit and committed (RFC 3339) are written by the linker, see scripts/stamp.sh. They are empty after a plain go build.
var commit, committed string

// build says from which sources the program was built.
type build struct {
	Commit string `json:"commit"` // ends in "+changes" where the sources had changes that were not committed; "" unknown
	Date   string `json:"date"`   // of the commit, RFC 3339
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

// thisBuild is the build of the running program.
func thisBuild() build {
	info, _ := debug.ReadBuildInfo() // nil where Go wrote none
	return buildOf(info)
}

type versionCommand struct{}

type versionReport struct {
	Version string            `json:"version"`
	Build   build             `json:"build"`
	Go      string            `json:"go"`
	System  string            `json:"system"`
	Library string            `json:"onnxruntime"`
	Formats map[string]string `json:"formats"`
	Modules map[string]string `json:"modules"`
}

// formats are the newest forms of files that this program reads, those of the workspace first.
func formats() [][2]string {
	return [][2]string{
		{"workspace", fmt.Sprint(store.SchemaVersion)},
		{"assessor", fmt.Sprint(saved.Format)},
		{"round package", fmt.Sprint(desks.Version)},
		{"augmentation recipe", augmented.RecipeFormat},
		{"plan", fmt.Sprint(shards.Form)},
	}
}

// shownModules are the libraries that decide what files and figures look like.
var shownModules = map[string]bool{
	"fyne.io/fyne/v2": true, "go.etcd.io/bbolt": true, "gonum.org/v1/gonum": true, "gonum.org/v1/plot": true,
	"github.com/yalue/onnxruntime_go": true, "github.com/parquet-go/parquet-go": true, "codeberg.org/go-pdf/fpdf": true,
}

func (c *versionCommand) Run(s *session) error {
	report := versionReport{
		Version: Version, Build: thisBuild(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Library: "not found",
		Formats: map[string]string{}, Modules: map[string]string{},
	}
	if loaded, err := onnx.Load(s.common.Library); err == nil {
		report.Library = loaded.Version() + " (" + loaded.LibraryPath() + ")"
		s.onClose(loaded.Close)
	}
	rows := [][]string{
		{"variscope", report.Version},
		{"built from", report.Build.String()},
		{"go", report.Go},
		{"system", report.System},
		{"ONNX Runtime", report.Library},
	}
	for _, f := range formats() {
		report.Formats[f[0]] = f[1]
		rows = append(rows, []string{"format: " + f[0], f[1]})
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if shownModules[module.Path] {
				report.Modules[module.Path] = module.Version
				rows = append(rows, []string{module.Path, module.Version})
			}
		}
	}
	return s.print(report, rows)
}
