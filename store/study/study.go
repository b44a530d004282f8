// Package study reads study files and writes what a study has found. A study file (TOML) lists
// steps; a step is a command of the program with its options. What the commands answer (tables and
// figures, as engine/result declares them) becomes one folder: files of every table and figure, a
// comparison with the numbers that a paper prints, a report, and the record of how each was made.
package study

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/durable"
)

// Version is the form of study files that this program reads.
const Version = 1

// Study is a study file.
type Study struct {
	Version   int    `toml:"study"`
	Title     string `toml:"title"`
	Note      string `toml:"note"`
	Workspace string `toml:"workspace"` // relative to the file; "" for the demo's
	Needs     Needs  `toml:"needs"`
	Steps     []Step `toml:"step"`

	// Folder is where the file lies, "" for a study of the program itself; relative paths in
	// options begin there.
	Folder string `toml:"-"`
}

// Needs are suites, selections of scenes and models, by name, without which a workspace cannot be
// studied.
type Needs struct {
	Suites     []string `toml:"suites"`
	Selections []string `toml:"selections"`
	Models     []string `toml:"models"`
}

// Step is one command of a study.
type Step struct {
	Name    string         `toml:"name"`  // of its folder
	Title   string         `toml:"title"` // in the report
	Note    string         `toml:"note"`
	Command string         `toml:"command"` // words: "assess eval"
	Round   string         `toml:"round"`   // by name; see LeaveOut
	Options map[string]any `toml:"options"` // by the names of flags and arguments
	// Tables and Figures name what is kept, * for any letters. Without tables it is what the
	// command shows people, without figures all.
	Tables  []string    `toml:"tables"`
	Figures []string    `toml:"figures"`
	Papers  []Published `toml:"paper"`
}

// Published are numbers of a paper, to stand beside those of a step.
type Published struct {
	Source string   `toml:"source"` // "Table IV, CNN5 on MNIST"
	Table  string   `toml:"table"`  // of the step
	By     []string `toml:"by"`     // columns that find a row
	Column string   `toml:"column"` // the number's
	Rows   [][]any  `toml:"rows"`   // a value for each column of By, then the number as files have it
}

// most is how large a study file may be, and how many steps it may have.
const (
	mostBytes = 1 << 20
	mostSteps = 200
)

// Read reads a study that comes with the program, by its name, or the study file at a path.
func Read(file string) (Study, error) {
	if slices.Contains(assets.Studies(), file) {
		text, err := assets.Study(file)
		if err != nil {
			return Study{}, err
		}
		return Parse(text)
	}
	if strings.ToLower(filepath.Ext(file)) != ".toml" {
		return Study{}, fmt.Errorf("study %s: it is neither a file (.toml) nor one of the program's studies: %s",
			file, strings.Join(assets.Studies(), ", "))
	}
	data, err := outside.Read(file, outside.Kind{Noun: "a study file", Most: mostBytes})
	if err != nil {
		return Study{}, fmt.Errorf("study %s: %w", file, err)
	}
	s, err := Parse(string(data))
	if err != nil {
		return s, fmt.Errorf("study %s: %w", file, err)
	}
	s.Folder, err = filepath.Abs(filepath.Dir(file))
	return s, err
}

// Parse reads the text of a study file. Keys that no study has are refused.
func Parse(text string) (Study, error) {
	var s Study
	if err := bounded(text); err != nil {
		return s, err
	}
	meta, err := toml.Decode(text, &s)
	if err != nil {
		return s, errors.New(outside.Visible(err.Error()))
	}
	if s.Version != Version {
		return s, fmt.Errorf("it begins with study = %d, and this program reads study = %d", s.Version, Version)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return s, fmt.Errorf("no study has the key %s", outside.Visible(unknown[0].String()))
	}
	switch {
	case s.Title == "":
		return s, errors.New("it has no title")
	case len(s.Steps) == 0 || len(s.Steps) > mostSteps:
		return s, fmt.Errorf("it has %d steps; a study has 1 to %d", len(s.Steps), mostSteps)
	}
	taken := map[string]bool{}
	for k, step := range s.Steps {
		if err := step.check(); err != nil {
			return s, fmt.Errorf("step %d: %w", k+1, err)
		}
		if taken[step.Name] {
			return s, fmt.Errorf("step %d: the name %s is there twice", k+1, step.Name)
		}
		taken[step.Name] = true
	}
	return s, nil
}

// names are those that steps may have: they become folders.
var names = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

func (s Step) check() error {
	switch {
	case !names.MatchString(s.Name):
		return fmt.Errorf("its name %q is not made of small letters, digits, - and _", s.Name)
	case durable.Reserved(s.Name):
		return fmt.Errorf("its name is that of a folder, and Windows keeps %q for itself", s.Name)
	case s.Command == "":
		return errors.New("it names no command, such as command = \"ei\"")
	}
	for _, pattern := range slices.Concat(s.Tables, s.Figures) {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("%q is no name of a table or figure", pattern)
		}
	}
	for _, p := range s.Papers {
		for _, row := range p.Rows {
			if len(row) != len(p.By)+1 {
				return fmt.Errorf("a row of %s has %d values; it needs one for each of %s and the number", p.Source,
					len(row),
					strings.Join(p.By, ", "))
			}
			if _, err := number(row[len(row)-1]); err != nil {
				return fmt.Errorf("a row of %s: %w", p.Source, err)
			}
		}
	}
	return nil
}

// Takes tells whether a path in the step's folder may be that of a table or figure of the step, or
// is the folder itself.
func (s Step) Takes(name string) bool {
	stem, patterns := strings.TrimSuffix(name, path.Ext(name)), s.Figures
	switch ending := strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")); {
	case name == ".":
		return true
	case slices.Contains(tableFormats, ending):
		patterns = s.Tables
	case !slices.Contains(figureFormats, ending):
		return false
	}
	means := func(pattern string) bool {
		is, _ := path.Match(strings.ToLower(pattern), strings.ToLower(stem))
		return is
	}
	return path.Base(name) == name &&
		(patterns == nil || stem == Comparison.Name || slices.ContainsFunc(patterns, means))
}

// mostNested is how deep values and keys may lie in each other.
const mostNested = 16

// passed are comments and strings, also those that do not end: their brackets and dots mean
// nothing.
var passed = regexp.MustCompile(`(?s:"""(?:\\.|.)*?(?:"{3,5}|$)|'''.*?(?:'{3,5}|$))|"(?:\\.|[^"\n])*"?|'[^'\n]*'?|#.*`)

// bounded refuses texts whose values or keys lie deep in each other: the decoder's memory grows
// with the square of the depth.
func bounded(text string) error {
	depth, dots := 0, 0 // brackets that are open, and dots of the key that is read
	for _, c := range passed.ReplaceAllString(text, "") {
		switch c {
		case '{', '[':
			depth, dots = depth+1, 0
		case '}', ']':
			depth, dots = max(0, depth-1), 0
		case '=', ',', '\n':
			dots = 0
		case '.':
			dots++
		}
		if depth > mostNested || dots > mostNested {
			return fmt.Errorf("more than %d of its values or keys lie in each other", mostNested)
		}
	}
	return nil
}

// Fits says what a study needs and the workspace lacks.
func (s Study) Fits(ws *store.Workspace) error {
	for _, need := range []struct {
		noun  string
		names []string
		find  func(string) error
	}{
		{"suite", s.Needs.Suites, func(name string) error { _, err := ws.FindSuite(name); return err }},
		{"selection", s.Needs.Selections, func(name string) error { _, err := ws.FindSelection(name); return err }},
		{"model", s.Needs.Models, func(name string) error { _, err := ws.FindModel(name); return err }},
	} {
		for _, name := range need.names {
			if err := need.find(name); errors.Is(err, store.ErrNotFound) {
				return fmt.Errorf("the study needs the %s %s, which workspace %s lacks", need.noun, name, ws.Name())
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// LeaveOut takes out the steps whose round neither the workspace has, nor an earlier step makes,
// and says which: a study of the program itself names rounds of the demo. One that somebody has
// written is refused, since a name in it that is not there is a mistake. Coming are rounds that the
// workspace is about to get.
func (s *Study) LeaveOut(ws *store.Workspace, coming ...string) (said []string, err error) {
	rounds, err := ws.Rounds()
	names := slices.Clone(coming)
	for _, r := range rounds {
		names = append(names, r.Name)
	}
	var made []any
	s.Steps = slices.DeleteFunc(s.Steps, func(step Step) bool {
		if step.Command == "label" && step.Options["action"] == "round" {
			made = append(made, step.Options["name"])
		}
		if err != nil || step.Round == "" || slices.Contains(names, step.Round) ||
			slices.Contains(made, any(step.Round)) {
			return false
		}
		if s.Folder != "" {
			err = fmt.Errorf("step %s is about round %s, and workspace %s has %s; name one that is there, or "+
				"take the step out", step.Name, step.Round, ws.Name(), cmp.Or(result.Some(names), "no rounds"))
			return false
		}
		said = append(said, fmt.Sprintf("step %s is left out: workspace %s has no round %s; "+
			"name a round of your own in a copy of the study's file", step.Name, ws.Name(), step.Round))
		return true
	})
	return said, err
}

// Texts are the values of an option as texts: one for a text, number or switch, several for a list.
func Texts(value any) ([]string, error) {
	switch v := value.(type) {
	case string:
		return []string{v}, nil
	case bool, int64, float64:
		return []string{fmt.Sprint(v)}, nil
	case []any:
		var list []string
		for _, one := range v {
			texts, err := Texts(one)
			if err != nil || len(texts) != 1 {
				return nil, errors.New("a list holds texts, numbers or true and false")
			}
			list = append(list, texts...)
		}
		return list, nil
	}
	return nil, errors.New("it takes a text, a number, true or false, or a list of these")
}

func number(value any) (float64, error) {
	switch v := value.(type) {
	case int64:
		return float64(v), nil
	case float64:
		return v, nil
	}
	return 0, fmt.Errorf("%v is no number", value)
}
