package command

import (
	"time"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/report"
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

type reportCommand struct {
	Workspace string   `arg:"" help:"Workspace folder."`
	Models    []string `aliases:"model" help:"Models to report on, by id; several make one document." placeholder:"ID"`
	Round     string   `help:"Round to report on, by name or id."`
	Suite     string   `help:"Suite of the models' signals (default: the workspace's current one)."`
	Family    string   `help:"Family of the models' signals (default: the workspace's current one)."`
	report.Options
	Out []string `required:"" help:"Files to write, .html or .pdf, or a folder for report.html." placeholder:"FILE" type:"path"`
}

func (c *reportCommand) Run(s *Session) error {
	if (c.Round == "") == (len(c.Models) == 0) {
		return usageError("report takes either --models or --round")
	}
	if c.Round != "" && (c.Suite != "" || c.Family != "" || len(c.Modalities) > 0 || c.Images != "all") {
		return usageError("a round has its own suite, family, matrices and images; " +
			"--suite, --family, --modalities and --images go with --models")
	}
	for i, path := range c.Out {
		path = fileIn(path, "report.html")
		c.Out[i] = path
		if err := report.CheckPath(path); err != nil {
			return usageError(err.Error())
		}
	}
	ws, err := s.read(c.Workspace)
	if err != nil {
		return err
	}
	question, err := c.request(s, ws)
	if err != nil {
		return err
	}
	document, err := report.Make(s.ctx, ws, question, s.bar("report"))
	if err != nil {
		return err
	}
	files, err := document.Write(s.ctx, c.Out)
	if err != nil {
		return err
	}
	return s.give(answer{Document: s.document("report", c, report.Files.Sheet(files))})
}

// question resolves what the flags name.
func (c *reportCommand) request(s *Session, ws *store.Workspace) (report.Request, error) {
	q := report.Request{Modalities: c.Modalities, Notes: c.Notes, Version: Version, Written: time.Now()}
	if c.Round != "" {
		round, err := findRound(ws, c.Round)
		if err == nil && round.Secret() {
			s.tell("round %s is blind and still open: its report shows who has done how much, and no labels; "+
				"for these end it with: variscope label WORKSPACE close", round.Name)
		}
		q.Round = round.ID
		return q, err
	}
	images, err := variance.ParseImages(c.Images)
	if err != nil {
		return q, err
	}
	manifest, family, err := suiteAndFamily(ws, c.Suite, c.Family)
	if err != nil {
		return q, err
	}
	q.Suite, q.Family, q.Images = manifest.Hash, family.String(), images
	q.Models, err = hashes(ws, c.Models)
	return q, err
}
