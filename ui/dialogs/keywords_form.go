package dialogs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/present"
)

// KeywordForm says where a keyword table comes from: two networks and the images that they look
// at, or a file.
type KeywordForm struct {
	Networks             bool
	Segmentation, Scene  string // files
	Elements, Scenes     string // files with the names of their classes; "" for those that the networks' files have
	Targets, Backgrounds string // hashes of suites
	Masks                string // hash of the targets' mask set; "" counts foregrounds too
	File                 string // the table that was made elsewhere
	Name                 string // in the workspace; "" for the usual one
}

// title is the name that the table gets.
func (f KeywordForm) title() string {
	switch name := strings.TrimSpace(f.Name); {
	case name != "":
		return name
	case f.Networks:
		return "keywords"
	case f.File == "":
		return ""
	}
	return strings.TrimSuffix(filepath.Base(f.File), filepath.Ext(f.File))
}

// missing says what is to be filled in yet, "" for nothing.
func (f KeywordForm) missing() string {
	switch {
	case !f.Networks && f.File == "":
		return "Choose the keyword table: a CSV file with the columns file, kind, label, scene, visible_pixels, then seg_NAME for each element and scene_NAME for each kind of scene."
	case !f.Networks:
		return ""
	case f.Segmentation == "":
		return "Choose the segmentation network: any ONNX file with a score per element and pixel."
	case f.Scene == "":
		return "Choose the scene network: any ONNX file with a score per kind of scene."
	case f.Targets == "":
		return "Choose the suite of targets."
	case f.Backgrounds == "":
		return "Choose the suite of backgrounds."
	case f.Targets == f.Backgrounds:
		return "Targets and backgrounds are the same suite: backgrounds have no foreground object. Choose another one."
	}
	return ""
}

// networks are the files with the names of their classes.
func (f KeywordForm) networks() (n scenes.Networks, err error) {
	n.Segmentation, n.Scene = f.Segmentation, f.Scene
	if n.Elements, err = namesIn(f.Elements); err != nil {
		return n, err
	}
	n.Scenes, err = namesIn(f.Scenes)
	return n, err
}

// namesIn are the lines of a file; none for "".
func namesIn(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	return scenes.ReadNames(path)
}

// look reads the files without running anything and says what is in them. The error says what is
// wrong with one.
func (f KeywordForm) look(rt engine.Runtime) (string, error) {
	if !f.Networks {
		table, err := readKeywords(f.File)
		if err != nil {
			return "", err
		}
		return tableFacts(table), nil
	}
	n, err := f.networks()
	if err != nil {
		return "", err
	}
	elements, err := scenes.ElementsOf(rt, n.Segmentation, n.Elements)
	if err != nil {
		return "", err
	}
	kinds, err := scenes.ScenesOf(rt, n.Scene, n.Scenes)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s: %s. %s: %s.", result.Counted(len(elements), "element"), firstNames(elements),
		result.Counted(len(kinds), "scene word"), firstNames(kinds)), nil
}

// firstNames are the first names of a list.
func firstNames(names []string) string {
	const few = 8
	text := strings.Join(names[:min(few, len(names))], ", ")
	if len(names) > few {
		text += ", …"
	}
	return text
}

func readKeywords(path string) (t background.Table, err error) {
	file, err := os.Open(path)
	if err != nil {
		return t, err
	}
	defer file.Close()
	if t, err = background.ReadTable(file); err != nil {
		return t, fmt.Errorf("keyword table %s: %w", filepath.Base(path), err)
	}
	return t, nil
}

// tableFacts says what a table holds, and which images have no keyword.
func tableFacts(t background.Table) string {
	targets := len(t.Of(background.TargetKind))
	text := fmt.Sprintf("%s and %s; %s and %s.", result.Counted(targets, "target"), result.Counted(len(t.Rows)-targets, "background"),
		result.Counted(len(t.Elements), "element"), result.Counted(len(t.Scenes), "scene word"))
	rule := background.PaperRule().Without(t.Classes()...)
	found, err := t.Keywords(rule)
	if err != nil {
		return text
	}
	without := found.Count(t).Without
	if len(without) == 0 {
		return text
	}
	names := make([]string, len(without))
	for k, row := range without {
		names[k] = t.Rows[row].File
	}
	return text + " " + present.ByCount(len(without), "%d image has no keyword by the rule of the background paper [2]: %s.", "%d images have no keyword by the rule of the background paper [2]: %s.",
		len(without), firstNames(names))
}

// add keeps a table that was read from a file.
func (f KeywordForm) add(ws *store.Workspace) (store.KeywordTable, background.Table, error) {
	table, err := readKeywords(f.File)
	if err != nil {
		return store.KeywordTable{}, table, err
	}
	record, err := ws.AddKeywords(f.title(), "file", table)
	return record, table, err
}
