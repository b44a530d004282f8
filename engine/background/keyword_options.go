package background

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/option"
)

// RuleOptions say which keywords an image has.
type RuleOptions struct {
	Rule    string   `help:"Which words count: paper (that of ${background}: more than 1 % of the pixels, the best scene) or refcode (its published code: 0.1 %, the best five)." enum:",paper,refcode" default:""`
	Exclude []string `name:"exclude-words" aliases:"exclude" label:"Exclude" help:"Words that are never keywords, beside the classes of the targets." placeholder:"WORD"`
}

// Of is the rule that is asked for; classes are the words of the targets' classes.
func (o RuleOptions) Of(classes []string) Rule {
	rule := PaperRule()
	if o.Rule == "refcode" {
		rule = RefcodeRule()
	}
	return rule.Without(slices.Concat(o.Exclude, classes)...)
}

// Given tells whether a rule is asked for.
func (o RuleOptions) Given() bool { return o.Rule != "" || len(o.Exclude) > 0 }

// RuleChoice asks for a rule number by number, as forms do.
type RuleChoice struct {
	Rule    string   `help:"Which words of an image are keywords." enum:"paper,refcode,own" default:"paper" label:"Words that count"`
	Share   float64  `help:"Share of the pixels that an element needs to exceed." default:"1" min:"0" max:"99.99" unit:"% of the pixels" label:"Elements above" when:"rule=own"`
	Scenes  int      `help:"How many of the best scene words count." default:"1" min:"1" max:"1000" label:"Best scenes" when:"rule=own"`
	Exclude []string `help:"Words that are never keywords, such as boat, lamp." label:"Never keywords"`
}

// namedRules are the rules that have a name.
func namedRules() map[string]Rule {
	return map[string]Rule{"paper": PaperRule(), "refcode": RefcodeRule()}
}

// RuleChoiceOf is the choice of a rule; classes are words that need not be said.
func RuleChoiceOf(r Rule, classes []string) RuleChoice {
	o := RuleChoice{Rule: "own", Share: math.Round(r.Share*1e12) / 1e10, Scenes: r.Scenes}
	for _, word := range r.Excluded {
		if !slices.Contains(classes, word) {
			o.Exclude = append(o.Exclude, word)
		}
	}
	for name, rule := range namedRules() {
		if rule.Share == r.Share && rule.Scenes == r.Scenes {
			o.Rule, o.Share, o.Scenes = name, 1, 1
		}
	}
	return o
}

// Asked is the rule that is asked for.
func (o RuleChoice) Asked() Rule {
	rule, named := namedRules()[o.Rule]
	if !named {
		rule = Rule{Share: math.Round(o.Share*1e10) / 1e12, Scenes: o.Scenes}
	}
	return rule.Without(o.Exclude...)
}

// RuleName is the name for people of a choice of a rule.
func RuleName(choice string) string {
	switch choice {
	case "paper":
		return "as in the background paper [2]: more than 1 % of the pixels, the best scene"
	case "refcode":
		return "as in the published code: more than 0.1 % of the pixels, the best five scenes"
	}
	return choice
}

// KeywordOptions say where the keywords of images come from: a table that was made elsewhere, or
// two networks; and which of them count.
type KeywordOptions struct {
	KeywordSuites
	Masks string `help:"Folder with the masks of the targets' foregrounds, to import; found by the targets' names." type:"path" placeholder:"DIR"`
	Copy  bool   `help:"Copy the masks into the workspace."`
	KeywordFile
	KeywordNetworks
	RuleOptions
}

// KeywordSuites are the images that networks read.
type KeywordSuites struct {
	Targets     string `help:"Suite of the targets, by name or hash (default: the workspace's current one)." placeholder:"SUITE" source:"suites"`
	Backgrounds string `help:"Suite of the backgrounds, by name or hash." placeholder:"SUITE" source:"suites"`
}

// KeywordFile is a table that is there.
type KeywordFile struct {
	Table string `label:"Keyword table" help:"Keyword table that was made elsewhere, to import." type:"existingfile" placeholder:"FILE.csv"`
}

// KeywordNetworks are the files of the networks that say what images contain.
type KeywordNetworks struct {
	Segmentation string `label:"Segmentation network" help:"Segmentation network (.onnx): a logit per element and pixel." type:"existingfile" placeholder:"FILE.onnx"`
	Scene        string `label:"Scene network" help:"Scene network (.onnx): a logit per kind of scene." type:"existingfile" placeholder:"FILE.onnx"`
	Elements     string `label:"Names of elements" help:"Names of the elements, one per line (default: class_names of the network's metadata)." type:"existingfile" placeholder:"FILE"`
	Scenes       string `label:"Names of scenes" help:"Names of the scenes, one per line (default: class_names of the network's metadata)." type:"existingfile" placeholder:"FILE"`
}

// TableName is what a table is called.
type TableName struct {
	Name string `help:"Name of the table in the workspace (default: that of its file, or keywords)."`
}

// Title is the name that is asked for, else that of the table's file, "" for a table that networks
// make.
func (n TableName) Title(file string) string {
	name := strings.TrimSpace(n.Name)
	if name == "" && file != "" {
		name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	return cmp.Or(name, "keywords")
}

// Networks tells whether networks say what images contain.
func (o KeywordOptions) Networks() bool { return o.Segmentation != "" || o.Scene != "" }

// Check refuses options that do not go together.
func (o *KeywordOptions) Check() error {
	switch {
	case o.Networks() && o.Table != "":
		return option.Errorf("{table} and networks are two ways to the same numbers; give one")
	case o.Networks() && (o.Segmentation == "" || o.Scene == ""):
		return option.Errorf("two networks say what an image contains: {segmentation} FILE.onnx and {scene} FILE.onnx")
	case o.Networks() && o.Backgrounds == "":
		return option.Errorf("networks need images: name the suites with {targets} and {backgrounds}")
	case !o.Networks() && o.Elements+o.Scenes != "":
		return option.Errorf("{elements} and {scenes} name what networks find; a table has its names in its header")
	}
	return nil
}

// MiningOptions are the thresholds of association analysis; 0 stands for the default, or for what a
// kept ontology has.
type MiningOptions struct {
	MinSupport    float64 `help:"Least share of images that hold an itemset (default: 0.05)." placeholder:"S" min:"0" max:"1"`
	MinConfidence float64 `help:"Least confidence of a rule (default: 0.3)." placeholder:"C" min:"0" max:"1"`
}

// Thresholds are those that are asked for, else those of a kept ontology, 0 for none, else the
// defaults.
func (o MiningOptions) Thresholds(keptSupport, keptConfidence float64) (support, confidence float64) {
	return cmp.Or(o.MinSupport, keptSupport, itemset.DefaultMinSupport),
		cmp.Or(o.MinConfidence, keptConfidence, itemset.DefaultMinConfidence)
}

// ExpansionOptions say how far keywords are expanded.
type ExpansionOptions struct {
	MinKeywords int `help:"Keywords at which expansion stops; 0 for no bound." default:"32" min:"0" label:"Expand to keywords"`
	Levels      int `help:"Levels at which expansion stops; 0 for all." default:"5" min:"0" max:"100" label:"Levels of expansion"`
}

// Expansion is what is asked for.
func (o ExpansionOptions) Expansion() Expansion { return Expansion{o.MinKeywords, o.Levels} }

// OntologyOptions say which ontology is made of a table of keywords.
type OntologyOptions struct {
	Table string `help:"Keyword table of the workspace, by name or hash (default: the newest)." placeholder:"NAME"`
	MiningOptions
	RuleOptions
	Levels int      `help:"Levels of expansion to count; 0 for all." default:"5" min:"0" max:"100"`
	Edit   []string `help:"Change of the ontology by hand: A>B=W sets the weight of the edge from A to B, A>B=0 removes it. Repeat it." sep:"none" placeholder:"A>B=W"`
	Note   string   `help:"Why the edits were made; it is recorded with them."`
	Name   string   `help:"Keep the ontology in the workspace under this name. One that is there is changed, its edits stay."`
}

// Check says what does not go together.
func (o *OntologyOptions) Check() error {
	if o.Note != "" && len(o.Edit) == 0 {
		return option.Errorf("{note} goes with {edit} A>B=W")
	}
	return nil
}

// Edits are the changes by hand that are asked for; items are the keywords that there are.
func (o OntologyOptions) Edits(items []string) ([]itemset.Edit, error) {
	var list []itemset.Edit
	for _, text := range o.Edit {
		ends, weight, valued := strings.Cut(text, "=")
		from, to, edge := strings.Cut(ends, ">")
		if !valued || !edge {
			return nil, option.Errorf("{edit} %s: an edit is A>B=W, such as sand>sea=0.8, "+
				"and A>B=0 removes the edge", text)
		}
		for _, word := range []string{from, to} {
			if FindKeyword(items, word) < 0 {
				names := slices.Sorted(slices.Values(KeywordNames(items).People))
				return nil, fmt.Errorf("--edit %s: no keyword is called %q; there are %s", text,
					strings.TrimSpace(word),
					strings.Join(names, ", "))
			}
		}
		e, err := ReadEdit(items, from, to, weight, o.Note)
		if err != nil {
			return nil, option.Errorf("{edit} %s: %v", text, err)
		}
		list = append(list, e)
	}
	return list, nil
}

// ReadEdit is the edit that texts say: two keywords, as in tables or for people, and a weight from
// 0 to 1, where a decimal comma counts as a point. The error is a sentence about what is missing or
// wrong.
func ReadEdit(items []string, from, to, weight, note string) (e itemset.Edit, err error) {
	a, b := FindKeyword(items, from), FindKeyword(items, to)
	switch {
	case strings.TrimSpace(from) == "" || strings.TrimSpace(to) == "":
		return e, errors.New("choose the keywords that the edge joins, or click an edge")
	case a < 0:
		return e, fmt.Errorf("no keyword is called %q", strings.TrimSpace(from))
	case b < 0:
		return e, fmt.Errorf("no keyword is called %q", strings.TrimSpace(to))
	case a == b:
		return e, errors.New("an edge leads to another keyword")
	}
	w, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(weight), ",", ".", 1), 64)
	if err != nil || !(w >= 0 && w <= 1) {
		return e, errors.New("the weight is a number from 0 to 1; 0 removes the edge")
	}
	return itemset.Edit{From: items[a], To: items[b], Weight: w, Note: strings.TrimSpace(note)}, nil
}
