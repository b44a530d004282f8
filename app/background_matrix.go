package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

type backgroundMatrixCommand struct {
	Workspace   string   `arg:"" help:"Workspace folder."`
	Models      []string `arg:"" optional:"" name:"model" help:"Models by id (default: all with signals)."`
	Selection   []string `required:"" help:"Selections, by name or hash. With several, the matrices have common axes, and those whose settings differ by the seed alone are compared." sep:"none" placeholder:"NAME"`
	Measure     []string `help:"max@CONF, max@HEAD, true@CONF, mean@HEAD, or all (default: the first two)." placeholder:"M"`
	Interpolant []string `help:"I1, I2, I3, or SIZE,SIGMA,K in pixels of the raster, such as 16,5,32; repeat it (default: the three of ${background})." sep:"none" placeholder:"I"`
	Raster      int      `help:"Elements along a side of a matrix." default:"64" min:"4" max:"512"`
	Share       float64  `help:"Share of the targets, drawn from --seed." default:"1" above:"0" max:"1"`
	Draws       int      `help:"With --share: draws whose matrices are compared with that of all targets; the first is shown." default:"10" min:"1" max:"1000"`
	Seed        uint64   `help:"Seed of the share." default:"1"`
	Coverage    bool     `help:"Also the share of each model's neurons that the scenes reach (recall in Table 4 of ${background}); the composites go through the models once more, and the result is kept."`
	High        float64  `help:"Upper end of the colour range." default:"0.5" above:"0"`
	Format      []string `help:"Pictures to write: png, svg, pdf." default:"png" enum:"png,svg,pdf"`
	Out         string   `help:"Folder for matrices.npz, pictures, signals and tables." type:"path"`
}

// sceneMatrices is what background matrix prints with --json.
type sceneMatrices struct {
	Selections []selectionReport `json:"selections"`
	Raster     int               `json:"raster"`
	Threshold  float64           `json:"threshold"` // of error_rate
	Share      float64           `json:"share"`
	Seed       uint64            `json:"seed"`
	Far        *float64          `json:"common_d,omitempty"` // of several selections
	Models     []sceneModel      `json:"models"`
	Runs       []runsDifference  `json:"runs,omitempty"`
	LeftOut    []sceneLeft       `json:"left_out"`
}

// sceneModel is one model in the scenes of one selection.
type sceneModel struct {
	Model     string                 `json:"model_id"`
	Hash      string                 `json:"model_hash"`
	Selection string                 `json:"selection"`
	Outcome   outcomeReport          `json:"outcome"`
	Flags     []string               `json:"flags"`
	Coverage  *scenes.NeuronCoverage `json:"coverage,omitempty"` // of --coverage
	Measures  []sceneMeasure         `json:"measures"`
	stem      string                 // of its files
	way       string                 // of its selection
}

type outcomeReport struct {
	Targets   int      `json:"targets"`
	Accuracy  *float64 `json:"accuracy"`
	WorstCase *float64 `json:"worst_case"`
	Composite *float64 `json:"mean_composite"`
	Changed   *float64 `json:"changed_share"`
}

// sceneMeasure is a cloud and its matrices.
type sceneMeasure struct {
	Measure  string        `json:"measure"`
	Absent   string        `json:"absent,omitempty"`
	Constant *float64      `json:"constant"` // that signals were divided by
	Targets  int           `json:"targets"`
	Points   int           `json:"points"`
	Matrices []fieldReport `json:"matrices"`
}

// fieldReport is an interpolated matrix.
type fieldReport struct {
	Interpolant string       `json:"interpolant"`
	Name        string       `json:"name"`      // I1, I2, I3, or the interpolant
	Undefined   int          `json:"undefined"` // elements without a value
	Features    named        `json:"features"`
	Share       *shareReport `json:"share,omitempty"`
	row         scenes.FieldRow
	matrix      scatter.Matrix
}

// shareReport compares matrices of a share of the targets with that of all: root mean square
// differences.
type shareReport struct {
	Draws int     `json:"draws"`
	Mean  float64 `json:"mean_difference"`
	Sd    float64 `json:"sd_difference"`
}

// runsDifference says how far the matrices of selections whose settings differ by the seed alone
// lie apart: the mean over their pairs of the root mean square difference.
type runsDifference struct {
	Model       string   `json:"model_id"`
	Measure     string   `json:"measure"`
	Interpolant string   `json:"interpolant"`
	How         string   `json:"how"`
	Selections  []string `json:"selections"`
	Pairs       int      `json:"pairs"`
	Mean        float64  `json:"mean_difference"`
}

// sceneLeft is a model without signals for a selection.
type sceneLeft struct {
	Model     string `json:"model_id"`
	Hash      string `json:"model_hash"`
	Selection string `json:"selection"`
	Reason    string `json:"reason"`
}

func (c *backgroundMatrixCommand) Run(s *session) error {
	w := &fieldWork{command: c, s: s}
	if err := w.check(); err != nil {
		return err
	}
	var err error
	if w.ws, err = s.open(c.Workspace); err != nil {
		return err
	}
	if err := w.find(); err != nil {
		return err
	}
	if err := w.measure(); err != nil {
		return err
	}
	w.compare()
	if c.Out != "" {
		if err := w.write(); err != nil {
			return err
		}
	}
	return w.print()
}

// fieldWork is one call of background matrix.
type fieldWork struct {
	command      *backgroundMatrixCommand
	s            *session
	ws           *store.Workspace
	measures     []scenes.Measure
	interpolants []scatter.Interpolant
	models       []model.Model
	selections   []store.SelectionRecord
	ways         []string // of the selections: those with equal ways differ by their seeds alone
	far          float64  // the end of the axes of all selections
	taken        map[string]bool
	report       sceneMatrices
	evidence     []scenes.Evidence // one per report.Models where files are written
}

func (w *fieldWork) check() error {
	c := w.command
	for _, text := range c.Measure {
		if text == "all" {
			w.measures = scenes.Measures()
			break
		}
		m := scenes.Measure(text)
		if !slices.Contains(scenes.Measures(), m) {
			return usageError(fmt.Sprintf("unknown measure %q; known are %s", text, joinedMeasures()))
		}
		w.measures = append(w.measures, m)
	}
	if len(w.measures) == 0 {
		w.measures = []scenes.Measure{scenes.ConfMax, scenes.HeadMax}
	}
	for _, text := range c.Interpolant {
		p, err := scatter.ParseInterpolant(text)
		if err != nil {
			return usageError(err.Error())
		}
		w.interpolants = append(w.interpolants, p)
	}
	if len(w.interpolants) == 0 {
		w.interpolants = scatter.Interpolants()
	}
	return needFolder(c.Out)
}

func joinedMeasures() string {
	var words []string
	for _, m := range scenes.Measures() {
		words = append(words, string(m))
	}
	return strings.Join(words, ", ")
}

// find finds selections and models.
func (w *fieldWork) find() error {
	for _, name := range w.command.Selection {
		record, err := findSelection(w.ws, name)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(w.selections, func(other store.SelectionRecord) bool { return other.Hash == record.Hash }) {
			continue
		}
		w.selections = append(w.selections, record)
		w.report.Selections = append(w.report.Selections, newSelectionReport(record, record.Selection))
		w.far = max(w.far, record.Selection.Far())
	}
	chosen := make([]background.Selection, len(w.selections))
	for k, record := range w.selections {
		chosen[k] = record.Selection
	}
	w.ways = background.Ways(chosen)
	if len(w.selections) > 1 {
		w.report.Far = &w.far
	}
	if len(w.command.Models) == 0 {
		all, err := w.ws.Models()
		if err == nil && len(all) == 0 {
			err = fmt.Errorf("%s has no models; import some: variscope import %s PATH", w.ws.Path(), w.ws.Path())
		}
		w.models = all
		return err
	}
	var err error
	w.models, err = modelsNamed(w.ws, w.command.Models)
	return err
}

// measure reads signals and interpolates, model by model.
func (w *fieldWork) measure() error {
	c := w.command
	w.report.Raster, w.report.Share, w.report.Seed, w.report.Threshold = c.Raster, c.Share, c.Seed, scatter.DefaultThreshold
	w.report.Models, w.report.LeftOut = []sceneModel{}, []sceneLeft{}
	w.taken = map[string]bool{}
	return withBar(w.s, "matrices", func(p engine.Progress) error {
		p.SetTotal(int64(len(w.models) * len(w.selections)))
		for k := range w.selections {
			for _, m := range w.models {
				if err := w.measureOne(m, k); err != nil {
					return err
				}
				p.Add(1)
			}
		}
		if len(w.report.Models) == 0 {
			left := w.report.LeftOut[0]
			return fmt.Errorf("no model of %s can be measured in the scenes of %s: %s", w.ws.Path(), left.Selection, left.Reason)
		}
		return nil
	})
}

// measureOne reads and interpolates a model in the scenes of the k-th selection.
func (w *fieldWork) measureOne(m model.Model, k int) error {
	selection := w.selections[k]
	e, reason, err := scenes.Read(w.s.ctx, w.ws, m, selection.Hash)
	if err != nil {
		return fmt.Errorf("model %s in the scenes of %s: %w", m.ID, selection.Name, err)
	}
	if reason != "" {
		w.report.LeftOut = append(w.report.LeftOut, sceneLeft{m.ID, m.Hash, selection.Name, reason})
		return nil
	}
	one := sceneModel{
		Model: m.ID, Hash: m.Hash, Selection: selection.Name, way: w.ways[k], Outcome: newOutcomeReport(e.Outcome), Flags: append([]string{}, e.Flags...),
	}
	for _, measure := range w.measures {
		row := sceneMeasure{Measure: string(measure), Absent: e.Absent[measure], Matrices: []fieldReport{}}
		if cloud, there := e.Clouds[measure]; there {
			if err := w.interpolate(&row, e, measure, cloud); err != nil {
				return fmt.Errorf("model %s, %s in the scenes of %s: %w", m.ID, measure, selection.Name, err)
			}
		}
		one.Measures = append(one.Measures, row)
	}
	if w.command.Coverage {
		if reason, err = w.cover(&one, m, selection); err != nil {
			return err
		}
		if reason != "" {
			one.Flags = append(one.Flags, "no coverage: "+reason)
		}
	}
	one.stem = unused(w.taken, w.stem(one))
	w.report.Models = append(w.report.Models, one)
	if w.command.Out != "" {
		w.evidence = append(w.evidence, e)
	}
	return nil
}

// cover adds the neuron coverage of a model; reason says why it has none.
func (w *fieldWork) cover(to *sceneModel, m model.Model, selection store.SelectionRecord) (reason string, err error) {
	rt, err := w.s.runtime()
	if err != nil {
		return "", err
	}
	c, reason, err := scenes.Cover(w.s.ctx, w.ws, rt, m, selection.Hash, 0, engine.NoProgress{})
	if err == nil && reason == "" {
		to.Coverage = &c
	}
	return reason, err
}

func newOutcomeReport(o background.Outcome) outcomeReport {
	return outcomeReport{
		Targets: o.Targets, Accuracy: defined(o.Accuracy), WorstCase: defined(o.WorstCase), Composite: defined(o.MeanComposite),
		Changed: defined(o.ChangedShare),
	}
}

// interpolate makes the matrices of a cloud: of all targets as the workspace keeps them, else of a
// share of them, or with the common axes of several selections.
func (w *fieldWork) interpolate(row *sceneMeasure, e scenes.Evidence, measure scenes.Measure, cloud scatter.Cloud) error {
	own := len(w.selections) == 1
	cloud.D = w.far
	var whole []scatter.Matrix
	var err error
	if own {
		whole, err = scenes.Matrices(w.s.ctx, w.ws, e, measure, w.command.Raster, w.interpolants)
	} else {
		whole, err = scatter.Interpolate(w.s.ctx, cloud, w.command.Raster, w.interpolants)
	}
	if err != nil {
		return err
	}
	shown, shares := whole, make([]*shareReport, len(whole))
	if w.command.Share < 1 {
		if shown, shares, err = w.shares(cloud, whole); err != nil {
			return err
		}
		cloud = cloud.Of(w.draw(cloud))
	}
	constant := e.Constants[measure]
	row.Constant, row.Targets, row.Points = &constant, len(cloud.Signals), cloud.Points()
	for k, p := range w.interpolants {
		f := newFieldReport(scenes.NewFieldRow(e, measure, cloud, p, shown[k]), p, shown[k])
		f.Share = shares[k]
		row.Matrices = append(row.Matrices, f)
	}
	return nil
}

// draw are the targets of the sample that is shown.
func (w *fieldWork) draw(cloud scatter.Cloud) []int {
	return scatter.Draw(len(cloud.Signals), w.command.Share, w.command.Seed, 0)
}

// shares are the matrices of the first draw, and how far those of all draws are from the whole.
func (w *fieldWork) shares(cloud scatter.Cloud, whole []scatter.Matrix) ([]scatter.Matrix, []*shareReport, error) {
	c := w.command
	sampling := scatter.Sampling{Shares: []float64{c.Share}, Draws: c.Draws, Seed: c.Seed, Whole: whole}
	effects, err := scatter.ByShare(w.s.ctx, cloud, c.Raster, w.interpolants, sampling, nil)
	if err != nil {
		return nil, nil, err
	}
	first, reports := make([]scatter.Matrix, len(effects)), make([]*shareReport, len(effects))
	for k, effect := range effects {
		first[k], reports[k] = effect[0].Example, &shareReport{Draws: c.Draws, Mean: effect[0].Mean, Sd: effect[0].Std}
	}
	return first, reports, nil
}
