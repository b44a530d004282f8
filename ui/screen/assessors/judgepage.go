package assessors

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/training"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// verdictFilters are the choices of the menu beside the list, each with its filter.
var verdictFilters = [][2]string{
	{"all models", ""},
	{"without a label", `label=""`},
	{"somebody says otherwise", `differs!=""`},
	{"judged variant", "verdict=variant"},
	{"judged invariant", "verdict=invariant"},
	{"outside of what was seen", "outside=yes"},
}

// judgePage lists the verdicts, and explains the one that is chosen.
type judgePage struct {
	*kit.Screen[struct{}, []assess.Judgement]
	s    *Screen
	menu *fynewidget.Select
	list *kit.Records[assess.Judgement]

	why     *fynewidget.Label
	bars    *kit.Figure
	row     *evidence.Matrices
	save    *fynewidget.Button
	latest  jobs.Latest // of reasons
	tiles   jobs.Latest // of matrices
	chosen  string      // hash of the model that is explained, "" for none
	ranges  evidence.Ranges
	rangeOf string // suite, family and modalities of ranges
	// resampled are verdicts on resamples of the images, by assessor and model (hash).
	resampled map[*assess.Assessor]map[string]assess.Resampled
	resamples *fynewidget.Button
}

func newJudgePage(s *Screen) *judgePage {
	p := &judgePage{s: s, why: widget.Bold(""), resampled: map[*assess.Assessor]map[string]assess.Resampled{}}
	id := func() string { j, _ := p.list.Selected(); return j.ID }
	p.bars = &kit.Figure{
		Host: s.host, Name: func() []string { return []string{s.fileName(), id()} },
		Command: func() string { return s.explained(id()) },
	}
	p.list = &kit.Records[assess.Judgement]{
		Host: s.host, Table: assess.Verdicts,
		OnSelect: func(j assess.Judgement, ok bool) {
			if ok {
				s.host.Say(j.String())
				p.explain(j)
			}
		},
		OnOpen: p.inspect,
		Actions: []kit.Action[assess.Judgement]{{
			Name: "Open model", Icon: theme.SearchIcon(), Button: true,
			Can: func(list []assess.Judgement) bool { return len(list) == 1 },
			Do:  func(list []assess.Judgement) { p.inspect(list[0]) },
		}},
		Note: func(shown []assess.Judgement) string { return strings.Join(assess.Unsettled(shown), "\n") },
	}
	p.menu = fynewidget.NewSelect(nil, func(string) { p.list.SetFilter(verdictFilters[p.menu.SelectedIndex()][1]) })
	for _, f := range verdictFilters {
		p.menu.Options = append(p.menu.Options, f[0])
	}
	p.save = fynewidget.NewButtonWithIcon("Save figure…", theme.DocumentSaveIcon(),
		func() { s.menuBelow(p.save, p.bars.Entries()...) })
	p.why.Wrapping = fyne.TextWrapWord
	p.row = evidence.NewMatrices(widget.Keys{}, s.host.Say, func() {
		if j, ok := p.list.Selected(); ok {
			p.inspect(j)
		}
	})
	p.resamples = fynewidget.NewButtonWithIcon("Resample…", theme.MediaReplayIcon(), p.askResamples)
	head := container.NewBorder(nil, nil, nil, p.resamples, p.menu)
	list := container.NewBorder(head, nil, nil, nil, p.list.Object())
	reasons := container.NewHSplit(p.bars.Object(), evidence.Area(p.row))
	reasons.Offset = 0.58
	right := container.NewBorder(container.NewBorder(nil, nil, nil, container.NewVBox(p.save), p.why), nil, nil, nil,
		container.New(turning{}, reasons))
	split := container.NewHSplit(list, right)
	split.Offset = 0.42
	p.menu.SetSelectedIndex(0)
	p.Screen = kit.New(kit.Screen[struct{}, []assess.Judgement]{
		Host: s.host, Name: "Judge models", Doing: "Asking the assessor…", Key: "assessors.verdicts", Quiet: true,
		Load: func(struct{}) kit.Work[[]assess.Judgement] {
			subject := *s.subject
			resampled := maps.Clone(p.resampled[subject.Assessor])
			return func(context.Context, engine.Progress) ([]assess.Judgement, error) {
				list := Judgements(subject)
				for k := range list {
					list[k].Resampled = resampled[list[k].Hash]
				}
				return list, nil
			}
		},
		Body: split, Show: p.show,
	})
	return p
}

// show lists the verdicts of the subject, and explains the model that was looked at before, or the
// first one.
func (p *judgePage) show(verdicts []assess.Judgement) {
	p.list.Select("") // the model of before is told of once, below
	p.list.Set(verdicts)
	list := p.list.Shown()
	p.ready()
	if len(list) == 0 {
		p.latest.Next()
		p.tiles.Next()
		p.why.SetText("Choose a model to see why it is judged so.")
		p.bars.Set(result.Figure{Empty: "no model is chosen"})
		p.row.Show(evidence.Prepare(evidence.Evidence{}, evidence.View{}))
		p.save.Disable()
		return
	}
	j := list[max(slices.IndexFunc(list, func(j assess.Judgement) bool { return j.Hash == p.chosen }), 0)]
	p.list.Select(j.Hash)
	p.explain(j)
}

// ready lets verdicts be resampled while there are some and nothing else is under way; scenes have
// no signals to draw from.
func (p *judgePage) ready() {
	verdicts, _ := p.Data()
	widget.Enable(p.resamples, len(verdicts) > 0 && !p.s.subject.Place.Scened() && !p.s.busy())
}

// askResamples asks on how many resamples of their images the marked models, or all that are shown,
// are judged, too.
func (p *judgePage) askResamples() {
	subject, list := *p.s.subject, p.list.Marked()
	verdicts, _ := p.Data()
	if len(list) == 0 {
		list = p.list.Shown()
	}
	about := widget.Wrapped("Each resample draws as many images as there are, with replacement, and the assessor " +
		"judges what is measured on " +
		"them: a verdict that changes depends on which images the suite happens to have. About " +
		result.Counted(len(list), "model") +
		": those that are marked, or all that are shown.")
	ask := &kit.Ask[assess.ResampleOptions]{
		Title: "Judge on resamples of the images", Button: "Resample", Above: about,
		Size: fyne.NewSize(460*widget.Grown(), 240*widget.Grown()),
		Form: &kit.Form[assess.ResampleOptions]{
			Host: p.s.host, Command: func(o assess.ResampleOptions) ([]string, any) {
				if subject.File == nil || len(list) < len(verdicts) {
					return nil, nil // it has no name yet, or they are not all that the command would judge
				}
				asked := assess.PredictOptions{DataOptions: subject.Asked, Assessor: subject.Name, ResampleOptions: o}
				return []string{"variscope", "assess", "predict", p.s.ws.Path()}, &asked
			},
		},
		Start: func(f *kit.Form[assess.ResampleOptions]) { _ = f.Put("resamples", "1000") }, // a number that it takes
		Ready: func(o assess.ResampleOptions) (string, bool) { return "Resample", o.Resamples > 0 },
		Do: func(d *kit.Dialog, o assess.ResampleOptions) {
			d.Close()
			p.resample(subject, list, o.Bootstrap())
		},
	}
	ask.Open()
}

// resample judges models on resamples of their images; it is a job of its own.
func (p *judgePage) resample(subject Subject, list []assess.Judgement, b variance.Bootstrap) {
	list = slices.Clone(list)
	ask := subject.Place.ask(subject.Data.Layout)
	ask.Images = subject.Images
	p.s.start("Judge on resamples", func(ctx context.Context, progress *jobs.Progress) error {
		return training.Resample(ctx, p.s.ws, ask, subject.Measured, subject.Assessor, list, b, progress)
	}, func() {
		of := p.resampled[subject.Assessor]
		if of == nil {
			of = map[string]assess.Resampled{}
			p.resampled[subject.Assessor] = of
		}
		for _, j := range list {
			of[j.Hash] = j.Resampled
		}
		p.Changed()
	})
}

func (p *judgePage) inspect(j assess.Judgement) { p.s.open(j.ID, j.Hash) }

// explainModel comes to the front and explains a model (hash), also one that the list hides.
func (p *judgePage) explainModel(hash string) {
	p.menu.SetSelectedIndex(0)
	p.list.SetFilter("")
	p.chosen = hash
	p.Changed()
	p.s.widgets.tabs.Select("verdicts")
}

// reasons is why a model is judged as it is.
type reasons struct {
	bars    result.Figure
	problem string   // why there are no bars
	order   []string // of the matrices
}

// matrices are the pictures beside the reasons.
type matrices struct {
	evidence evidence.Prepared
	ranges   evidence.Ranges
	rangeOf  string
}

// explain shows why a model is judged so, and then its matrices, the weightiest first: these can
// take longer, since their colour ranges are those of all models.
func (p *judgePage) explain(j assess.Judgement) {
	p.chosen = j.Hash
	subject := *p.s.subject
	p.tiles.Next() // those of the model before come too late
	jobs.Load(p.s.host.Work, &p.latest, "explain a verdict", func(context.Context) (reasons, error) {
		return explainModel(subject, j), nil
	}, func(r reasons, err error) {
		if err != nil {
			p.s.host.Fail(err)
			return
		}
		p.why.SetText(j.String())
		if r.problem != "" {
			p.why.SetText(r.problem)
		}
		p.bars.Set(r.bars)
		widget.Enable(p.save, r.bars.Drawable())
		p.Body.Refresh()
		ws, before := p.s.ws, matrices{ranges: p.ranges, rangeOf: p.rangeOf}
		jobs.Load(p.s.host.Work, &p.tiles, "draw matrices", func(ctx context.Context) (matrices, error) {
			return drawModel(ctx, ws, subject, j, r.order, before)
		}, func(m matrices, err error) {
			if err != nil {
				p.s.host.Fail(err)
				return
			}
			p.ranges, p.rangeOf = m.ranges, m.rangeOf
			p.row.Show(m.evidence)
		})
	})
}

// explainModel splits the verdict on a model.
func explainModel(s Subject, j assess.Judgement) reasons {
	explanation, err := s.Assessor.Explain(s.Data.Rows[j.Row].X, s.Assessor.Shown())
	if err != nil {
		return reasons{
			bars: result.Figure{Empty: "no explanation: see above"}, problem: present.Sentence(err),
			order: s.Data.Layout.Matrices(),
		}
	}
	return reasons{bars: Waterfall(j.ID, explanation), order: modalityOrder(explanation)}
}

// drawModel prepares the matrices of a model; the colour ranges are read anew only for another
// suite, family or choice of matrices.
func drawModel(
	ctx context.Context, from *store.Workspace, s Subject, j assess.Judgement, order []string, before matrices,
) (matrices, error) {
	m := before
	if s.Place.Scened() {
		var fields string
		if _, err := from.Setting(evidence.SettingFieldMap, &fields); err != nil {
			return m, err
		}
		m.evidence = evidence.Prepare(evidenceOf(s, j, order),
			evidence.View{Shared: fieldRanges(order), FieldMap: fields})
		return m, nil
	}
	if key := strings.Join(append([]string{s.Place.Suite.Hash, s.Place.Family}, s.Data.Layout.Modalities...),
		"\n"); m.rangeOf != key || len(m.ranges) == 0 {
		var err error
		if m.ranges, err = evidence.SharedRanges(ctx, from, s.Place.Suite.Hash, s.Place.Family,
			s.Data.Layout.Modalities); err != nil {
			return m, err
		}
		m.rangeOf = key
	}
	colours := evidence.DefaultMap
	if _, err := from.Setting(evidence.SettingMap, &colours); err != nil {
		return m, err
	}
	m.evidence = evidence.Prepare(evidenceOf(s, j, order), evidence.View{Shared: m.ranges, Map: colours})
	return m, nil
}

// modalityOrder are the matrices, the one that moves the output most first.
func modalityOrder(e assess.Explanation) []string {
	var list []string
	for _, part := range e.ByModality() {
		list = append(list, part.Name)
	}
	return list
}

// evidenceOf are the matrices of a model that was measured, in an order of names: max@CONF, and
// max@CONF.I1 for interpolated matrices.
func evidenceOf(s Subject, j assess.Judgement, order []string) evidence.Evidence {
	e := evidence.Evidence{Family: s.Place.familyName(), Suite: s.Place.Suite.Name}
	if record := s.Place.Selection; s.Place.Scened() {
		e.Scenes = &evidence.Scenery{SceneFacts: store.SceneFacts{
			Selection: record.Name, N: record.N, Far: record.Selection.Far(),
		}}
	} else if family, err := transform.Parse(s.Place.Family); err == nil {
		e.Variable, e.Values, e.Unit = family.Name(), family.Values(), family.Unit()
	}
	k := slices.IndexFunc(s.Measured, func(m training.Measured) bool { return m.Model.Hash == j.Hash })
	if k < 0 {
		return e
	}
	e.Model = s.Measured[k].Model
	for _, name := range order {
		tile := evidence.Tile{Matrix: s.Measured[k].Vector.Matrices[name]}
		if tile.Modality, tile.Interpolant = partsOf(name); tile.Absent() {
			tile.Reason = "no matrix"
		}
		e.Tiles = append(e.Tiles, tile)
	}
	return e
}

// partsOf parts the name of an interpolated matrix, max@CONF.I1.
func partsOf(name string) (measure, interpolant string) {
	for _, m := range feature.BackgroundModalities() {
		if rest, ok := strings.CutPrefix(name, m+"."); ok {
			return m, rest
		}
	}
	return name, ""
}

// fieldRanges are the colour ranges of interpolated matrices: the same for all models and measures
// (spec/background.md section 11).
func fieldRanges(order []string) evidence.Ranges {
	r := evidence.Ranges{}
	for _, name := range order {
		measure, _ := partsOf(name)
		r[measure] = label.Range{High: render.FieldHigh}
	}
	return r
}

// Judgements asks a subject for its verdicts on all of its models, in the order of the data.
func Judgements(s Subject) []assess.Judgement {
	return assess.Judgements(s.Assessor, s.Data, s.Data.Places(), s.votes(), s.from())
}

// mostParts is how many parts a waterfall shows by themselves.
const mostParts = 12

// Waterfall is an explanation as bars: from the base over its strongest parts, the rest joined, to
// the output.
func Waterfall(id string, e assess.Explanation) result.Figure {
	const ends, raises, lowers = 0, 1, 2
	f := result.Figure{
		Title: fmt.Sprintf("Why %s is judged so", id), Empty: "the assessor gives no number for this model",
		X: result.Axis{Name: fmt.Sprintf("%s of %s", e.Unit, string(e.Class)), Format: result.Number},
		Groups: []result.Group{
			{Name: "base and output", Look: result.LookNone},
			{Name: "raises it", Look: result.LookVariant},
			{Name: "lowers it", Look: result.LookInvariant},
		},
	}
	zero := 0.0
	if e.Base*e.Output > 0 && math.Min(math.Abs(e.Base), math.Abs(e.Output)) > 4*math.Abs(e.Base-e.Output) {
		zero = math.Min(e.Base, e.Output) // far from 0 the bars of both would hide the parts
	}
	at := e.Base
	step := func(name, line string, by float64) {
		group := raises
		if by < 0 {
			group = lowers
		}
		f.Rules = append(f.Rules, result.Rule{
			X: at, Y0: float64(len(f.Y.Names)) - 0.64, Y1: float64(len(f.Y.Names)) - 0.36,
		})
		f.AddBar(name, signed(by), line, at, at+by, group)
		at += by
	}
	base, output := result.Significant(e.Base, 3), result.Significant(e.Output, 3)
	f.AddBar("base", base, fmt.Sprintf("base: %s, the output without knowing any feature", base), zero, e.Base, ends)
	parts := e.Strongest(mostParts)
	for _, p := range parts {
		name := p.Name + " = " + result.Significant(p.Value, 3)
		step(name, fmt.Sprintf("%s moves the output by %s", name, signed(p.Phi)), p.Phi)
	}
	moving := slices.DeleteFunc(slices.Clone(e.Parts), func(p assess.Part) bool { return p.Phi == 0 })
	if n := len(moving) - len(parts); n > 0 {
		name := present.ByCount(n, "%d other feature", "%d other features", n)
		step(name, fmt.Sprintf("%s move the output by %s", name, signed(e.Output-at)), e.Output-at)
	}
	f.Rules = append(f.Rules, result.Rule{
		X: at, Y0: float64(len(f.Y.Names)) - 0.64, Y1: float64(len(f.Y.Names)) - 0.36,
	})
	f.AddBar("output", output, "output: "+output, zero, e.Output, ends)
	return f
}

// signed writes a number with its sign.
func signed(v float64) string {
	if v > 0 {
		return "+" + result.Significant(v, 3)
	}
	return result.Significant(v, 3)
}
