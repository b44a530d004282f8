package export

import (
	"io"

	"github.com/variscope/variscope/engine/agreement"
)

// AgreementFromFile measures the rounds of a labels_long.csv or labels_wide.csv; see ReadRounds for
// their order and their classes. A file without any label is an error.
func AgreementFromFile(path string, classes int, opts agreement.Options) ([]*agreement.Round, error) {
	rounds, err := ReadRounds(path, classes)
	if err != nil {
		return nil, err
	}
	list := make([]*agreement.Round, len(rounds))
	for k, r := range rounds {
		list[k] = agreement.OfRound(r.Round, r.Events, r.IDs, r.Annotators, opts)
		if err := opts.Err(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// agreementFiles are agreement.csv with all measures, the confusion tables and items with their
// majorities as tables beside it, and agreement.json with all of them.
func agreementFiles(rounds []*agreement.Round) []file {
	doc := agreement.Document(rounds, nil)
	files := []file{{Agreement, "agreement.json", doc.JSON}}
	for _, sheet := range doc.Sheets {
		files = append(files, file{Agreement, sheet.Name + ".csv", func(w io.Writer) error { return sheet.CSV(w, true) }})
	}
	return files
}
