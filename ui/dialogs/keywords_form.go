package dialogs

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/present"
)

// keywordAsk says where a keyword table comes from: two networks and the images that they look at,
// or a file. Suites and masks are named by their hashes.
type keywordAsk struct {
	From                       string `label:"Keywords come" help:"Two networks look at the images of two suites, or a table of their keywords was made elsewhere." enum:"networks,table" default:"networks"`
	background.KeywordNetworks `when:"from=networks"`
	background.KeywordSuites   `when:"from=networks"`
	MaskSet                    string `label:"Masks of targets" help:"Say which pixels of the targets are foreground: those are no background." source:"masks" when:"from=networks"`
	background.KeywordFile     `when:"from=table"`
	background.TableName
}

func (f keywordAsk) networks() bool { return f.From == "networks" }

// masks is the hash of the targets' mask set; "" counts foregrounds, too.
func (f keywordAsk) masks() string {
	if f.MaskSet == noMasks {
		return ""
	}
	return f.MaskSet
}

// missing says what is to be filled in yet, "" for nothing.
func (f keywordAsk) missing() string {
	switch {
	case !f.networks() && f.Table == "":
		return "Choose the keyword table: a CSV file with the columns file, kind, label, scene, visible_pixels, then seg_NAME for each element and scene_NAME for each kind of scene."
	case !f.networks():
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

// look reads the files without running anything and says what is in them. The error says what is
// wrong with one.
func (f keywordAsk) look(rt engine.Runtime) (string, error) {
	if f.networks() && rt == nil {
		return "", engine.ErrNoRuntime
	}
	if text := f.missing(); text != "" {
		return "", errors.New(text)
	}
	if !f.networks() {
		table, err := readKeywords(f.Table)
		if err != nil {
			return "", err
		}
		return tableFacts(table), nil
	}
	n, err := scenes.NetworksOf(f.KeywordNetworks)
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
	facts := fmt.Sprintf("%s: %s. %s: %s.", result.Counted(len(elements), "element"), firstNames(elements),
		result.Counted(len(kinds), "scene word"), firstNames(kinds))
	if f.masks() == "" {
		facts += " Without masks the pixels of the foregrounds are counted, too."
	}
	return facts, nil
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
	file, err := outside.Open(path, outside.LargeTable)
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
func (f keywordAsk) add(ws *store.Workspace) (store.KeywordTable, background.Table, error) {
	table, err := readKeywords(f.Table)
	if err != nil {
		return store.KeywordTable{}, table, err
	}
	record, err := ws.AddKeywords(f.Title(f.Table), "file", table)
	return record, table, err
}
