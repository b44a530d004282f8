package app

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/demo"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/studies"
)

type studyCommand struct {
	studies.Options
	Workspace string `help:"Workspace to study (default: the one that the file names, else the demo's, which is made in the folder)." type:"path" placeholder:"DIR"`
	others    `embed:""`
}

// Check says what tags cannot say.
func (c *studyCommand) Check() error { return needFolder("out", c.Out) }

// Run carries out the study. What its runs have computed is kept, so that an interrupted study goes
// on where it stopped.
func (c *studyCommand) Run(s *session) error {
	sheets, err := c.carryOut(s, stages{s.bar("study")})
	if err != nil {
		return err
	}
	files := sheets[len(sheets)-1].Len()
	return s.give(answer{
		Document: s.document("study", &c.Options, sheets...), shown: []any{sheets[0]},
		lines: []string{fmt.Sprintf("%s in %s; look first at %s", result.Counted(files, "file"), c.Out,
			filepath.Join(c.Out, "report.html"))},
	})
}

// carryOut carries out the study and returns the sheets of its record. Progress counts steps.
func (c *studyCommand) carryOut(s *session, p engine.Progress) ([]*result.Sheet, error) {
	plan, err := studies.Read(c.Study)
	if err != nil {
		return nil, err
	}
	steps, err := c.steps(s, plan)
	if err != nil {
		return nil, err
	}
	workspace, err := c.workspace(s, plan)
	if err != nil {
		return nil, err
	}
	p.SetTotal(int64(len(steps)))
	found := studies.Found{Study: plan, Program: "Variscope " + Version}
	for k, step := range steps {
		s.say("step %d of %d: %s", k+1, len(steps), plan.Steps[k].Heading())
		answer, err := step.carryOut(s, workspace)
		if err != nil {
			return nil, fmt.Errorf("study %s, step %d (%s): %w", c.Study, k+1, plan.Steps[k].Name, err)
		}
		found.Answers = append(found.Answers, answer)
		p.Add(1)
	}
	return found.Write(s.ctx, c.Out, c.Formats)
}

// workspace is the path of the workspace that is studied. That of the demo is made where it is not
// there.
func (c *studyCommand) workspace(s *session, plan studies.Study) (string, error) {
	path := c.Workspace
	if path == "" && plan.Workspace != "" {
		if path = filepath.FromSlash(plan.Workspace); !filepath.IsAbs(path) {
			path = filepath.Join(plan.Folder, path)
		}
	}
	if path != "" { // whether it can be read is seen before the first step
		quiet := &session{ctx: s.ctx, stdout: io.Discard, stderr: io.Discard, common: s.common, outer: s}
		_, err := quiet.read(path)
		return path, errors.Join(err, quiet.close())
	}
	path = filepath.Join(c.Out, "demo.variscope")
	rt, err := s.runtime()
	if err != nil {
		return "", err
	}
	if err := durable.Folders(c.Out); err != nil {
		return "", err
	}
	ws, err := openOrCreate(path)
	if err != nil {
		return "", err
	}
	err = demo.Fill(s.ctx, ws, rt, onnx.Read, stages{s.bar("demo")})
	return path, errors.Join(err, ws.Close())
}

// step is a command with its options.
type step struct {
	words   []string // "assess", "eval"
	command interface{ Run(s *session) error }
	source  *option.Field // the argument that takes the workspace; nil for none
}

// steps are the commands of a study with their options, which are all checked before the first one
// is carried out.
func (c *studyCommand) steps(s *session, plan studies.Study) (list []step, err error) {
	for k, one := range plan.Steps {
		made, err := c.step(s, plan.Folder, one)
		if err != nil {
			return nil, fmt.Errorf("study %s, step %d (%s): %w", c.Study, k+1, one.Name, err)
		}
		list = append(list, made)
	}
	return list, nil
}

// step makes the command of one step.
func (c *studyCommand) step(s *session, folder string, one studies.Step) (step, error) {
	made := step{words: strings.Fields(one.Command)}
	parser, err := newParser(&cli{}, s, func(int) {})
	if err != nil {
		return made, err
	}
	node := parser.Model.Node
	for _, word := range made.words {
		at := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word && !n.Hidden })
		if at < 0 {
			return made, fmt.Errorf("there is no command %s", one.Command)
		}
		node = node.Children[at]
	}
	runs := false
	if made.command, runs = optionsOf(node).(interface{ Run(s *session) error }); !runs || slices.Contains(outOfStudies, made.words[0]) {
		return made, fmt.Errorf("%s is no command of a study", one.Command)
	}
	option.SetDefaults(made.command)
	fields := option.Fields(made.command)
	for _, key := range slices.Sorted(maps.Keys(one.Options)) {
		name := strings.ReplaceAll(key, "_", "-")
		at := slices.IndexFunc(fields, func(f option.Field) bool { return f.Name == name || slices.Contains(f.Aliases, name) })
		if at < 0 || fields[at].NoFlag || name == "out" {
			return made, fmt.Errorf("%s takes no option %s in a study", one.Command, key)
		}
		texts, err := studies.Texts(one.Options[key])
		if err != nil {
			return made, fmt.Errorf("option %s: %w", key, err)
		}
		if fields[at].Kind == option.Path && folder != "" {
			for k, text := range texts {
				if !filepath.IsAbs(text) {
					texts[k] = filepath.Join(folder, filepath.FromSlash(text))
				}
			}
		}
		text := fields[at].Join(texts)
		if !fields[at].List {
			if len(texts) != 1 {
				return made, fmt.Errorf("option %s takes one value", key)
			}
			text = texts[0]
		}
		if err := fields[at].Set(text); err != nil {
			return made, err
		}
	}
	for k, f := range fields {
		if f.Arg && made.source == nil && f.Missing() {
			made.source = &fields[k]
		}
	}
	for _, other := range option.Fields(&c.others) { // where runs are computed
		at := slices.IndexFunc(fields, func(f option.Field) bool { return f.Name == other.Name })
		if at >= 0 && !other.IsDefault() {
			if err := fields[at].Set(other.Text()); err != nil {
				return made, err
			}
		}
	}
	return made, nil
}

// outOfStudies are the commands that answer nothing, or are not about a workspace.
var outOfStudies = []string{"study", "worker", "demo", "bench", "doctor", "restore", "version", "export", "report"}

// carryOut carries a step out on a workspace.
func (t step) carryOut(s *session, workspace string) (found studies.Answer, err error) {
	if t.source != nil {
		if err := t.source.Set(workspace); err != nil {
			return found, err
		}
	}
	if err := option.Check(t.command); err != nil {
		return found, err
	}
	quiet := *s.common
	quiet.JSON = false
	inner := &session{ctx: s.ctx, stdout: io.Discard, stderr: s.stderr, common: &quiet, outer: s}
	line := option.Command(append([]string{"variscope"}, t.words...), t.command)
	inner.taken = func(a answer) { found = answered(a) }
	err = errors.Join(t.command.Run(inner), inner.close())
	var gate notMet
	if errors.As(err, &gate) { // which is an answer, too
		err = nil
	}
	found.Line = line
	return found, err
}

// answered is what a command has found, as a study takes it.
func answered(a answer) studies.Answer {
	found := studies.Answer{Sheets: slices.Concat(a.Sheets, a.files), Figures: a.figures, Remarks: a.lines}
	if a.shown == nil {
		a.shown = []any{a.Sheets[0]}
	}
	for _, part := range a.shown {
		if sheet, is := part.(*result.Sheet); is {
			if !slices.ContainsFunc(found.Sheets, func(s *result.Sheet) bool { return s.Name == sheet.Name }) {
				found.Sheets = append(found.Sheets, sheet)
			}
			found.Shown = append(found.Shown, sheet.Name)
		}
	}
	return found
}
