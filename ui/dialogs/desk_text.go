package dialogs

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/desk"
)

// SplitDesk sorts paths into round packages, files of labels that desks sent, and the rest, by
// their endings.
func SplitDesk(paths []string) (packages, labels, rest []string) {
	for _, path := range paths {
		switch strings.ToLower(filepath.Ext(path)) {
		case desk.RoundSuffix:
			packages = append(packages, path)
		case desk.LabelsSuffix:
			labels = append(labels, path)
		default:
			rest = append(rest, path)
		}
	}
	return packages, labels, rest
}

// deskFile is a file beside the workspace, named after parts, that is offered to be written.
func deskFile(ws *store.Workspace, suffix string, parts ...string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '_'
		}
		return r
	}, strings.Join(parts, "-"))
	return filepath.Join(filepath.Dir(ws.Path()), strings.Trim(name, ". ")+suffix)
}

// withSuffix adds the ending where it was left out.
func withSuffix(path, suffix string) string {
	if strings.EqualFold(filepath.Ext(path), suffix) {
		return path
	}
	return path + suffix
}

// aboutPackage says what a package holds, before it is opened.
func aboutPackage(path string, a desk.About) string {
	text := fmt.Sprintf("%s: round %s, %s, annotators %s", filepath.Base(path), a.RoundName,
		result.Counted(a.Models, "model"), strings.Join(a.Names, ", "))
	if a.Blind {
		text = fmt.Sprintf("%s, blind", text)
	}
	if a.Full {
		return fmt.Sprintf("%s; with model files and images", text)
	}
	return fmt.Sprintf("%s; without model files and images: its matrices can be looked at and labelled, not computed anew", text)
}

// openedText says what opening a package did.
func openedText(r store.PackageReport) string {
	switch {
	case r.Created && r.Models > 0:
		return fmt.Sprintf("Round %s was added, with %s that were not here.", r.Round.Name, result.Counted(r.Models, "model"))
	case r.Created:
		return fmt.Sprintf("Round %s was added.", r.Round.Name)
	case r.Changed:
		return fmt.Sprintf("Round %s was here already and is up to date now.", r.Round.Name)
	}
	return fmt.Sprintf("Round %s is here already; nothing changed.", r.Round.Name)
}

// previewText says what merging would do, one line per file, then the conflicts.
func previewText(p desk.Plan) string {
	var lines []string
	for _, f := range p.Files {
		name := filepath.Base(f.Path)
		switch {
		case f.Refuse != "":
			lines = append(lines, fmt.Sprintf("%s: refused. %s", name, sentence(fmt.Errorf("%s", f.Refuse))))
		case f.Events == 0:
			lines = append(lines, fmt.Sprintf("%s: no labels", name))
		default:
			lines = append(lines, fmt.Sprintf("%s: round %s, %s, %d new, %d here already\nSHA-256 %s",
				name, f.Round, result.Counted(f.Events, "event"), f.New, f.Known, f.SHA256))
		}
		if f.Taken != "" {
			lines = append(lines, "Read as "+f.Taken)
		}
	}
	if len(p.Conflicts) > 0 {
		lines = append(lines, fmt.Sprintf("%s between desks. All labels are kept; the last one counts until the model is adjudicated:",
			result.Counted(len(p.Conflicts), "conflict")))
	}
	for _, c := range p.Conflicts {
		lines = append(lines, fmt.Sprintf("%s, %s: %s", c.Model, c.Annotator, conflictWords(c)))
	}
	return strings.Join(lines, "\n")
}

// conflictWords are the labels of a conflict, where they may be seen.
func conflictWords(c desk.ConflictReport) string {
	if len(c.Labels) == 0 {
		return "hidden while the round is blind"
	}
	said := make([]string, len(c.Labels))
	for k, v := range c.Labels {
		said[k] = string(v)
	}
	return strings.Join(said, ", then ")
}

// mergeAction is the text of the button that merges, "" when there is nothing to merge.
func mergeAction(p desk.Plan) string {
	switch {
	case p.Added == 0:
		return ""
	case p.Good() < len(p.Files):
		return fmt.Sprintf("Merge %d of %s", p.Good(), result.Counted(len(p.Files), "file"))
	}
	return fmt.Sprintf("Merge %s", result.Counted(p.Added, "event"))
}

// mergedText says what merging did.
func mergedText(added int, p desk.Plan) string {
	text := fmt.Sprintf("Merged %s from %s.", result.Counted(added, "event"), result.Counted(p.Good(), "file"))
	if n := len(p.Conflicts); n > 0 {
		text = fmt.Sprintf("%s %s between desks: they come first in the adjudication queue of the Agreement screen.", text, result.Counted(n, "conflict"))
	}
	return text
}
