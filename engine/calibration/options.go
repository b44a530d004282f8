package calibration

// Options of calibration, as the command calibration takes them.
type Options struct {
	Suite  []string `help:"Suites, by name or hash (default: all with signals)." source:"suites" sep:"none"`
	Family []string `help:"Transformation sets and families (default: rot90 and grayscale, as far as they are there)." source:"families" placeholder:"F"`
	Models []string `help:"Models of the workspace, by id (default: all)." source:"models" placeholder:"ID" aliases:"model"`
	Each   bool     `help:"A row per transformation."`
	Settings
}

// Settings are how calibration is measured.
type Settings struct {
	Bins      int    `help:"Bins of the confidence, each of as many images." default:"15" min:"1" max:"1000"`
	Resamples int    `help:"Resamples of the images for the interval of the ECE." default:"1000" min:"1" max:"100000"`
	Seed      uint64 `help:"Seed of the resamples." default:"1"`
	Original  bool   `kong:"-" window:"-"` // only the images as they are
}
