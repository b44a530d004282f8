package command

import (
	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store/intake"
)

type modelCommand struct {
	Workspace    string `arg:"" help:"Workspace folder." study:"-"`
	ID           string `arg:"" name:"model" help:"The model, by id or hash."`
	modelOptions `embed:""`
}

// modelOptions correct how a model is run.
type modelOptions struct {
	intake.CorrectionOptions
	Drop bool `help:"Drop what was corrected before; what other flags say is corrected anew."`
}

func (c *modelCommand) Run(s *Session) error {
	correct := c.Drop || !c.None()
	ws, err := s.workspace(c.Workspace, correct)
	if err != nil {
		return err
	}
	m, err := ws.FindModel(c.ID)
	if err != nil {
		return err
	}
	change := func(m *model.Model) error {
		if c.Drop {
			m.Correction = model.Correction{}
		}
		if err := c.Correct(m); err != nil {
			return err
		}
		_, err := m.Settings()
		return err
	}
	if correct {
		if err := ws.UpdateModel(m.Hash, change); err != nil {
			return err
		}
		if m, err = ws.Model(m.Hash); err != nil {
			return err
		}
	}
	settings, err := m.Settings()
	if err != nil {
		return err
	}
	sheet := inventory.Settings.Sheet(inventory.SettingsOf(m, settings))
	return s.give(answer{Document: s.document("model", &c.modelOptions, sheet)})
}
