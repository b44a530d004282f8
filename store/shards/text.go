package shards

import (
	"embed"
	"fmt"
	"io"
	"strings"
)

// templates are job.sh, an array job of Slurm that a shell can run, too, and README.txt. The script finds the folder by the
// manifest with the plan's hash, since Slurm runs a copy of it that lies somewhere else.
//
//go:embed templates
var templates embed.FS

// text is what people and job schedulers read of a plan: a template by its name in the folder, filled in.
func (p *Plan) text(name string) string {
	text, err := templates.ReadFile("templates/" + name)
	if err != nil {
		panic("shards: " + err.Error())
	}
	processor := fmt.Sprintf("processors with %s (%s)", p.Level, p.Arch)
	if p.Mixed() {
		processor = "processors of any kind"
	}
	return strings.NewReplacer(
		"@N@", fmt.Sprint(p.Shards()), "@ID@", p.ID, "@SUITE@", p.Suite, "@FAMILY@", p.Request.Family, "@MODELS@", fmt.Sprint(p.Models()),
		"@UNITS@", fmt.Sprint(p.UnitCount()), "@PROGRAM@", p.Program, "@RUNTIME@", p.Runtime, "@PROCESSOR@", processor,
	).Replace(string(text))
}

// writing writes a text.
func writing(text string) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := io.WriteString(out, text)
		return err
	}
}
