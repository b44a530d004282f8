package app

import (
	"fmt"
	"io"
	"strconv"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/store/durable"
)

// checkAsk refuses what does not go with --ask.
func (c *rankCommand) checkAsk() error {
	list, err := c.methods()
	switch {
	case err != nil:
		return err
	case len(list) != 1 || !list[0].Sampled() || list[0] == rank.CESOracle:
		return usageError("--ask needs one ranker that asks for labels: --method random, sds, ces or ces-reference")
	case c.Budget != 0:
		return usageError("--ask N is the budget; leave --budget out")
	case c.Curves || c.Impact || c.Conditions || c.Shifted:
		return usageError("--ask only names samples; --curves, --impact, --conditions and --shifted go without it")
	}
	return needFile(c.Out)
}

// askReport is what --ask prints with --json.
type askReport struct {
	Source  string      `json:"source"`
	Method  rank.Method `json:"method"`
	Budget  int         `json:"budget"`
	Seed    uint64      `json:"seed"`
	Samples []askSample `json:"samples"`
}

type askSample struct {
	Sample int    `json:"sample"`
	Name   string `json:"name,omitempty"`
}

// ask names the samples that a ranker wants to have labelled, as a table with an empty column for the labels.
func (c *rankCommand) ask(s *session, src rankSource, d rank.Data) error {
	list, _ := c.methods() // checked before
	o := c.options(d)
	o.Budget = c.Ask
	samples, err := rank.Selection(s.ctx, d, list[0], o, 0)
	if err != nil {
		return err
	}
	report := askReport{Source: src.names.Source, Method: list[0], Budget: c.Ask, Seed: c.Seed}
	rows := [][]string{{"sample", "name", "label"}}
	for _, i := range samples {
		one := askSample{Sample: i}
		if i < len(src.names.Samples) {
			one.Name = src.names.Samples[i]
		}
		report.Samples = append(report.Samples, one)
		rows = append(rows, []string{strconv.Itoa(i), one.Name, ""})
	}
	if c.Out == "" {
		return s.print(report, rows)
	}
	if err := durable.WriteFile(c.Out, func(w io.Writer) error { return writeCSV(w, rows) }); err != nil {
		return err
	}
	if s.common.JSON {
		return writeJSON(s.stdout, report)
	}
	s.say("%d samples in %s; fill in their labels, then: variscope rank %s --methods %s --budget %d --seed %d --truth %s",
		len(samples), c.Out, c.where(), list[0], c.Ask, c.Seed, c.Out)
	return nil
}

// where is the source as it was named.
func (c *rankCommand) where() string {
	if c.Suite == "" {
		return c.Source
	}
	return fmt.Sprintf("%s --suite %q", c.Source, c.Suite)
}
