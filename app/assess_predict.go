package app

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
)

type assessPredictCommand struct {
	Source string `arg:"" help:"Workspace, or exported features: features.csv or features.parquet."`
	assess.PredictOptions
	Out string `help:"Folder for predict.json and predict.csv." type:"path"`
	spreadsheetFlag
}

func (c *assessPredictCommand) Run(s *session) error {
	if err := needFolder(c.Out); err != nil {
		return err
	}
	file, r, err := asked{Source: c.Source, DataOptions: c.DataOptions}.load(s, c.Assessor)
	if err != nil {
		return err
	}
	order, err := c.order(file, r)
	if err != nil {
		return err
	}
	list := assess.Judgements(file.Assessor, r.data, order, nil, r.learned(file), len(file.Training))
	if err := judgedAll(list); err != nil {
		return err
	}
	doc := s.document("predict", &c.PredictOptions, assess.Verdicts.Sheet(list),
		saved.Sources.Sheet([]saved.Source{r.source()}), saved.Assessors.Sheet([]saved.Trained{{File: file}}), assess.LeftOuts.Sheet(r.left))
	return s.give(answer{
		Document: doc, name: "predict", folder: c.Out, forSpreadsheets: c.ForSpreadsheets,
		lines: append(judgedRemarks(file, r.suite, list), assess.Lines(r.left)...),
	})
}

// judgedAll is an error where the assessor cannot judge one of the models.
func judgedAll(list []assess.Judgement) error {
	for _, j := range list {
		if !j.Why.None() {
			return fmt.Errorf("model %s: %s", j.ID, j.Why)
		}
	}
	return nil
}

// judgedRemarks say what to know of verdicts: labels that are otherwise, models that were learned
// from, another suite.
func judgedRemarks(file saved.File, on saved.Suite, list []assess.Judgement) (lines []string) {
	labelled, disagree, learned := 0, 0, 0
	for _, j := range list {
		if j.Label != "" {
			labelled++
			if j.Label != j.Verdict.Label {
				disagree++
			}
		}
		if j.Learned > 0 {
			learned++
		}
	}
	if labelled > 0 {
		lines = append(lines, fmt.Sprintf("%d of %s disagree with the assessor", disagree, result.Counted(labelled, "label")))
	}
	if learned > 0 {
		lines = append(lines, fmt.Sprintf("%d of these %s are among the %d that the assessor learned from",
			learned, result.Counted(len(list), "model"), len(file.Training)))
	}
	if elsewhere := file.Elsewhere(on); elsewhere != "" {
		lines = append(lines, elsewhere)
	}
	return lines
}

// order are the rows as they are listed; with --unsure the models that the assessor learned from
// come last, since their labels teach it nothing new.
func (c *assessPredictCommand) order(file saved.File, r repository) ([]int, error) {
	order := r.rows()
	if !c.Unsure {
		return order, nil
	}
	unsure, err := assess.LeastSure(r.data, order, file.Assessor)
	if err != nil {
		return nil, err
	}
	var fresh, learned []int
	for _, u := range unsure {
		if file.Learned(r.data.Rows[u.Row].Hash) {
			learned = append(learned, u.Row)
		} else {
			fresh = append(fresh, u.Row)
		}
	}
	return append(fresh, learned...), nil
}

// load reads the assessor and gathers what it judges: the same features, of the same family and
// choice of images.
func (a asked) load(s *session, assessor string) (saved.File, repository, error) {
	if isWorkspace(a.Source) { // opened once, for the assessor and for the models
		ws, err := s.read(a.Source)
		if err != nil {
			return saved.File{}, repository{}, err
		}
		a.opened = ws
	}
	var file saved.File
	var err error
	if a.opened == nil {
		file, err = loadAssessor(assessor, nil)
	} else {
		file, err = loadAssessor(assessor, a.opened.AssessorData)
	}
	if err != nil {
		return file, repository{}, err
	}
	w := want{layout: file.Layout, chosen: true, images: file.Images, family: file.Family}
	if file.Family == "" && a.Family == "" && a.Selection == "" && isWorkspace(a.Source) {
		return file, repository{}, file.Fits("", file.Layout)
	}
	if a.Selection != "" && !file.Layout.OfBackground() {
		return file, repository{}, file.Fits(transform.ScenesSet+":"+a.Selection, file.Layout)
	}
	if a.Family != "" && file.Family != "" { // before anything is measured
		if err := file.Fits(a.Family, file.Layout); err != nil {
			return file, repository{}, err
		}
	}
	r, err := a.gather(s, w)
	if err != nil {
		return file, r, err
	}
	if file.Family != "" { // a table says itself how its features were measured
		if err := file.Fits(cmp.Or(r.family, file.Family), r.data.Layout); err != nil {
			return file, r, err
		}
	}
	if len(r.data.Rows) == 0 {
		return file, r, errors.Join(fmt.Errorf("%s holds no model that the assessor can judge", a.Source), leftError(r.left))
	}
	return file, r, nil
}
