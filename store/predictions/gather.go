package predictions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// Truth says where true classes come from.
type Truth string

// The sources of truth: the suite's labels; the labels of single images that were given in the
// window or imported (also where the suite has labels: as if it had none; a derived suite has
// those of its base too); none.
const (
	OfSuite Truth = "suite"
	ByHand  Truth = "hand"
	NoTruth Truth = "none"
)

// Ask says which predictions are gathered.
type Ask struct {
	// Suite is a content hash, or the id of a table that stands for itself.
	Suite  string
	Models []string // hashes or names in tables; nil for all with predictions
	Truth  Truth    // "" for OfSuite
	// Given adds rankers that are measured from signals where they are there: effective invariance
	// (of the set rot90, else grayscale), D-Score (of one grid of masks and padded translations,
	// diagnosis.Usual), robust accuracy and mean variance (of Family, max@CONF). D-Score and robust
	// accuracy rest on the suite's labels, so they are there for the truth OfSuite only.
	Given  bool
	Family string // canonical text; "" for the workspace's current one
}

// Gather reads the predictions under the identity of any finished set of signals, in the suite's
// numbering of classes, or the models' where the suite has none (by name where two models have
// names). Tables of the same suite are merged in; a model of a table whose name is used gets the
// table's name behind its own. Models whose classes do not match those of the others are left out
// with a reason. Softmax of the data streams from disk, chunk by chunk; it is nil where a model
// has no probabilities. Progress counts models. Errors: an unknown suite or model, files that
// cannot be read, the end of ctx; too few models are for rank.Data.Check to find.
func Gather(ctx context.Context, ws *store.Workspace, ask Ask, p engine.Progress) (rank.Data, []rank.LeftOut, error) {
	g := gathering{ws: ws, ask: ask, used: map[string]bool{}}
	if err := g.find(); err != nil {
		return rank.Data{}, nil, err
	}
	d := rank.Data{Samples: g.samples, Classes: g.agree()}
	if err := g.read(ctx, &d, p); err != nil {
		return rank.Data{}, nil, err
	}
	truth, err := g.truth()
	if err != nil {
		return rank.Data{}, nil, err
	}
	d.Truth = truth
	if ask.Given && g.table.ID == "" {
		if d.Given, err = g.given(ctx); err != nil {
			return rank.Data{}, nil, err
		}
	}
	return d, g.left, nil
}

// gathering is one call of Gather.
type gathering struct {
	ws      *store.Workspace
	ask     Ask
	suite   suite.Manifest        // empty for a table that stands for itself
	table   store.PredictionTable // the other way round
	samples int
	sources []source
	left    []rank.LeftOut
	names   []string           // class names of the first model that has some, where the suite has no classes
	used    map[string]bool    // ids of models, also of those that were not asked for
	tabled  map[string][]int32 // predicted classes of tables, by id
}

// source is where the predictions of one model lie: in a set of signals, or in a column of a table.
type source struct {
	model  rank.Model
	number numbering
	set    store.SetInfo
	table  store.PredictionTable
	column int
}

func (s source) soft() bool {
	if s.table.ID != "" {
		return s.table.Soft[s.column]
	}
	return s.set.Classes <= signal.FullSoftmaxClasses // else whole softmax vectors are not kept
}

// find lists the sources.
func (g *gathering) find() error {
	tables, err := g.ws.PredictionTables()
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(tables, func(t store.PredictionTable) bool { return t.ID == g.ask.Suite }); i >= 0 {
		g.table, g.samples = tables[i], tables[i].Samples
		if t := g.table; t.Suite == "" {
			g.addTable(t, inOrder(t.Classes))
			return g.allFound()
		}
		return fmt.Errorf("table %s is about the images of a suite; rank that suite", g.table.Name)
	}
	if g.suite, err = g.ws.Suite(g.ask.Suite); err != nil {
		return err
	}
	g.samples = g.suite.Images
	if err := g.addModels(); err != nil {
		return err
	}
	for _, t := range tables {
		if t.Suite != g.suite.Hash {
			continue
		}
		number, err := tableNumbering(t, g.suite)
		if err == nil && t.Samples != g.samples {
			err = fmt.Errorf("its table has %d images, and the suite %d", t.Samples, g.samples)
		}
		if err != nil {
			for _, name := range t.Models {
				g.leave(name, "", result.Reason{Code: rank.OtherClasses, Text: err.Error()})
			}
			continue
		}
		g.addTable(t, number)
	}
	return g.allFound()
}

// wanted tells whether a model was asked for.
func (g *gathering) wanted(names ...string) bool {
	return g.ask.Models == nil || slices.ContainsFunc(names,
		func(name string) bool { return slices.Contains(g.ask.Models, name) })
}

// leave notes a model that takes no part, if it was asked for.
func (g *gathering) leave(id, hash string, reason result.Reason) {
	if g.wanted(id, hash) {
		g.left = append(g.left, rank.LeftOut{
			ID: id, Hash: hash,
			Suite: cmp.Or(g.suite.Name, g.table.Name), SuiteHash: g.suite.Hash, Reason: reason,
		})
	}
}

// addModels finds the signals of the workspace's models.
func (g *gathering) addModels() error {
	models, err := g.ws.Models()
	if err != nil {
		return err
	}
	for _, m := range models {
		g.used[m.ID] = true
		if !g.wanted(m.Hash) {
			continue
		}
		if m, err = g.ws.Model(m.Hash); err != nil {
			return err
		}
		info, ok, err := g.ws.PredictionSet(m, g.suite.Hash)
		switch {
		case err != nil:
			g.leave(m.ID, m.Hash, result.Reason{Code: signal.Damaged, Text: err.Error()})
			continue
		case !ok:
			g.leave(m.ID, m.Hash, result.Because(signal.NoSignals,
				"it has no predictions on this suite yet: run it first"))
			continue
		}
		settings, err := m.Settings()
		if err != nil {
			g.leave(m.ID, m.Hash, result.Reason{Code: signal.Unreadable, Text: err.Error()})
			continue
		}
		number, err := g.numbering(info, settings.ClassNames)
		if err != nil {
			g.leave(m.ID, m.Hash, result.Reason{Code: rank.OtherClasses, Text: err.Error()})
			continue
		}
		g.sources = append(g.sources, source{
			model:  rank.Model{ID: m.ID, Hash: m.Hash, Device: info.Device()},
			number: number, set: info,
		})
	}
	return nil
}

// numbering is that of the suite, else that of the first model with names, else the model's own.
func (g *gathering) numbering(info store.SetInfo, names []string) (numbering, error) {
	switch {
	case len(info.ClassMap) > 0:
		return bySuite(info.ClassMap, info.Classes)
	case len(names) != info.Classes:
		return inOrder(info.Classes), nil
	case g.names == nil:
		g.names = names
	case len(names) == len(g.names):
		return byNames(names, g.names)
	}
	return inOrder(info.Classes), nil
}

// addTable adds the models of a table.
func (g *gathering) addTable(t store.PredictionTable, number numbering) {
	for column, name := range t.Models {
		id := name
		if g.used[id] {
			id = fmt.Sprintf("%s (%s)", name, t.Name)
		}
		g.used[id] = true
		if g.wanted(name, id) {
			g.sources = append(g.sources, source{model: rank.Model{ID: id}, number: number, table: t, column: column})
		}
	}
}

// allFound refuses a model that was asked for and is nowhere.
func (g *gathering) allFound() error {
	for _, name := range g.ask.Models {
		source := func(s source) bool {
			return name == s.model.Hash || name == s.model.ID || s.table.ID != "" && name == s.table.Models[s.column]
		}
		left := func(l rank.LeftOut) bool { return name == l.Hash || name == l.ID }
		if !slices.ContainsFunc(g.sources, source) && !slices.ContainsFunc(g.left, left) {
			return fmt.Errorf("there are no predictions of model %s", name)
		}
	}
	return nil
}

// agree is the number of classes that most models have; the others are left out.
func (g *gathering) agree() int {
	count := map[int]int{}
	most := 0
	for _, s := range g.sources {
		count[s.number.total]++
	}
	for _, s := range g.sources {
		if total := s.number.total; most == 0 || count[total] > count[most] {
			most = total
		}
	}
	g.sources = slices.DeleteFunc(g.sources, func(s source) bool {
		if s.number.total == most {
			return false
		}
		g.leave(s.model.ID, s.model.Hash, result.Because(rank.OtherClasses,
			"it has %d classes, and the other models %d", s.number.total, most))
		return true
	})
	return most
}

// read reads the predicted classes and mean confidences of all sources, some at the same time;
// each writes to places of its own.
func (g *gathering) read(ctx context.Context, d *rank.Data, p engine.Progress) error {
	n := len(g.sources)
	d.Labels = make([]int32, n*d.Samples)
	soft := n > 0
	confidence := confidences(nil, n)
	p.SetTotal(int64(n))
	if err := g.readTables(); err != nil {
		return err
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for j, s := range g.sources {
		d.Models = append(d.Models, s.model)
		soft = soft && s.soft()
		group.Go(func() error {
			defer p.Add(1)
			mean, err := g.predictions(inner, s, column{d.Labels, n, j})
			if err != nil {
				return fmt.Errorf("predictions of model %s: %w", s.model.ID, err)
			}
			confidence[j] = mean
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return errors.Join(ctx.Err(), err)
	}
	if slices.ContainsFunc(confidence, func(v float64) bool { return !math.IsNaN(v) }) {
		d.Confidence = confidence
	}
	if soft {
		sources, ws, classes := g.sources, g.ws, d.Classes
		d.Softmax = func(ctx context.Context, model int) ([]float32, error) {
			return softmax(ctx, ws, sources[model], classes)
		}
	}
	return nil
}

// readTables reads the predicted classes of the tables that take part, each once.
func (g *gathering) readTables() (err error) {
	g.tabled = map[string][]int32{}
	for _, s := range g.sources {
		id := s.table.ID
		if _, read := g.tabled[id]; read || id == "" {
			continue
		}
		if g.tabled[id], _, err = g.ws.PredictionLabels(id); err != nil {
			return err
		}
	}
	return nil
}

// truth is where the question says; nil when no image has a true class.
func (g *gathering) truth() ([]int32, error) {
	switch g.ask.Truth {
	case NoTruth:
		return nil, nil
	case ByHand:
		return g.byHand()
	}
	if g.table.ID != "" {
		_, truth, err := g.ws.PredictionLabels(g.table.ID)
		return truth, err
	}
	if len(g.suite.Labels) != g.samples || len(g.suite.Classes) == 0 {
		return nil, nil
	}
	truth := make([]int32, g.samples)
	for i, class := range g.suite.Labels {
		truth[i] = int32(class)
	}
	return someKnown(truth), nil
}

// byHand are the labels that were given by hand. An image that is made from another one is of the
// same class, so a derived suite has the labels of its base where it has none of its own.
func (g *gathering) byHand() ([]int32, error) {
	from := []string{g.ask.Suite}
	if d := g.suite.Derived; d != nil {
		from = []string{d.Of, g.ask.Suite} // the later ones win
	}
	truth := slices.Repeat([]int32{-1}, g.samples)
	for _, hash := range from {
		labels, err := g.ws.ImageLabels(hash)
		if err != nil {
			return nil, err
		}
		for i, l := range labels {
			if i < g.samples {
				truth[i] = int32(l.Class)
			}
		}
	}
	return someKnown(truth), nil
}

// someKnown is nil for a list that knows no class.
func someKnown(truth []int32) []int32 {
	if slices.ContainsFunc(truth, func(class int32) bool { return class >= 0 }) {
		return truth
	}
	return nil
}
