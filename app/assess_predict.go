package app

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

type assessPredictCommand struct {
	dataFlags
	assessorFlag
	Unsure bool   `help:"List the models that the assessor is least sure of first: the suggested order of the next round."`
	Out    string `help:"Folder for predict.json and predict.csv." type:"path"`
}

// assessorFlag names a saved assessor.
type assessorFlag struct {
	Assessor string `required:"" help:"Assessor: a file, or the name of one that the workspace keeps." placeholder:"FILE|NAME"`
}

// predictReport is what predict prints with --json.
type predictReport struct {
	Assessor  string           `json:"assessor"`
	Algorithm assess.Algorithm `json:"algorithm"`
	Family    string           `json:"family"`
	Suite     saved.Suite      `json:"suite"`
	Labels    saved.Labels     `json:"labels"`
	Models    []verdictReport  `json:"models"`
	// Labelled counts models with a label, Disagree those of them that the assessor judges otherwise, Learned the models that
	// it learned from.
	Labelled int          `json:"labelled"`
	Disagree int          `json:"disagree"`
	Learned  int          `json:"in_training_set"`
	LeftOut  []leftReport `json:"left_out"`
}

// verdictReport is a verdict on one model. The baseline has no probabilities.
type verdictReport struct {
	ID          string             `json:"id"`
	Hash        string             `json:"hash,omitempty"`
	Verdict     label.Value        `json:"verdict"`
	Variant     *float64           `json:"probability_variant"`
	Probability map[string]float64 `json:"probability,omitempty"`
	Score       float64            `json:"score"`
	Label       label.Value        `json:"label,omitempty"`
	Disagrees   bool               `json:"disagrees"`
	Learned     bool               `json:"in_training_set"` // the assessor learned from it
}

func (c *assessPredictCommand) Run(s *session) error {
	if err := needFolder(c.Out); err != nil {
		return err
	}
	file, r, err := c.load(s, c.dataFlags)
	if err != nil {
		return err
	}
	report := predictReport{
		Assessor: file.Name, Algorithm: file.Assessor.Settings.Algorithm, Family: r.family, Suite: r.suite, Labels: r.labels,
		Models: []verdictReport{}, LeftOut: leftReports(r.left),
	}
	order, err := c.order(file, r.data)
	if err != nil {
		return err
	}
	for _, i := range order {
		one, err := judged(file.Assessor, r.data.Rows[i])
		if err != nil {
			return err
		}
		if one.Learned = file.Learned(one.Hash); one.Learned {
			report.Learned++
		}
		report.Models = append(report.Models, one)
		if one.Label != "" {
			report.Labelled++
		}
		if one.Disagrees {
			report.Disagree++
		}
	}
	if c.Out != "" {
		if err := writeTable(c.Out, "predict", report, report.cells()); err != nil {
			return err
		}
	}
	return s.print(report, append(report.rows(), report.remarks(file, r)...))
}

// remarks are lines below the table.
func (r predictReport) remarks(file saved.File, from repository) [][]string {
	var lines [][]string
	if r.Labelled > 0 {
		lines = append(lines, []string{fmt.Sprintf("%d of %d labels disagree with the assessor", r.Disagree, r.Labelled)})
	}
	if r.Learned > 0 {
		lines = append(lines, []string{fmt.Sprintf("%d of these %d models are among the %d that the assessor learned from", r.Learned, len(r.Models), len(file.Training))})
	}
	if otherSuite(file.Suite, r.Suite) {
		lines = append(lines, []string{trainedElsewhere(file.Suite)})
	}
	for _, line := range leftLines(from.left) {
		lines = append(lines, []string{line})
	}
	return lines
}

// otherSuite tells that an assessor judges by other images than it was trained on. A table does not say by which.
func otherSuite(trained, here saved.Suite) bool {
	return trained.Hash != "" && here.Hash != "" && trained.Hash != here.Hash
}

func trainedElsewhere(suite saved.Suite) string {
	return fmt.Sprintf("the assessor was trained on another suite, %s", suite.Name)
}

// order are the rows as they are listed; with --unsure the models that the assessor learned from come last, since their labels
// teach it nothing new.
func (c *assessPredictCommand) order(file saved.File, d assess.Data) ([]int, error) {
	order := make([]int, len(d.Rows))
	for i := range order {
		order[i] = i
	}
	if !c.Unsure {
		return order, nil
	}
	unsure, err := assess.LeastSure(d, order, file.Assessor)
	if err != nil {
		return nil, err
	}
	for i, u := range unsure {
		order[i] = u.Row
	}
	var fresh, learned []int
	for _, i := range order {
		if file.Learned(d.Rows[i].Hash) {
			learned = append(learned, i)
		} else {
			fresh = append(fresh, i)
		}
	}
	return append(fresh, learned...), nil
}

// load reads the assessor and gathers what it judges: the same features, of the same family and choice of images.
func (f assessorFlag) load(s *session, data dataFlags) (saved.File, repository, error) {
	if isWorkspace(data.Source) { // opened once, for the assessor and for the models
		ws, err := s.open(data.Source)
		if err != nil {
			return saved.File{}, repository{}, err
		}
		data.opened = ws
	}
	file, err := f.read(data.opened)
	if err != nil {
		return file, repository{}, err
	}
	w := want{layout: file.Layout, chosen: true, images: file.Images, family: file.Family}
	if file.Family == "" && data.Family == "" && data.Selection == "" && isWorkspace(data.Source) {
		return file, repository{}, file.Fits("", file.Layout)
	}
	if data.Selection != "" && !file.Layout.OfBackground() {
		return file, repository{}, file.Fits(transform.ScenesSet+":"+data.Selection, file.Layout)
	}
	if data.Family != "" && file.Family != "" { // before anything is measured
		if err := file.Fits(data.Family, file.Layout); err != nil {
			return file, repository{}, err
		}
	}
	r, err := data.gather(s, w)
	if err != nil {
		return file, r, err
	}
	if file.Family != "" { // a table says itself how its features were measured
		if err := file.Fits(cmp.Or(r.family, file.Family), r.data.Layout); err != nil {
			return file, r, err
		}
	}
	if len(r.data.Rows) == 0 {
		return file, r, errors.Join(fmt.Errorf("%s holds no model that the assessor can judge", data.Source), leftError(r.left))
	}
	return file, r, nil
}

// read reads the assessor from a file or, where ws is not nil, from the workspace.
func (f assessorFlag) read(ws *store.Workspace) (saved.File, error) {
	if ws == nil {
		return loadAssessor(f.Assessor, nil)
	}
	return loadAssessor(f.Assessor, ws.AssessorData)
}

// judged is the verdict on a model and how it compares with the model's label.
func judged(a *assess.Assessor, row assess.Row) (verdictReport, error) {
	v, err := a.Judge(row)
	if err != nil {
		return verdictReport{}, fmt.Errorf("model %s: %w", row.ID, err)
	}
	one := verdictReport{
		ID: row.ID, Hash: row.Hash, Verdict: v.Label, Variant: finite(v.Variant()), Score: v.Score, Label: row.Label,
		Disagrees: row.Label != "" && row.Label != v.Label,
	}
	if len(v.Probability) > 0 {
		one.Probability = map[string]float64{}
		for k, p := range v.Probability {
			one.Probability[string(a.Classes[k])] = p
		}
	}
	return one, nil
}

func (r predictReport) rows() [][]string {
	rows := [][]string{{"model", "verdict", "probability of variant", "label", ""}}
	for _, m := range r.Models {
		var marks []string
		if m.Disagrees {
			marks = append(marks, "disagrees")
		}
		if m.Learned {
			marks = append(marks, "learned from")
		}
		rows = append(rows, []string{m.ID, string(m.Verdict), number(m.Variant), orDash(string(m.Label)), strings.Join(marks, ", ")})
	}
	return rows
}

// cells are the verdicts for files, with all digits.
func (r predictReport) cells() [][]string {
	rows := [][]string{{"model_id", "model_hash", "verdict", "probability_variant", "score", "label", "disagrees", "in_training_set"}}
	for _, m := range r.Models {
		rows = append(rows, []string{
			m.ID, m.Hash, string(m.Verdict), orEmpty(m.Variant), exact(m.Score), string(m.Label), strconv.FormatBool(m.Disagrees), strconv.FormatBool(m.Learned),
		})
	}
	return rows
}
