package predictions

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
)

// Rankings are what is asked for, by the predictions d on the suite or table f.ID; left are the
// models without any. Where Conditions or Shifted ask for them, the suites that are derived from it
// follow, each with the models that were run on it; one on which too few were is left out. stage
// begins a part of the work.
func (f From) Rankings(
	ctx context.Context, asked rank.Asked, d rank.Data, left []rank.LeftOut, stage func(what string) engine.Progress,
) (rank.Rankings, error) {
	r := rank.Rankings{Data: d, LeftOut: left, SampleNames: f.Names.Samples, ClassNames: f.Names.Classes}
	// Where true classes are missing, rankers that ask for labels rank by the images that they
	// select, if these are labelled.
	leaderboard := func(what string, d rank.Data) (b rank.Leaderboard, err error) {
		if b, err = rank.MakeLeaderboard(ctx, d, asked.Options, stage(what)); err == nil {
			_, err = b.ByHand(ctx, d, asked.Options)
		}
		return b, err
	}
	curves := func(what string, d rank.Data) ([]rank.Curve, error) {
		if !asked.Curves {
			return nil, nil
		}
		budgets := asked.Budgets
		if budgets == nil {
			budgets = rank.Budgets(len(d.Models), d.Samples)
		}
		return rank.Curves(ctx, d, asked.Options, budgets, stage(what))
	}
	first, err := f.on()
	if err != nil {
		return r, err
	}
	if first.Leaderboard, err = leaderboard("rank", d); err != nil {
		return r, err
	}
	if err := first.Leaderboard.Unranked(); err != nil {
		return r, err
	}
	r.On = []*rank.OnSuite{first}
	if first.Curves, err = curves("curves", d); err != nil {
		return r, err
	}
	if asked.Impact {
		if r.Impact, err = rank.Impact(ctx, d, asked.Options, stage("impact")); err != nil {
			return r, err
		}
	}
	if !asked.Conditions && !asked.Shifted {
		return r, nil
	}
	suites, err := Shifted(f.Workspace, f.ID)
	if err != nil {
		return r, fmt.Errorf("--conditions and --shifted need a suite: %w", err)
	}
	for _, m := range suites {
		on, derived := OnSuite(m), m.Hash != f.ID
		d := d
		if derived {
			of := f
			of.ID = m.Hash
			if d, left, err = of.Data(ctx, asked, stage("predictions")); err != nil {
				return r, err
			}
			if err := d.Rankable(left); err != nil {
				r.LeftOut = append(r.LeftOut, rank.LeftOut{Suite: m.Name, SuiteHash: m.Hash, Reason: rank.Why(err)})
				continue
			}
			r.LeftOut = append(r.LeftOut, left...)
		}
		if asked.Conditions {
			one, err := rank.ConditionsOf(ctx, m.Name, d, asked.Options)
			if err != nil {
				return r, fmt.Errorf("%s: %w", m.Name, err)
			}
			one.SuiteHash, one.Corruption, one.Severity = on.SuiteHash, on.Corruption, on.Severity
			r.Conditions = append(r.Conditions, one)
		}
		if asked.Shifted && derived {
			if on.Leaderboard, err = leaderboard(m.Name, d); err != nil {
				return r, err
			}
			if on.Curves, err = curves("curves, "+m.Name, d); err != nil {
				return r, fmt.Errorf("%s: %w", m.Name, err)
			}
			r.On = append(r.On, on)
		}
	}
	return r, nil
}
