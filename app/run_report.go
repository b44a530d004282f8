package app

import (
	"cmp"
	"errors"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/job"
)

// reportRuns writes what runs did into the folder out, where that is not empty, and prints it, with
// remarks below, and with more sheets in files. What went wrong is the error.
func (s *session) reportRuns(options any, out string, runs []job.Ended, remarks []string, more ...*result.Sheet) error {
	doc := result.Document{Schema: "variscope.run", Version: 1, Options: options, Sheets: append(job.Sheets(runs), more...)}
	table := job.Outcomes
	remarks = append(job.Doubts(runs), remarks...)
	if len(runs) == 1 {
		table = table.Place(result.FileOnly, "suite", "family")
		if n := runs[0].Skipped; n > 0 {
			remarks = append([]string{result.Counted(n, "corrupt image") + " of the suite left out"}, remarks...)
		}
	}
	shown := []*result.Sheet{table.Sheet(job.OutcomesOf(runs))}
	err := s.give(answer{Document: doc, name: "run", folder: out, tables: shown, lines: remarks})
	return cmp.Or(err, joined(job.Reasons(runs...)))
}

// joined is one sentence per line, nil without any.
func joined(reasons []string) error {
	list := make([]error, len(reasons))
	for i, reason := range reasons {
		list[i] = errors.New(reason)
	}
	return errors.Join(list...)
}
