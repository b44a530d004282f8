package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/assess/saved"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/demo"
	desks "github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/study"
)

type studyCommand struct {
	study.Options
	Workspace string `help:"Workspace to study (default: the one that the file names, else the demo's, which is made in the folder)." type:"path" placeholder:"DIR"`
	others    `embed:""`
}

// Run carries out the study. What its runs have computed is kept, so that an interrupted study goes
// on where it stopped.
func (c *studyCommand) Run(s *Session) error {
	sheets, failed, err := c.carryOut(s, stages{s.bar("study")})
	if err != nil {
		return err
	}
	files := sheets[len(sheets)-1].Len()
	err = s.give(answer{
		Document: s.document("study", &c.Options, sheets...), shown: []any{sheets[0]},
		lines: []string{fmt.Sprintf("%s in %s; look first at %s", result.Counted(files, "file"), c.Out,
			filepath.Join(c.Out, "report.html"))},
	})
	return cmp.Or(err, joined(failed, true))
}

// carryOut carries out the study and returns the sheets of its record, and what its steps could not
// take. Progress counts steps.
func (c *studyCommand) carryOut(s *Session, p engine.Progress) (sheets []*result.Sheet, failed []string, err error) {
	plan, steps, err := c.planned(s)
	if err != nil {
		return nil, nil, err
	}
	w, err := study.Begin(s.ctx, plan, "Variscope "+Version, c.Out, c.Formats)
	if err != nil {
		return nil, nil, err
	}
	p.SetTotal(int64(len(steps)))
	for k, step := range steps {
		s.say("step %d of %d: %s", k+1, len(steps), plan.Steps[k].Heading())
		var answer study.Answer
		if step.writes {
			err = w.Change()
		}
		if err == nil {
			answer, err = step.carryOut(s)
		}
		if err == nil {
			err = w.Add(answer)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("study %s, step %d (%s): %w", c.Study, k+1, plan.Steps[k].Name, err)
		}
		for _, why := range answer.Failed {
			failed = append(failed, fmt.Sprintf("step %s: %s", plan.Steps[k].Name, why))
		}
		p.Add(1)
	}
	sheets, err = w.End()
	return sheets, failed, err
}

// planned reads the study, checks its steps, and prepares the workspace, which may lack what some
// of them are about.
func (c *studyCommand) planned(s *Session) (plan study.Study, steps []step, err error) {
	if plan, err = study.Read(c.Study); err != nil {
		return plan, nil, err
	}
	if _, err := c.steps(s, plan); err != nil {
		return plan, nil, err
	}
	if err := c.prepare(s, &plan); err != nil {
		return plan, nil, err
	}
	steps, err = c.steps(s, plan)
	return plan, steps, err
}

// look says what a study would do: its title, and the command lines of its steps. It refuses what
// carrying out would refuse before the first step.
func (c *studyCommand) look(s *Session) (title string, lines []string, err error) {
	plan, steps, err := c.planned(s)
	return plan.Title, each(steps, func(t step) string { return t.line }), err
}

// place is the path of the workspace that is studied, and what the steps' command lines call it.
// That of the demo is made in the folder.
func (c *studyCommand) place(plan study.Study) (path, name string) {
	switch path := filepath.FromSlash(plan.Workspace); {
	case c.Workspace != "":
		return c.Workspace, "WORKSPACE"
	case path == "":
		return filepath.Join(c.Out, "demo.variscope"), "demo.variscope"
	case !filepath.IsAbs(path):
		return filepath.Join(plan.Folder, path), plan.Workspace
	default:
		return path, plan.Workspace
	}
}

// prepare makes the demo's workspace, and reads any other one: whether the study can be made there
// is seen before its first step.
func (c *studyCommand) prepare(s *Session, plan *study.Study) error {
	leaveOut := func(ws *store.Workspace, coming ...string) error {
		left, err := plan.LeaveOut(ws, coming...)
		for _, said := range left {
			s.tell("%s", said)
		}
		return err
	}
	path, _ := c.place(*plan)
	if c.Workspace+plan.Workspace != "" {
		quiet := &Session{ctx: s.ctx, stdout: io.Discard, stderr: io.Discard, common: s.common, outer: s}
		ws, err := quiet.read(path)
		if err == nil {
			err = plan.Fits(ws)
		}
		if err == nil {
			err = leaveOut(ws)
		}
		return errors.Join(err, quiet.close())
	}
	rt, err := s.Runtime()
	if err != nil {
		return err
	}
	if err := durable.Folders(c.Out); err != nil {
		return err
	}
	ws, err := openOrCreate(path)
	if err != nil {
		return err
	}
	if err = leaveOut(ws, demo.OpenRound, demo.LabelledRound); err == nil { // filling takes a while
		err = s.fillDemo(ws, rt)
	}
	if err == nil {
		err = leaveOut(ws)
	}
	return errors.Join(err, ws.Close())
}

// fillDemo fills a workspace of the demo with all that studies rest on: the labels are of the
// models that have run under the first family, of which other processors may compute their own
// signals.
func (s *Session) fillDemo(ws *store.Workspace, rt engine.Runtime) error {
	d := s.Demo(ws, rt)
	if err := d.Fill(s.ctx, stages{s.bar("demo")}); err != nil {
		return err
	}
	requests, err := demo.Runs(ws)
	if err != nil || len(requests) == 0 {
		return err
	}
	first, err := transform.Parse(demo.Families()[0])
	if err != nil || requests[0].Family != first.String() {
		return err
	}
	if _, err := runAndWait(s, ws, requests[0], engine.Limits{}); err != nil {
		return err
	}
	return d.Rounds(s.ctx, engine.NoProgress{})
}

// step is a command with its options.
type step struct {
	words   []string // "assess", "eval"
	command interface{ Run(s *Session) error }
	line    string // the command line that does the same, with the paths of the study file
	writes  bool   // the command writes files itself, in the folder of the step
	// steady takes out of texts where the study's things lie on this computer.
	steady *strings.Replacer
}

// steps are the commands of a study with their options, which are all checked before the first one
// is carried out.
func (c *studyCommand) steps(s *Session, plan study.Study) (list []step, err error) {
	for k, one := range plan.Steps {
		made, err := c.step(s, plan, one)
		if err != nil {
			return nil, fmt.Errorf("study %s, step %d (%s): %w", c.Study, k+1, one.Name, err)
		}
		list = append(list, made)
	}
	return list, nil
}

// step makes the command of one step, and checks its options.
func (c *studyCommand) step(s *Session, plan study.Study, one study.Step) (step, error) {
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
	made.command, runs = optionsOf(node).(interface{ Run(s *Session) error })
	if !runs || slices.Contains(outOfStudies, made.words[0]) {
		return made, fmt.Errorf("%s is no command of a study", one.Command)
	}
	option.SetDefaults(made.command)
	fields := option.Fields(made.command)
	for _, key := range slices.Sorted(maps.Keys(one.Options)) {
		name := strings.ReplaceAll(key, "_", "-")
		at := slices.IndexFunc(fields, func(f option.Field) bool {
			return f.Name == name || slices.Contains(f.Aliases, name)
		})
		if at < 0 || fields[at].NoFlag || fields[at].Study == "-" {
			return made, fmt.Errorf("%s takes no option %s in a study", one.Command, key)
		}
		texts, err := study.Texts(one.Options[key])
		if err != nil {
			return made, fmt.Errorf("option %s: %w", key, err)
		}
		if !fields[at].List && len(texts) != 1 {
			return made, fmt.Errorf("option %s takes one value", key)
		}
		if err := setTo(fields[at], texts); err != nil {
			return made, err
		}
	}
	path, name := c.place(plan)
	source := slices.IndexFunc(fields, func(f option.Field) bool { return f.Arg && f.Missing() }) // takes the workspace
	if source >= 0 {
		if err := setTo(fields[source], []string{name}); err != nil {
			return made, err
		}
	}
	made.line = option.Command(append([]string{"variscope"}, made.words...), made.command)
	places := []string{path, name, filepath.Join(c.Out, one.Name) + string(filepath.Separator), ""}
	if plan.Folder != "" {
		places = append(places, plan.Folder+string(filepath.Separator), "")
	}
	made.steady = strings.NewReplacer(places...)
	for k, f := range fields {
		texts := f.Values()
		switch {
		case k == source:
			texts = []string{path}
		case f.IsDefault() || f.Study == "" || f.Study == "beside" && source >= 0:
			continue
		}
		for i, text := range texts {
			local := filepath.FromSlash(text)
			named := f.Study == "name" && slices.Contains(fileEndings, suffixOf(local)) // a file, not a round
			switch _, absent := os.Stat(filepath.Join(plan.Folder, local)); {
			case k == source:
			case f.Study == "written" && !filepath.IsLocal(local):
				return made,
					fmt.Errorf("option %s of %s names a path in the folder of the step, and %s leads out of it",
						f.Name, one.Command, text)
			case f.Study == "written" && one.Takes(filepath.ToSlash(filepath.Clean(local))):
				return made, fmt.Errorf("option %s of %s names %s, where tables and figures of the step may lie; "+
					"name a folder in that of the step, or a file in one", f.Name, one.Command, text)
			case f.Study == "written":
				made.writes, texts[i] = true, filepath.Join(c.Out, one.Name, local)
			case !filepath.IsAbs(local) && (f.Study == "path" || named || absent == nil):
				texts[i] = filepath.Join(plan.Folder, local)
			}
			if _, err := os.Stat(texts[i]); f.Existing != "" && err != nil {
				return made, fmt.Errorf("option %s: %w", f.Name, err)
			}
		}
		if err := setTo(f, texts); err != nil {
			return made, err
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
	return made, option.Check(made.command)
}

// setTo gives an option these values.
func setTo(f option.Field, texts []string) error {
	if f.List {
		return f.Set(f.Join(texts))
	}
	return f.Set(strings.Join(texts, ""))
}

// fileEndings tell files from other things that have a name, such as rounds and assessors.
var fileEndings = []string{".csv", ".tsv", ".json", ".txt", saved.Extension, desks.RoundSuffix, desks.LabelsSuffix}

// outOfStudies are the commands that answer nothing, or are not about a workspace.
var outOfStudies = []string{"study", "worker", "demo", "bench", "doctor", "restore", "version", "export", "report"}

// carryOut carries a step out. Where single models fail the study goes on, with their reasons
// without where files lie on this computer.
func (t step) carryOut(s *Session) (found study.Answer, err error) {
	quiet := *s.common
	quiet.JSON = false
	inner := &Session{ctx: s.ctx, stdout: io.Discard, stderr: s.stderr, common: &quiet, outer: s}
	given := false
	inner.taken = func(a answer) { found, given = answered(a), true }
	err = t.command.Run(inner)
	var gate notMet
	var failed failures
	switch {
	case errors.As(err, &gate): // which is an answer, too
		err = nil
	case given && errors.As(err, &failed) && s.ctx.Err() == nil:
		found.Failed, err = strings.Split(sentence(failed), "\n"), nil
	}
	if err = errors.Join(err, inner.close()); err == nil && !given {
		err = errors.New("it has answered nothing")
	}
	found.Line, found.Written = t.line, inner.wrote
	found.Remarks = slices.Concat(inner.told, found.Remarks)
	for k, sheet := range found.Sheets {
		found.Sheets[k] = sheet.Replaced(t.steady)
	}
	for _, texts := range [][]string{found.Remarks, found.Failed} {
		for k, text := range texts {
			texts[k] = t.steady.Replace(text)
		}
	}
	return found, err
}

// answered is what a command has found, as a study takes it.
func answered(a answer) study.Answer {
	found := study.Answer{Sheets: slices.Concat(a.Sheets, a.files), Figures: a.figures, Remarks: a.lines}
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
