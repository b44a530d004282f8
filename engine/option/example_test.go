package option_test

import (
	"encoding/json"
	"fmt"

	"github.com/variscope/variscope/engine/option"
)

// studyOptions are the options of a command and of a form.
type studyOptions struct {
	Workspace string   `arg:"" help:"Workspace folder." window:"-"`
	Suite     []string `help:"Suites, by name or hash." source:"suites" sep:"none"`
	Method    string   `help:"How scenes are chosen: nearest or random." enum:"nearest,random" default:"nearest"`
	Resamples int      `help:"Resamples of the band." default:"1000" min:"1" max:"100000"`
	Feather   float64  `help:"Width of the blended edge." min:"0" max:"64" unit:"pixels" label:"Soft edge"`
}

// Check refuses options that do not go together.
func (o *studyOptions) Check() error {
	if o.Feather > 0 && o.Method == "random" {
		return option.Errorf("{feather} goes with {method} nearest")
	}
	return nil
}

// A form has an entry for each field; the command line has kong parse into the same struct and
// calls Check.
func Example() {
	var options studyOptions
	option.SetDefaults(&options)
	options.Workspace = "demo.variscope"

	for _, f := range option.Fields(&options) {
		switch f.Name {
		case "suite":
			fmt.Println(f.Set("fog\nsnow, deep"))
		case "resamples":
			fmt.Println(option.Said(f.Set("0")))
		}
	}
	fmt.Println(option.Command([]string{"variscope", "ei"}, &options))

	options.Method, options.Feather = "random", 2
	err := option.Check(&options)
	fmt.Println(err)
	fmt.Println(option.Said(err))

	record, err := json.Marshal(option.Record(&options)[2:])
	fmt.Println(string(record), err)
	// Output:
	// <nil>
	// Resamples takes a whole number from 1 to 100,000
	// variscope ei demo.variscope --suite fog --suite 'snow, deep'
	// --feather goes with --method nearest
	// Soft edge goes with Method nearest
	// {"method":"random","resamples":1000,"feather":2} <nil>
}
