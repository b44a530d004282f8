package app

import (
	"fmt"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
)

type backgroundKeywordsCommand struct {
	Source string `arg:"" help:"Workspace, or a keyword table (.csv)."`
	background.KeywordOptions
	background.TableName
	Each bool   `help:"A row per image in place of one per keyword."`
	Out  string `help:"Folder for keywords.csv, the keyword table, or the name of that file." type:"path" placeholder:"FILE.csv"`
}

func (c *backgroundKeywordsCommand) Run(s *session) error {
	c.Out = fileIn(c.Out, "keywords.csv")
	summary := background.Summary{}
	var err error
	if suffixOf(c.Source) == ".csv" {
		summary.Table, err = scenes.ReadTable(c.Source)
	} else {
		err = c.ofWorkspace(s, &summary)
	}
	if err != nil {
		return err
	}
	t := summary.Table
	summary.Rule = c.Of(t.Classes())
	found, err := t.Keywords(summary.Rule)
	if err != nil {
		return err
	}
	summary.Counts = found.Count(t)
	if c.Out != "" {
		if err := durable.WriteFile(c.Out, t.WriteTable); err != nil {
			return err
		}
	}
	keywords, images := background.KeywordTable.Sheet(found.Counted(t)), background.ImageTable.Sheet(found.OfImages(t))
	doc := s.document("background_keywords", &c.KeywordOptions,
		background.SummaryTable.Sheet([]background.Summary{summary}), keywords, images, background.WordTable.Sheet(t.Words(summary.Rule)))
	shown := keywords
	if c.Each {
		shown = images
	}
	lines := []string{summary.String()}
	if summary.Name != "" {
		lines = append(lines, fmt.Sprintf("table %s (%s), %s", summary.Name, summary.Made, summary.Hash))
	}
	return s.give(answer{Document: doc, tables: []*result.Sheet{shown}, lines: lines})
}

// Check refuses options that do not go together.
func (c *backgroundKeywordsCommand) Check() error {
	if suffixOf(c.Source) == ".csv" && (c.Networks() || c.Table != "" || c.Targets+c.Backgrounds+c.Masks != "") {
		return option.Errorf("a table says what its images contain already; networks, suites and masks go with a workspace")
	}
	return nil
}

// ofWorkspace brings masks and a table in, or lets the networks make one; without either it is the
// table that is there.
func (c *backgroundKeywordsCommand) ofWorkspace(s *session, to *background.Summary) error {
	ws, err := s.workspace(c.Source, c.Masks+c.Table+c.Segmentation != "")
	if err != nil {
		return err
	}
	if c.Masks != "" {
		targets, err := suiteNamed(ws, c.Targets)
		if err != nil {
			return err
		}
		set, err := masksOf(s, ws, targets, c.Masks, c.Copy)
		if err != nil {
			return err
		}
		to.Masks = set.Hash
	}
	var record store.KeywordTable
	switch {
	case c.Table != "":
		if to.Table, err = scenes.ReadTable(c.Table); err != nil {
			return err
		}
		record, err = ws.AddKeywords(c.Title(c.Table), "file", to.Table)
	case c.Segmentation != "":
		if to.Table, err = c.understand(s, ws); err != nil {
			return err
		}
		made := filepath.Base(c.Segmentation) + " and " + filepath.Base(c.Scene)
		record, err = ws.AddKeywords(c.Title(""), made, to.Table)
	default:
		if record, err = findTable(ws, c.Name); err != nil {
			return err
		}
		to.Table, err = ws.Keywords(record.Hash)
	}
	to.Hash, to.Name, to.Made = record.Hash, record.Name, record.Made
	return err
}

// understand asks the two networks. What they said before an interrupt is kept, so that the same
// line goes on.
func (c *backgroundKeywordsCommand) understand(s *session, ws *store.Workspace) (background.Table, error) {
	var table background.Table
	targets, err := suiteNamed(ws, c.Targets)
	if err != nil {
		return table, err
	}
	backgrounds, err := suiteNamed(ws, c.Backgrounds)
	if err != nil {
		return table, err
	}
	n, err := scenes.NetworksOf(c.KeywordNetworks)
	if err != nil {
		return table, err
	}
	masks, err := c.openMasks(s, ws, targets)
	if err != nil {
		return table, err
	}
	runtime, err := s.runtime()
	if err != nil {
		return table, err
	}
	err = withBar(s, "keywords", func(p engine.Progress) error {
		table, err = scenes.Understand(s.ctx, ws, runtime, n, targets, backgrounds, masks, p)
		return err
	})
	return table, err
}

// openMasks opens the targets' newest masks. Targets without masks have their foregrounds counted,
// which is said.
func (c *backgroundKeywordsCommand) openMasks(s *session, ws *store.Workspace, targets suite.Manifest) (*scenes.Masks, error) {
	list, err := ws.MaskSets(targets.Hash)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		fmt.Fprintf(s.stderr, "variscope: suite %s has no masks: the pixels of its foregrounds are counted, too\n",
			targets.Name)
		return nil, nil
	}
	return scenes.OpenMasks(s.ctx, ws, list[len(list)-1])
}
