package app

import (
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
)

type exportCommand struct {
	Workspace string `arg:"" help:"Workspace folder."`
	export.Options
}

func (c *exportCommand) Run(s *session) error {
	ws, err := s.read(c.Workspace)
	if err != nil {
		return err
	}
	options := c.Options
	if options.Models, err = hashes(ws, c.Models); err != nil {
		return err
	}
	files, err := exportTo(s, ws, options)
	if err != nil {
		return err
	}
	return s.give(answer{
		Document: s.document("export", c, export.Files.Sheet(files)),
		lines:    []string{result.Counted(len(files), "file") + " in " + c.Out},
	})
}

func exportTo(s *session, ws *store.Workspace, opts export.Options) ([]string, error) {
	bar := newBar(s.stderr, "export")
	defer bar.done()
	opts.Version = Version
	return export.Export(s.ctx, ws, opts, bar)
}
