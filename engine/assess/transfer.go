package assess

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/transform"
)

// Domain is models as they are on one suite or family, or those of one kind.
type Domain struct {
	Name string
	Data Data
}

// DomainsOf parts models by their groups, in the order in which these appear; those without one are
// NoGroup.
func DomainsOf(d Data) (list []Domain) {
	for _, r := range d.Rows {
		name := cmp.Or(r.Group, NoGroup)
		at := slices.IndexFunc(list, func(one Domain) bool { return one.Name == name })
		if at < 0 {
			at = len(list)
			list = append(list, Domain{Name: name, Data: d})
			list[at].Data.Rows = nil
		}
		list[at].Data.Rows = append(list[at].Data.Rows, r)
	}
	return list
}

// Transferred is how well an assessor that learned from the models of one domain judges those of
// another, or unseen ones of its own: a row of Transfers.
type Transferred struct {
	From, To string
	Compared
	// Trained and Judged are the labelled models of the two domains, Shared those of both, which
	// are never trained on and judged at once.
	Trained, Judged, Shared int
	Commonest               float64 // share of the commonest label among those that are judged
}

// Accuracy is the share of all verdicts that are right, with Wilson's 95 % interval over the models
// that are judged, as if every one were judged once; NaN without an evaluation.
func (t Transferred) Accuracy() (value, low, high float64) {
	if t.Problem != nil {
		return nan, nan, nan
	}
	value = t.Evaluation.Metrics.Accuracy
	low, high = stats.Wilson(value, t.Judged)
	return value, low, high
}

// Transfer trains every algorithm on each domain and judges each domain, in this order. The domains
// have the same columns and classes.
//
// Where two domains have no model in common, an assessor learns from all labelled models of the one
// and judges all of the other, once. Where they share some (those of two suites, and those of a
// domain and itself), the models that are judged are cut by stratified k-fold in every repetition,
// and an assessor that judges a fold learns from the models of the other domain that are not in it.
// So every model is judged once in a repetition, by an assessor that never saw it.
//
// What cannot be trained has its problem. Progress counts trained assessors; results are the same
// for any number of workers.
func Transfer(
	ctx context.Context, domains []Domain, settings []Settings, scheme Scheme, p progress.Progress,
) ([]Transferred, error) {
	scheme.Kind = KFold
	scheme, err := scheme.filled()
	if err != nil {
		return nil, err
	}
	if len(domains) < 2 {
		return nil, fmt.Errorf("there is nothing to transfer to: %s only; a transfer is between two or more",
			result.Counted(len(domains), "group"))
	}
	type part struct {
		Transferred
		folds [][]Fold
	}
	var parts []part
	var total int64
	for _, from := range domains {
		for _, to := range domains {
			t := Transferred{From: from.Name, To: to.Name, Commonest: to.Data.commonest()}
			t.Trained, t.Judged = len(from.Data.Labelled()), len(to.Data.Labelled())
			joined := from.Data
			joined.Rows = slices.Concat(from.Data.Rows, to.Data.Rows)
			t.Data = &joined
			var folds [][]Fold
			folds, t.Shared, t.Problem = from.Data.transferFolds(to.Data, scheme)
			for _, s := range settings {
				t.Settings = s
				parts = append(parts, part{t, folds})
				total += evaluator{folds: folds}.total()
			}
		}
	}
	p = progress.Or(p)
	p.SetTotal(total)
	list := make([]Transferred, len(parts))
	for k, one := range parts {
		t := &one.Transferred
		if t.Problem == nil {
			t.Evaluation, t.Problem = t.transfer(ctx, one.folds, scheme, p)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		list[k] = *t
	}
	return list, nil
}

// transfer evaluates one algorithm on folds of the joined data.
func (t Transferred) transfer(
	ctx context.Context, folds [][]Fold, scheme Scheme, p progress.Progress,
) (Evaluation, error) {
	e := Evaluation{Settings: t.Settings, Scheme: scheme}
	if err := t.Settings.Validate(); err != nil {
		return e, err
	}
	if t.Settings.Algorithm == Baseline {
		e.Settings.Score = t.Data.score(t.Data.Labelled(), t.Settings.Score)
	}
	e.Scheme.Repetitions = len(folds)
	if err := t.Data.checkHead(); err != nil {
		return e, err
	}
	each := evaluator{data: *t.Data, settings: e.Settings, folds: folds, progress: p}
	if err := e.run(ctx, folds, each.fold); err != nil {
		return e, err
	}
	e.summarise(len(t.Data.Classes))
	return e, nil
}

// transferFolds are the folds over the rows of d and, behind them, of to.
func (d Data) transferFolds(to Data, scheme Scheme) (folds [][]Fold, shared int, err error) {
	name := func(r Row) string { return cmp.Or(r.Hash, r.ID) }
	train, test := d.Labelled(), to.Labelled()
	if len(train) == 0 || len(test) == 0 {
		return nil, 0, ErrUnlabelled
	}
	have := map[string]bool{}
	for _, i := range train {
		have[name(d.Rows[i])] = true
	}
	for _, i := range test {
		if have[name(to.Rows[i])] {
			shared++
		}
	}
	behind := func(rows []int) (moved []int) {
		for _, i := range rows {
			moved = append(moved, len(d.Rows)+i)
		}
		return moved
	}
	switch {
	case shared == 0:
		folds = [][]Fold{{{Name: "all", Train: train, Test: behind(test)}}}
	case len(test) < scheme.Folds:
		return nil, shared, fmt.Errorf("%s, fewer than the %d folds",
			result.Counted(len(test), "labelled model"), scheme.Folds)
	default:
		for r := range scheme.Repetitions {
			cut := to.stratified(test, scheme.Folds, rand.New(rand.NewPCG(scheme.Seed, uint64(r))))
			for f := range cut {
				judged := map[string]bool{}
				for _, i := range cut[f].Test {
					judged[name(to.Rows[i])] = true
				}
				cut[f].Train = nil
				for _, i := range train {
					if !judged[name(d.Rows[i])] {
						cut[f].Train = append(cut[f].Train, i)
					}
				}
				cut[f].Test = behind(cut[f].Test)
			}
			folds = append(folds, cut)
		}
	}
	for _, one := range folds {
		if err := d.checkFolds(one); err != nil {
			return nil, shared, err
		}
	}
	return folds, shared, nil
}

// commonest is the share of the commonest label among the labelled models.
func (d Data) commonest() float64 {
	counts := make([]int, len(d.Classes))
	y, err := d.truths(d.Labelled())
	if err != nil {
		return nan
	}
	for _, class := range y {
		counts[class]++
	}
	return share(slices.Max(append(counts, 0)), len(y))
}

// Transfers is the table of all pairs of domains.
var Transfers = result.Table[Transferred]{
	Name: "transfer", Title: "Transfer", Noun: "pair",
	ID: func(t Transferred) string { return t.From + "/" + t.To + "/" + string(t.Settings.Algorithm) },
	Columns: []result.Column[Transferred]{
		result.Texts("trained_on", "trained on", "suite, family or group whose models are learned from",
			func(t Transferred) string { return t.From }).Told(func(t Transferred) string {
			return domainName(t.From)
		}),
		result.Texts("judged_on", "judged on", "suite, family or group whose models are judged",
			func(t Transferred) string { return t.To }).Told(func(t Transferred) string { return domainName(t.To) }),
		algorithm(func(t Transferred) *Compared { return &t.Compared }),
		result.Counts("training_models", "learned from",
			"labelled models that are learned from, "+
				"but for those that are judged at the time", func(t Transferred) int { return t.Trained }),
		result.Counts("n", "models", "labelled models that are judged", func(t Transferred) int { return t.Judged }),
		result.Counts("shared", "in both", "models that are in both; none is judged by what learned from it",
			func(t Transferred) int { return t.Shared }).In(result.Offered),
		result.Numbers("accuracy", "accuracy",
			"share of the verdicts that are right, with Wilson's 95 % interval over "+
				"the models that are judged", result.Share,
			func(t Transferred) float64 { v, _, _ := t.Accuracy(); return v }).
			Because(Transferred.why).
			Between(func(t Transferred) float64 { _, low, _ := t.Accuracy(); return low },
				func(t Transferred) float64 { _, _, high := t.Accuracy(); return high }),
		result.Numbers("commonest_label", "commonest label", "share of the commonest label among the models that are "+
			"judged: what is right without looking", result.Share, func(t Transferred) float64 { return t.Commonest }),
		measured("balanced_accuracy", "balanced", "balanced accuracy: the mean over the classes of the share that is "+
			"judged rightly", result.Share, func(e Evaluation) float64 { return e.Metrics.Balanced }),
		measured("kappa", "kappa", "Cohen's kappa of the verdicts with the labels, the mean of the repetitions",
			result.Coefficient, func(e Evaluation) float64 { return e.Kappa.Mean }),
		measured("repetitions", "repetitions",
			"how often the models were shuffled; 1 where the two have no model in common",
			result.Count, func(e Evaluation) float64 { return float64(e.Scheme.Repetitions) }).In(result.Offered),
	},
}

// domainName is a domain for people: a family in short words.
func domainName(name string) string {
	if family, err := transform.Parse(name); err == nil {
		return family.Short()
	}
	return name
}

// measured is a column of what came out of a pair.
func measured(
	key, title, help string, format result.Format, value func(Evaluation) float64,
) result.Column[Transferred] {
	return result.Numbers(key, title, help, format, func(t Transferred) float64 {
		if t.Problem != nil {
			return nan
		}
		return value(t.Evaluation)
	}).Because(Transferred.why)
}

func (t Transferred) why() result.Reason { return t.Compared.why() }

// TransferFigure is how well one of the algorithms judges each domain (columns) after learning from
// each (rows), by Cohen's kappa. colours are those of coefficients.
func TransferFigure(list []Transferred, a Algorithm, colours result.Colours) result.Figure {
	f := result.Figure{
		Empty: "no pair could be trained and judged",
		X:     result.Axis{Name: "judged on", Each: true}, Y: result.Axis{Name: "trained on", Each: true},
	}
	m := &result.Matrix{
		Colours: colours, Value: result.Axis{Name: "kappa", Format: result.Coefficient},
		Text: func(v float64) string { return result.Coefficient.Say(v, 2) },
	}
	for _, t := range list {
		if t.Settings.Algorithm != a {
			continue
		}
		f.Title = "Transfer of " + t.Title()
		if t.From == t.To {
			name := domainName(t.To)
			f.X.Names, f.Y.Names = append(f.X.Names, name), append(f.Y.Names, name)
		}
		v := nan
		if t.Problem == nil {
			v = t.Evaluation.Kappa.Mean
		}
		m.Values = append(m.Values, v)
	}
	m.Rows, m.Columns = len(f.Y.Names), len(f.X.Names)
	if f.Matrix = m; !slices.ContainsFunc(m.Values, func(v float64) bool { return v == v }) {
		f.Matrix = nil
	}
	return f
}
