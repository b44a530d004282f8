package present

import "github.com/variscope/variscope/ui/words"

// Checked is a kind of thing that the examination of a workspace looks at (store.Checked), for people; one that is not known here is shown as
// the store writes it.
func Checked(what string) string {
	if text := checkedRecords(what); text != "" {
		return text
	}
	if text := checkedFiles(what); text != "" {
		return text
	}
	return what
}

// checkedRecords knows what models, suites, signals and rounds are made of.
func checkedRecords(what string) string {
	switch what {
	case "database pages":
		return words.T("database pages")
	case "schema":
		return words.T("schema")
	case "models":
		return words.T("models")
	case "details of models":
		return words.T("details of models")
	case "names of models":
		return words.T("names of models")
	case "model files":
		return words.T("model files")
	case "suites":
		return words.T("suites")
	case "details of suites":
		return words.T("details of suites")
	case "images of suites":
		return words.T("images of suites")
	case "sets of signals":
		return words.T("sets of signals")
	case "index of signals":
		return words.T("index of signals")
	case "units of signals":
		return words.T("units of signals")
	case "signal files":
		return words.T("signal files")
	case "summaries":
		return words.T("summaries")
	case "runs":
		return words.T("runs")
	case "rounds":
		return words.T("rounds")
	case "label events":
		return words.T("label events")
	case "settings":
		return words.T("settings")
	case "matrices of round packages":
		return words.T("matrices of round packages")
	}
	return ""
}

// checkedFiles knows everything else.
func checkedFiles(what string) string {
	switch what {
	case "labels of images":
		return words.T("labels of images")
	case "tables of predictions":
		return words.T("tables of predictions")
	case "kept results":
		return words.T("kept results")
	case "mask sets":
		return words.T("mask sets")
	case "details of mask sets":
		return words.T("details of mask sets")
	case "masks":
		return words.T("masks")
	case "keyword tables":
		return words.T("keyword tables")
	case "details of keyword tables":
		return words.T("details of keyword tables")
	case "vectors of keyword tables":
		return words.T("vectors of keyword tables")
	case "ontologies":
		return words.T("ontologies")
	case "selections":
		return words.T("selections")
	case "scenes of selections":
		return words.T("scenes of selections")
	case "context vectors":
		return words.T("context vectors")
	case "assessors":
		return words.T("assessors")
	case "backups":
		return words.T("backups")
	case "thumbnails":
		return words.T("thumbnails")
	case "loose files":
		return words.T("loose files")
	case "files set aside":
		return words.T("files set aside")
	case "other files":
		return words.T("other files")
	}
	return ""
}
