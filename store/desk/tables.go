package desk

import (
	"math"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
)

// Files is the table of files of labels that are merged, or would be.
var Files = result.Table[FileReport]{
	Name: "label_files", Title: "Files of labels", Noun: "file", ID: func(f FileReport) string { return f.Path },
	Columns: []result.Column[FileReport]{
		result.Texts("file", "file", "file of labels", func(f FileReport) string { return f.Path }).
			Told(func(f FileReport) string { return filepath.Base(f.Path) }).Once(),
		result.Texts("round", "round", "name of its round, or how many it has",
			func(f FileReport) string { return f.Round }),
		result.Counts("events", "events", "label events in it", func(f FileReport) int { return f.Events }),
		result.Counts("new", "new", "events that were in neither the workspace nor a file before it",
			func(f FileReport) int { return f.New }).Once(),
		result.Counts("known", "there already", "the other events", func(f FileReport) int { return f.Known }).Once(),
		result.Texts("taken", "read as", "of a table of others: how it was read, and which words were taken for what",
			func(f FileReport) string { return f.Taken }).In(result.Offered),
		result.Texts("refused", "refused", "why nothing of the file is merged",
			func(f FileReport) string { return f.Refuse }).In(result.Offered),
		result.Texts("desk", "desk", "desk that wrote it",
			func(f FileReport) string { return f.Desk }).In(result.FileOnly),
		result.Texts("sha256", "SHA-256", "of the file",
			func(f FileReport) string { return f.SHA256 }).In(result.FileOnly),
		result.Counts("unassigned", "not assigned",
			"its labels of models that are not assigned to their annotators here, "+
				"which measures leave out", func(f FileReport) int { return f.Unassigned }).In(result.Offered),
	},
}

// Conflicting is the table of models that one annotator labelled differently at several desks.
var Conflicting = result.Table[ConflictReport]{
	Name: "conflicts", Title: "Conflicts", Noun: "conflict",
	ID: func(c ConflictReport) string { return c.Round + "/" + c.Model + "/" + c.Annotator },
	Columns: []result.Column[ConflictReport]{
		result.Texts("round", "round", "name of the round", func(c ConflictReport) string { return c.Round }),
		result.Texts("model_id", "model", "name of the model", func(c ConflictReport) string { return c.Model }),
		result.Texts("annotator", "annotator", "whose labels differ",
			func(c ConflictReport) string { return c.Annotator }),
		result.Texts("labels", "labels", "oldest first; the last one counts until the model is adjudicated",
			ConflictReport.Said).
			Because(func(ConflictReport) result.Reason {
				return result.Because("blind", "hidden while the round is blind")
			}),
	},
}

// Said are the labels in their order, "" while the round is blind.
func (c ConflictReport) Said() string {
	words := make([]string, len(c.Labels))
	for k, v := range c.Labels {
		words[k] = string(v)
	}
	return strings.Join(words, ", then ")
}

// String is the conflict in a line.
func (c ConflictReport) String() string {
	if len(c.Labels) == 0 {
		return c.Annotator + " labelled " + c.Model + " differently at several desks; what the labels are is hidden " +
			"while the round is blind"
	}
	return c.Annotator + " labelled " + c.Model + " differently at several desks (" + c.Said() +
		"); all are kept, the last one counts until the model is adjudicated"
}

// Opened is the table of round packages that were opened.
var Opened = result.Table[store.PackageReport]{
	Name: "packages", Title: "Round packages", Noun: "package",
	ID: func(p store.PackageReport) string { return p.Round.ID },
	Columns: []result.Column[store.PackageReport]{
		result.Texts("round", "round", "name of the round", func(p store.PackageReport) string { return p.Round.Name }),
		result.Texts("round_id", "id", "ULID of the round", func(p store.PackageReport) string { return p.Round.ID }),
		result.Counts("models", "models", "models of the round",
			func(p store.PackageReport) int { return len(p.Round.Models) }),
		result.Counts("new_models", "new models", "models of it that were not there",
			func(p store.PackageReport) int { return p.Models }).In(result.FileOnly).Once(),
		result.Texts("annotators", "annotators", "who labels",
			func(p store.PackageReport) string { return strings.Join(p.Round.Annotators, ", ") }),
		result.Texts("outcome", "outcome", "what became of the round", func(p store.PackageReport) string {
			switch {
			case p.Created:
				return "added"
			case p.Changed:
				return "brought up to date"
			}
			return "there already"
		}).Once(),
	},
}

// Sent is the table of round packages and files of labels that were written.
var Sent = result.Table[Written]{
	Name: "written", Title: "Written", Noun: "file", ID: func(w Written) string { return w.Path },
	Columns: []result.Column[Written]{
		result.Texts("round", "round", "name of the round", func(w Written) string { return w.Round }),
		result.Texts("file", "file", "file that was written",
			func(w Written) string { return w.Path }).In(result.FileOnly),
		result.Numbers("models", "models", "models in a round package", result.Count,
			func(w Written) float64 { return some(w.Models) }),
		result.Numbers("events", "events", "label events in a file of labels", result.Count,
			func(w Written) float64 { return some(w.Events) }),
		result.Numbers("bytes", "size", "of the file", result.Bytes,
			func(w Written) float64 { return float64(w.Size) }),
		result.Texts("sha256", "SHA-256", "of the file", func(w Written) string { return w.SHA256 }),
	},
}

// some is a number of what there is, NaN for what such a file has none of.
func some(n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return float64(n)
}
