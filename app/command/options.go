package command

import (
	"strings"

	"github.com/alecthomas/kong"

	"github.com/variscope/variscope/engine/option"
)

// optionsOf is the struct of a command, whose tags say what the command takes.
func optionsOf(n *kong.Node) any { return n.Target.Addr().Interface() }

// checkOptions refuses what the structs of the program and of the chosen command do not take.
func checkOptions(parsed *kong.Context) error {
	err := option.Check(optionsOf(parsed.Model.Node))
	if at := parsed.Selected(); err == nil && at != nil {
		err = option.Check(optionsOf(at))
	}
	return err
}

// sayBounds puts the bounds of options, and what they go with, behind their help, in every command.
func sayBounds(n *kong.Node) {
	bounds := map[string]string{}
	for _, f := range option.Fields(optionsOf(n)) {
		for _, text := range []string{f.Bounds(), f.Condition()} {
			if text != "" {
				bounds[f.Name] += " " + strings.ToUpper(text[:1]) + text[1:] + "."
			}
		}
	}
	for _, a := range n.Positional {
		a.Help += bounds[a.Name]
	}
	for _, f := range n.Flags {
		f.Help += bounds[f.Name]
	}
	for _, c := range n.Children {
		sayBounds(c)
	}
}
