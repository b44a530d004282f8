package studies

// Options are what a study is asked for.
type Options struct {
	Study   string   `arg:"" help:"Study file (.toml), or a study that comes with the program: ml4ml, background, ei, laf, dscore." source:"studies"`
	Formats []string `name:"format" help:"Files to write of tables (csv, parquet, tex, html) and figures (svg, pdf, png)." default:"csv,parquet,tex,html,svg,pdf,png" enum:"csv,parquet,tex,html,svg,pdf,png" label:"Files"`
	Out     string   `required:"" help:"Folder for the tables and figures of each step, report.html, report.pdf and study.json." type:"path" placeholder:"DIR" label:"Folder"`
}
