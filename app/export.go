package app

import (
	"github.com/variscope/variscope/store/export"
)

type exportCommand struct {
	Workspace string `arg:"" help:"Workspace folder."`
	Out       string `required:"" help:"Folder to write; made where there is none." type:"path"`
	Round     string `help:"Round, by name or id (default: the newest)."`
	Force     bool   `help:"Write into a folder that holds other files."`
}

func (c *exportCommand) Run(s *session) error {
	ws, err := s.open(c.Workspace)
	if err != nil {
		return err
	}
	files, err := exportTo(s, ws, c.Out, c.Round, c.Force)
	if err != nil {
		return err
	}
	rows := [][]string{{"file"}}
	for _, file := range files {
		rows = append(rows, []string{file})
	}
	return s.print(files, rows)
}
