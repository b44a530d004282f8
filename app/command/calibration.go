package command

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/calibration"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/evaluate"
)

type calibrateCommand struct {
	Workspace string `arg:"" help:"Workspace folder." study:"-"`
	calibration.Options
	output   `set:"out=Folder for tables and reliability diagrams."`
	Pictures bool `help:"Draw the reliability diagram of each row into --out." default:"true" negatable:""`
}

func (c *calibrateCommand) Run(s *Session) error {
	ws, err := s.read(c.Workspace)
	if err != nil {
		return err
	}
	ask, err := askStudy(ws, c.Models, c.Suite, c.Family, calibration.Unsuited)
	if err != nil {
		return err
	}
	measured, left, err := evaluate.Calibrate(s.ctx, ws, ask, c.Settings, s.bar("calibration"))
	if err != nil {
		return err
	}
	lines := invariance.Found{Left: left}.LeftOut()
	if len(measured) == 0 {
		return fmt.Errorf("no model of %s can be measured: %s", c.Workspace, strings.Join(lines, "; "))
	}
	sheets := append(calibration.Sheets(measured), invariance.LeftOuts.Sheet(left))
	a := answer{Document: s.document("calibration", &c.Options, sheets...), out: c.output, lines: lines}
	a.formats = []string{"svg", "png"}
	for _, m := range measured {
		if c.Pictures && s.wants(c.output) {
			family, _, _ := strings.Cut(m.Family, ":")
			a.draw("reliability_"+m.Model+"_"+m.Suite+"_"+family, m.Original().Figure())
		}
	}
	if c.Out != "" {
		a.shown = append(a.shown, []string{fmt.Sprintf("%s, %d tables and %d figures in %s",
			result.Counted(len(measured), "row"), len(sheets), len(a.figures)*len(a.formats), c.Out)})
	}
	shown := sheets[0]
	if c.Each {
		shown = sheets[1]
	}
	a.show(shown)
	return s.give(a)
}
