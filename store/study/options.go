package study

import (
	"path/filepath"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/store"
)

// Options are what a study is asked for.
type Options struct {
	Study   string   `arg:"" help:"Study file (.toml), or a study that comes with the program: ml4ml, background, ei, laf, dscore. background and laf need the workspace of the demo." source:"studies"`
	Formats []string `name:"format" help:"Files to write of tables (csv, parquet, tex, html) and figures (svg, pdf, png)." default:"csv,parquet,tex,html,svg,pdf,png" enum:"csv,parquet,tex,html,svg,pdf,png" names:"CSV|Parquet|LaTeX|HTML|SVG|PDF|PNG" label:"Files"`
	Out     string   `required:"" help:"Folder for the tables and figures of each step, report.html, report.pdf and study.json." type:"path" placeholder:"DIR" label:"Folder"`
}

// Check refuses a folder that is a file, or that is or lies in a workspace.
func (o *Options) Check() error {
	if err := option.NeedFolder("out", o.Out); err != nil || o.Out == "" {
		return err
	}
	at, err := filepath.Abs(o.Out)
	if err != nil {
		return err
	}
	for above := ""; at != above; at = filepath.Dir(at) {
		above = at
		if real, err := filepath.EvalSymlinks(at); err == nil {
			at = real
		}
		if store.Is(at) {
			return option.Errorf("{out} takes a folder of its own, and %s is a workspace", at)
		}
	}
	return nil
}
