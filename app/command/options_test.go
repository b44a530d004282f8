package command

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/internal/testdata"
	scenes "github.com/variscope/variscope/store/background"
)

// everyCommand are the commands that can be called, hidden ones too, by the words that call them.
func everyCommand(t *testing.T) map[string]*kong.Node {
	t.Helper()
	found := map[string]*kong.Node{}
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		for _, c := range n.Children {
			walk(c)
		}
		if len(n.Children) == 0 {
			found[strings.TrimPrefix(n.Path(), "variscope ")] = n
		}
	}
	walk(grammar(t))
	if len(found) < 25 {
		t.Fatalf("only %d commands were found", len(found))
	}
	return found
}

// TestOptionsAreDeclaredOnce holds what kong knows of every command and what is recorded of it
// against its struct of options.
func TestOptionsAreDeclaredOnce(t *testing.T) {
	options := 0
	for words, n := range everyCommand(t) {
		of := optionsOf(n)
		if err := option.Verify(of); err != nil {
			t.Errorf("%s: %v", words, err)
			continue
		}
		option.SetDefaults(of)
		if args := option.Args(of); len(args) > 0 {
			t.Errorf("%s: the defaults have arguments: %q", words, args)
		}
		known := map[string]*kong.Value{}
		for _, v := range n.Positional {
			known[v.Name] = v
		}
		for _, f := range n.Flags {
			known[f.Name] = f.Value
		}
		fields, record := option.Fields(of), option.Record(of)
		for i, f := range fields {
			options++
			if name := strings.ReplaceAll(f.Name, "-", "_"); record[i].Name != name {
				t.Errorf("%s: %s is recorded as %s", words, f.Name, record[i].Name)
			}
			if f.NoFlag {
				continue
			}
			v := known[f.Name]
			delete(known, f.Name)
			if v == nil {
				t.Errorf("%s: kong knows no %s", words, f.Name)
				continue
			}
			for _, d := range disagreements(f, v) {
				t.Errorf("%s: %s: %s", words, v.ShortSummary(), d)
			}
		}
		for name := range known {
			t.Errorf("%s: %s is no option of %T", words, name, of)
		}
	}
	if options < 250 {
		t.Errorf("only %d options were compared", options)
	}
	if err := option.Verify(&Common{}); err != nil {
		t.Error(err)
	}
}

// disagreements are what kong, from which docs/commands.md is written, says otherwise than the
// option.
func disagreements(f option.Field, v *kong.Value) (list []string) {
	differ := func(what string, a, b any) {
		if !cmp.Equal(a, b) {
			list = append(list, fmt.Sprintf("%s is %v, and in kong %v", what, a, b))
		}
	}
	differ("default", f.Default, v.Default)
	differ("required", f.Required, v.Required)
	differ("argument", f.Arg, v.Flag == nil)
	differ("former names", strings.Join(f.Aliases, ","), strings.Join(v.Tag.Aliases, ","))
	if v.Enum != "" || f.Kind == option.Choice {
		differ("choices", f.Choices, v.EnumSlice())
	}
	for _, text := range []string{f.Bounds(), f.Condition()} {
		if text != "" && !strings.Contains(v.Help, " "+strings.ToUpper(text[:1])+text[1:]+".") {
			list = append(list, fmt.Sprintf("its help does not say %q: %s", text, v.Help))
		}
	}
	return list
}

// ownForms are numbers and choices of forms that are not what commands mean by the same name, each
// with the reason.
var ownForms = map[string]string{
	"ui/dialogs/shifted.go: n":                       "with one region nothing is shifted",
	"ui/screen/ranking/conditionspage.go: over":      "an axis of a figure",
	"ui/screen/scenes/clouds/images.go: order":       "of pairs of images, not of a round's models",
	"ui/screen/scenes/graph/form.go: rule":           "the window also has rules of one's own",
	"ui/screen/scenes/graph/form.go: share":          "of the pixels of an image, not of a suite",
	"ui/screen/scenes/graph/form.go: min-support":    "what 0 stands for on the command line is said as a number",
	"ui/screen/scenes/graph/form.go: min-confidence": "what 0 stands for on the command line is said as a number",
}

// TestFormsAgreeWithCommands: a number or a choice that a form of the window declares by itself has
// the default, the bounds and the choices of a command's option of that name. Forms that embed a
// command's struct agree anyway.
func TestFormsAgreeWithCommands(t *testing.T) {
	ofCommands := map[string][]option.Field{}
	for _, n := range everyCommand(t) {
		for _, f := range option.Fields(optionsOf(n)) {
			ofCommands[f.Name] = append(ofCommands[f.Name], f)
		}
	}
	compared := 0
	inWindow(t, func(where string, n ast.Node) {
		field, ok := n.(*ast.Field)
		if !ok || field.Tag == nil || len(field.Names) == 0 || !strings.Contains(field.Tag.Value, "help:") {
			return
		}
		name, tag := option.Name(field.Names[0].Name), reflect.StructTag(strings.Trim(field.Tag.Value, "`"))
		one, same, agree := where+": "+name, 0, false
		for _, f := range ofCommands[name] {
			if is, yes := agrees(field.Type, tag, f); is {
				same++
				agree = agree || yes
			}
		}
		if compared += same; same > 0 && agree == (ownForms[one] != "") {
			t.Errorf("%s: %s; commands have %s (%s)", one, tag, ofCommands[name][0].Help, ofCommands[name][0].Bounds())
		}
	})
	if compared < 10 {
		t.Errorf("%d options of forms were compared", compared)
	}
}

// inWindow visits the syntax of the window's packages; where is the file.
func inWindow(t *testing.T, visit func(where string, n ast.Node)) {
	t.Helper()
	root := os.DirFS(testdata.Root())
	testdata.OK(t, fs.WalkDir(root, "ui", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, mustRead(t, path), parser.SkipObjectResolution)
		ast.Inspect(file, func(n ast.Node) bool { visit(path, n); return true })
		return err
	}))
}

// TestTheWindowNamesCommands: the lines that the window copies begin with the words of a command.
// That the command takes the options behind them back is what
// TestSettingsComeBackFromTheCommandLine holds.
func TestTheWindowNamesCommands(t *testing.T) {
	commands, named := slices.Collect(maps.Keys(everyCommand(t))), 0
	inWindow(t, func(where string, n ast.Node) {
		list, ok := n.(*ast.CompositeLit)
		if !ok {
			return
		}
		var words []string
		for _, e := range list.Elts {
			if word, ok := e.(*ast.BasicLit); ok && word.Kind == token.STRING {
				words = append(words, strings.Trim(word.Value, `"`))
			}
		}
		if len(words) < 2 || words[0] != "variscope" {
			return
		}
		named++
		line := strings.Join(words[1:], " ") + " " // an argument may stand behind the command
		if !slices.ContainsFunc(commands, func(c string) bool { return strings.HasPrefix(line, c+" ") }) {
			t.Errorf("%s: there is no command %q", where, words)
		}
	})
	if named < 10 {
		t.Errorf("%d commands are named", named)
	}
}

// agrees tells whether a field of a form has the default, the bounds and the choices of a command's
// option, where both are numbers of one kind or choices. A form may leave out that nothing is
// chosen.
func agrees(of ast.Expr, tag reflect.StructTag, f option.Field) (same, agree bool) {
	kind, _ := of.(*ast.Ident)
	low, high := math.Inf(-1), math.Inf(1)
	switch choices := strings.Trim(tag.Get("enum"), ","); {
	case choices != "" && f.Kind == option.Choice:
		return true, choices == strings.Trim(strings.Join(f.Choices, ","), ",") && tag.Get("default") == f.Default
	case kind == nil || kind.Name != map[option.Kind]string{option.Number: "float64", option.Whole: "int"}[f.Kind]:
		return false, false
	}
	for key, bound := range map[string]*float64{"min": &low, "above": &low, "max": &high} {
		if v, err := strconv.ParseFloat(tag.Get(key), 64); err == nil {
			*bound = v
		}
	}
	return true, tag.Get("default") == f.Default && low == f.Min && high == f.Max && (tag.Get("above") != "") == f.Above
}

// TestBoundsAreThoseOfTheEngine: where the engine has bounds or choices of its own, the option has
// the same.
func TestBoundsAreThoseOfTheEngine(t *testing.T) {
	of := func(options any, name string) option.Field {
		fields := option.Fields(options)
		return fields[slices.IndexFunc(fields, func(f option.Field) bool { return f.Name == name })]
	}
	if f := of(&dscoreCommand{}, "n"); f.Max != region.MaxGrid {
		t.Errorf("--n ends at %v, and the engine takes %d", f.Max, region.MaxGrid)
	}
	if f := of(&corruptCommand{}, "severity"); f.Max != corrupt.Severities {
		t.Errorf("--severity ends at %v, and the engine takes %d", f.Max, corrupt.Severities)
	}
	raster := of(&backgroundMatrixCommand{}, "raster")
	for side, want := range map[float64]bool{
		raster.Min - 1: false, raster.Min: true, raster.Max: true,
		raster.Max + 1: false,
	} {
		layout := feature.DefaultBackgroundLayout()
		layout.Background.Raster = int(side)
		if _, err := layout.Validate(); (err == nil) != want {
			t.Errorf("a raster of %v: %v", side, err)
		}
	}
	if got := of(&backgroundMatrixCommand{}, "format").Choices; !slices.Equal(got, render.Formats()) {
		t.Errorf("pictures of background matrix are %v, and the engine draws %v", got, render.Formats())
	}
	measures := (&background.MatrixOptions{Measure: []string{"all"}}).Measures()
	for k, m := range scenes.Measures() {
		if measures[k] != string(m) {
			t.Errorf("measure %d is %s, want %s", k, measures[k], m)
		}
	}
	if got := of(&backgroundMatrixCommand{}, "measure").Choices; !slices.Equal(got, append(measures, "all")) {
		t.Errorf("measures of background matrix are %v, and there are %v", got, measures)
	}
	if got := of(&matrixCommand{}, "format").Choices; !slices.Equal(got,
		append([]string{"npz", "npy", "csv"}, render.Formats()...)) {
		t.Errorf("files of matrix are %v, and the engine draws %v", got, render.Formats())
	}
	most := int(of(&assess.SchemeOptions{}, "repetitions").Max)
	for _, n := range []int{most, most + 1} {
		rows := []assess.Row{{ID: "a", Label: label.Invariant}, {ID: "b", Label: label.Variant}}
		_, _, err := assess.Data{Rows: rows}.Folds(assess.Scheme{Kind: assess.KFold, Folds: 2, Repetitions: n})
		if refused := err != nil && strings.Contains(err.Error(), "repetitions; use"); refused != (n > most) {
			t.Errorf("%d repetitions: %v", n, err)
		}
	}
}

// TestSettingsComeBackFromTheCommandLine draws settings of every command, writes them as arguments
// and parses these: the settings are the same.
func TestSettingsComeBackFromTheCommandLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a file")
	testdata.OK(t, os.WriteFile(file, nil, 0o600))
	changed := 0
	for words, n := range everyCommand(t) {
		types := map[string]string{}
		for _, v := range n.Positional {
			types[v.Name] = v.Tag.Type
		}
		for _, f := range n.Flags {
			types[f.Name] = f.Tag.Type
		}
		rapid.Check(t, func(t *rapid.T) {
			of := optionsOf(n)
			option.SetDefaults(of)
			for _, f := range option.Fields(of) {
				if f.Required {
					set(t, f, types[f.Name], file)
				}
			}
			for _, f := range option.Fields(of) {
				if f.Required || !rapid.Bool().Draw(t, f.Name+" is set") {
					continue
				}
				before := f.Text()
				set(t, f, types[f.Name], file)
				if option.Check(of) != nil { // it does not go with the others
					testdata.OK(t, f.Set(before))
				}
			}
			args := option.Args(of)
			changed += len(args)
			var said bytes.Buffer
			again := reflect.New(n.Target.Type()).Interface()
			s := &Session{ctx: t.Context(), stdout: io.Discard, stderr: &said}
			if parsed, _ := parse(again, args, s); parsed == nil {
				t.Fatalf("%s %q: %s", words, args, said.String())
			}
			if diff := cmp.Diff(option.Record(of), option.Record(again)); diff != "" {
				t.Fatalf("%s %q: %s", words, args, diff)
			}
		})
	}
	if changed < 1000 {
		t.Errorf("only %d arguments were tried", changed)
	}
}

// set gives an option a value that it takes, drawn at random. kind is kong's tag type; file is one
// that exists, for the types that ask for it.
func set(t *rapid.T, f option.Field, kind, file string) {
	odd := rapid.SampledFrom([]string{"-", "--", "-x", "--json", "a b", "a=b", `\`, `a\,b`, "é", "all"})
	texts := map[option.Kind]*rapid.Generator[string]{
		option.Text:   rapid.OneOf(rapid.String(), odd),
		option.Switch: rapid.SampledFrom([]string{"true", "false"}),
		option.Whole: rapid.Map(rapid.Int64Range(int64(math.Max(f.Min, -1<<62)), int64(math.Min(f.Max, 1<<62))),
			func(n int64) string { return fmt.Sprint(n) }),
		option.Number: rapid.Map(rapid.Float64Range(math.Max(f.Min, -1e300), math.Min(f.Max, 1e300)),
			func(x float64) string { return fmt.Sprint(x) }),
		option.Duration: rapid.Map(rapid.Int64Range(int64(math.Max(1, f.Min)), 1<<40),
			func(n int64) string { return time.Duration(n).String() }),
		option.Path: rapid.Map(rapid.String(), func(text string) string {
			return "/" + strings.Trim(strings.Map(func(r rune) rune {
				if strings.ContainsRune("/,\n\x00", r) {
					return -1
				}
				return r
			}, text), ".")
		}),
	}[f.Kind]
	switch {
	case len(f.Choices) > 0:
		texts = rapid.SampledFrom(f.Choices)
	case kind == "existingfile":
		texts = rapid.Just(file)
	case kind == "existingdir":
		texts = rapid.Just(filepath.Dir(file))
	}
	text := texts.Draw(t, f.Name)
	if f.List {
		between := rapid.SampledFrom([]string{",", "\n"}).Draw(t, "between")
		text = strings.Join(rapid.SliceOfN(texts, 0, 3).Draw(t, f.Name), between)
	}
	if err := f.Set(text); err == nil {
		return
	} else if e := (*option.Error)(nil); !errors.As(err, &e) {
		t.Fatal(err)
	}
	if f.Required { // the text is empty, or blank in a list
		testdata.OK(t, f.Set(map[bool]string{true: "/a", false: "a"}[f.Kind == option.Path]))
	}
}
