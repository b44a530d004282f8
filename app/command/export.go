package command

import (
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/export"
)

type exportCommand struct {
	Workspace string `arg:"" help:"Workspace folder."`
	export.Options
}

func (c *exportCommand) Run(s *Session) error {
	ws, err := s.read(c.Workspace)
	if err != nil {
		return err
	}
	options := c.Options
	options.Version = Version
	if options.Models, err = hashes(ws, c.Models); err != nil {
		return err
	}
	files, err := export.Export(s.ctx, ws, options, s.bar("export"))
	if err != nil {
		return err
	}
	return s.give(answer{
		Document: s.document("export", c, export.Files.Sheet(files)),
		lines:    []string{result.Counted(len(files), "file") + " in " + c.Out},
	})
}
