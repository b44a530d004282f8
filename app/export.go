package app

import (
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
)

type exportCommand struct {
	Workspace string `arg:"" help:"Workspace folder."`
	Out       string `required:"" help:"Folder to write; made where there is none." type:"path"`
	Round     string `help:"Round, by name or id (default: all rounds and models)."`
	Force     bool   `help:"Write into a folder that holds other files; those stay."`
}

func (c *exportCommand) Run(s *session) error {
	ws, err := s.open(c.Workspace)
	if err != nil {
		return err
	}
	files, err := exportTo(s, ws, export.Options{Out: c.Out, Round: c.Round, Force: c.Force})
	if err != nil {
		return err
	}
	rows := [][]string{{"file"}}
	for _, file := range files {
		rows = append(rows, []string{file})
	}
	return s.print(files, rows)
}

func exportTo(s *session, ws *store.Workspace, opts export.Options) ([]string, error) {
	bar := newBar(s.stderr, "export")
	defer bar.done()
	opts.Version = Version
	return export.Export(s.ctx, ws, opts, bar)
}
