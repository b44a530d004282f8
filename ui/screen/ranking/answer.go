package ranking

import (
	"context"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/jobs"
)

// Outcome is what a loading found: what can be ranked on, and a ranking. It is immutable.
type Outcome struct {
	Sources []Source
	Answer
	// Few is why there are too few models to rank, nil while all is well.
	Few error

	at  int    // Screen.Version before it was read; -1 for a part
	key string // of all that the numbers rest on: equal ones have equal numbers
}

// Answer is a board with what it was made from. It is immutable.
type Answer struct {
	Material Material
	Settings Settings
	Data     rank.Data // of the models that take part
	Board    rank.Leaderboard
	// Wanted are the images whose labels a sampled ranker waits for, by method; only where true
	// classes are missing.
	Wanted map[rank.Method][]int
}

// find looks for what can be ranked on, gathers predictions unless they are those of last, and
// ranks. part gets what is known before all is. It is slow (files).
func find(
	ctx context.Context, from Store, s Settings, last Outcome, changes int, p engine.Progress, part func(Outcome),
) (Outcome, error) {
	if job, ok := p.(*jobs.Progress); ok {
		p = jobs.Stages{Progress: job} // gathering, then ranking
	}
	out := Outcome{at: -1}
	current, err := from.Current()
	if err != nil {
		return out, err
	}
	suites, err := from.Suites()
	if err != nil {
		return out, err
	}
	tables, err := from.PredictionTables()
	if err != nil {
		return out, err
	}
	out.Sources = sources(suites, tables)
	source, ok := choose(out.Sources, s.Source, current.Suite)
	if !ok {
		out.at = changes
		return out, nil
	}
	out.key = fmt.Sprintf("%d %s %+v", changes, source.ID, s)
	m := last.Material
	if last.at != changes || m.Source.ID != source.ID || m.Truth != s.Truth {
		if m, err = gather(ctx, from, source, s.Truth, p); err != nil {
			return out, err
		}
	}
	out.Answer, err = rankAll(ctx, m, s, p, func(a Answer) {
		known := out
		known.Answer = a
		part(known)
	})
	if few := out.Data.Check(); few != nil {
		out.Few, err = few, nil
	}
	out.at = changes
	return out, err
}

// rankAll asks the rankers of the settings: first those that answer soon, whose answer part gets,
// then those that weigh every image for every model. Sampled ones that lack true classes rank by
// the labels of the images that they draw, where these have been given; else the answer says which
// are wanted.
func rankAll(ctx context.Context, m Material, s Settings, p engine.Progress, part func(Answer)) (Answer, error) {
	a := Answer{Material: m, Settings: s, Data: m.chosen(s.Without)}
	if err := a.Data.Check(); err != nil {
		return a, err
	}
	soon, late := s.options(), s.options()
	soon.Methods = slices.DeleteFunc(slices.Clone(soon.Methods), slow)
	late.Methods = slices.DeleteFunc(slices.Clone(late.Methods), func(m rank.Method) bool { return !slow(m) })
	var err error
	if len(soon.Methods) > 0 {
		if a.Board, err = rank.MakeLeaderboard(ctx, a.Data, soon, p); err != nil {
			return a, err
		}
	}
	if len(late.Methods) > 0 {
		if len(soon.Methods) > 0 {
			part(a.waiting(late.Methods))
		}
		board, err := rank.MakeLeaderboard(ctx, a.Data, late, p)
		if err != nil {
			return a, err
		}
		a.add(board)
	}
	a.Wanted, err = a.Board.ByHand(ctx, a.Data, s.options())
	return a, err
}

// slow tells whether a ranker takes much longer than the others.
func slow(m rank.Method) bool {
	return m == rank.CES || m == rank.CESReference || m == rank.CESOracle
}

// waiting is the answer as far as it is known: rankers that are still asked have a reason that
// says so.
func (a Answer) waiting(late []rank.Method) Answer {
	rankings := slices.Clone(a.Board.Rankings)
	for _, m := range late {
		rankings = append(rankings, rank.Ranking{Method: m, Reason: rank.BeingAsked})
	}
	a.Board.Rankings = inOrder(rankings)
	a.Wanted = nil
	return a
}

// add puts the rankings of another board of the same data among those that are there.
func (a *Answer) add(b rank.Leaderboard) {
	if len(a.Board.Rankings) == 0 {
		a.Board = b
		return
	}
	a.Board.Rankings = inOrder(slices.Concat(a.Board.Rankings, b.Rankings))
	a.Board.Correlate()
}

// inOrder puts rankings into the order of tables.
func inOrder(list []rank.Ranking) []rank.Ranking {
	order := rank.Methods()
	slices.SortStableFunc(list, func(a, b rank.Ranking) int {
		return slices.Index(order, a.Method) - slices.Index(order, b.Method)
	})
	return list
}

// Caption says how much was ranked, and what it rests on.
func (a Answer) Caption() string {
	text := fmt.Sprintf("%s on %s of %s", result.Counted(len(a.Board.Models), "model"),
		result.Counted(a.Board.Samples, "image"), a.Material.Source.Name)
	switch n := known(a.Data); {
	case n == 0:
		text += ", without true classes"
	case n < a.Data.Samples:
		text = fmt.Sprintf("%s, the classes of %s are known", text, result.Counted(n, "image"))
	}
	if n := len(a.Material.Left); n > 0 {
		text = fmt.Sprintf("%s, %s left out", text, result.Whole(n))
	}
	return text
}

// on is the board with the name of what it is about, for the engine's tables.
func (a Answer) on() *rank.OnSuite {
	on := &rank.OnSuite{Leaderboard: a.Board, Suite: a.Material.Source.Name}
	if !a.Material.Source.Table {
		on.SuiteHash = a.Material.Source.ID
	}
	return on
}

// Rankings are the answer as files hold it.
func (a Answer) Rankings() rank.Rankings {
	m, on := a.Material, a.on()
	on.Corruption, on.Severity = derive.Kind(m.Source.Change)
	return rank.Rankings{
		On: []*rank.OnSuite{on}, Data: a.Data, SampleNames: m.Samples,
		ClassNames: m.Classes, LeftOut: m.Left,
	}
}

// asked is the answer's settings as the command line has them.
func (a Answer) asked() rank.Asked {
	asked := rank.Asked{
		Suite: a.Material.Source.Command, Truth: string(a.Material.Truth), Family: a.Material.Family,
		Options: a.Settings.Options,
	}
	if len(a.Settings.Without) > 0 {
		for _, m := range a.Board.Models {
			asked.Models = append(asked.Models, m.ID)
		}
	}
	return asked
}

// choose is the source with an id, else the current suite, else the first of all.
func choose(list []Source, id, current string) (Source, bool) {
	for _, wanted := range []string{id, current} {
		if source, ok := sourceWith(list, wanted); ok {
			return source, true
		}
	}
	if len(list) == 0 {
		return Source{}, false
	}
	return list[0], true
}
