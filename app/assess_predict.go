package app

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
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
	order := r.data.Places()
	if c.Unsure {
		if order, err = file.LeastSure(r.data); err != nil {
			return err
		}
	}
	list := assess.Judgements(file.Assessor, r.data, order, nil, file.LearnedFrom(r.data), len(file.Training))
	if err := assess.AllJudged(list); err != nil {
		return err
	}
	doc := s.document("predict", &c.PredictOptions, assess.Verdicts.Sheet(list),
		saved.Sources.Sheet([]saved.Source{r.source()}), saved.Assessors.Sheet([]saved.Trained{{File: file}}), assess.LeftOuts.Sheet(r.left))
	return s.give(answer{
		Document: doc, name: "predict", folder: c.Out, forSpreadsheets: c.ForSpreadsheets,
		lines: append(file.Remarks(r.suite, list), assess.Lines(r.left)...),
	})
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
