package ui

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/words"
)

const baseFile = "words/translations/en.json"

// text is what a translation file holds for a key: one text, or forms by count.
type text struct {
	Text  string
	Forms map[string]string
}

func (t text) MarshalJSON() ([]byte, error) {
	if t.Forms != nil {
		return plainJSON(t.Forms)
	}
	return plainJSON(t.Text)
}

func (t *text) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &t.Text); err == nil {
		return nil
	}
	return json.Unmarshal(data, &t.Forms)
}

func (t text) all() []string {
	list := []string{t.Text}
	for _, form := range t.Forms {
		list = append(list, form)
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

func (t text) equal(u text) bool {
	return t.Text == u.Text && len(t.Forms) == len(u.Forms) && t.Forms["one"] == u.Forms["one"] && t.Forms["other"] == u.Forms["other"]
}

// plainJSON leaves <, > and & as they are.
func plainJSON(v any) ([]byte, error) {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return []byte(out.String()), err
}

// TestTheBaseFileHasEveryText compares the texts that the code looks up with the English file. With VARISCOPE_WRITE_WORDS
// the file is written anew.
func TestTheBaseFileHasEveryText(t *testing.T) {
	used := usedWords(t)
	if len(used) < 800 {
		t.Fatalf("only %d texts are looked up", len(used))
	}
	if os.Getenv("VARISCOPE_WRITE_WORDS") != "" {
		writeWords(t, used)
	}
	base := readWords(t, baseFile)
	for key, want := range used {
		if got, ok := base[key]; !ok {
			t.Errorf("%q is not in %s", key, baseFile)
		} else if !got.equal(want) {
			t.Errorf("%q is %+v in %s", key, got, baseFile)
		}
		delete(base, key)
	}
	for key := range base {
		t.Errorf("%q is in %s and nowhere else", key, baseFile)
	}
}

// TestEveryLanguageFits keeps a translation from texts that nothing looks up and from other values than the code has.
func TestEveryLanguageFits(t *testing.T) {
	files, err := filepath.Glob("words/translations/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	used := usedWords(t)
	for _, file := range files {
		for key, translated := range readWords(t, file) {
			original, ok := used[key]
			if !ok || len(translated.all()) == 0 {
				t.Errorf("%s: %q", file, key)
				continue
			}
			for _, form := range translated.all() {
				if got, want := verbs(form), verbs(original.all()[0]); !slices.Equal(got, want) {
					t.Errorf("%s: %q has %q, the code %q", file, form, got, want)
				}
			}
		}
	}
}

var verb = regexp.MustCompile(`%[-+#0]*(\d+|\*)?(\.\d*)?(\[(\d+)\])?([a-zA-Z])`)

// verbs are those of a text in the order of their values.
func verbs(text string) []string {
	var list []string
	for at, found := range verb.FindAllStringSubmatch(strings.ReplaceAll(text, "%%", ""), -1) {
		if found[4] != "" {
			at, _ = strconv.Atoi(found[4])
			at--
		}
		list = append(list, strconv.Itoa(at)+found[5])
	}
	slices.Sort(list)
	return list
}

func readWords(t *testing.T, path string) map[string]text {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]text{}
	if err := json.Unmarshal(data, &texts); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return texts
}

func writeWords(t *testing.T, used map[string]text) {
	t.Helper()
	file, err := os.Create(baseFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := json.NewEncoder(file)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(used); err != nil {
		t.Fatal(err)
	}
}

// finder collects the texts that a package looks up.
type finder struct {
	t         *testing.T
	files     *token.FileSet
	constants map[string]string
	used      map[string]text
}

// usedWords are the texts that the window looks up, found in all the code below this folder, by name in a translation file.
func usedWords(t *testing.T) map[string]text {
	t.Helper()
	used := map[string]text{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		f := finder{t: t, files: token.NewFileSet(), constants: map[string]string{}, used: used}
		f.folder(path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return used
}

func (f *finder) folder(path string) {
	f.t.Helper()
	paths, err := filepath.Glob(filepath.Join(path, "*.go"))
	if err != nil {
		f.t.Fatal(err)
	}
	var trees []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(f.files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			f.t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	for _, tree := range trees {
		for _, declared := range tree.Decls {
			f.declared(declared)
		}
	}
	for _, tree := range trees {
		for _, declared := range tree.Decls {
			if function, ok := declared.(*ast.FuncDecl); ok && function.Name.Name == "Counted" {
				continue // it makes its two texts from a noun, which is found where it is called
			}
			ast.Inspect(declared, f.visit)
		}
	}
}

// declared notes the package's constant texts.
func (f *finder) declared(d ast.Decl) {
	group, ok := d.(*ast.GenDecl)
	if !ok || group.Tok != token.CONST {
		return
	}
	for _, spec := range group.Specs {
		value := spec.(*ast.ValueSpec)
		for k, name := range value.Names {
			if k < len(value.Values) {
				if text, ok := f.constant(value.Values[k]); ok {
					f.constants[name.Name] = text
				}
			}
		}
	}
}

// constant is the value of a text literal, of several with + between them, or of a constant.
func (f *finder) constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		text, ok := f.constants[e.Name]
		return text, ok
	case *ast.BinaryExpr:
		left, ok := f.constant(e.X)
		right, also := f.constant(e.Y)
		return left + right, ok && also && e.Op == token.ADD
	}
	return "", false
}

func (f *finder) visit(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return true
	}
	function, name := called(call.Fun)
	switch {
	case function == "lang" && (name == "L" || name == "N"):
		f.t.Errorf("%s: texts are looked up with package words", f.files.Position(call.Pos()))
	case name == "Counted" && (function == "present" || function == ""):
		noun := f.argument(call, 1)
		f.add("%s "+present.Plural(noun), text{Forms: map[string]string{"one": "%s " + noun, "other": "%s " + present.Plural(noun)}}, call)
	case function != "words":
	case name == "T", name == "Error":
		key := f.argument(call, 0)
		f.add(key, text{Text: key}, call)
	case name == "F", name == "E":
		key := f.argument(call, 0)
		f.add(key, text{Text: key}, call)
		f.values(call, key, 1)
	case name == "N":
		one, many := f.argument(call, 1), f.argument(call, 2)
		f.add(many, text{Forms: map[string]string{"one": one, "other": many}}, call)
		f.values(call, many, 3)
		f.values(call, one, 3)
	}
	return true
}

// called names the package and the function of a call; a function of the same package has no package.
func called(function ast.Expr) (pkg, name string) {
	switch function := function.(type) {
	case *ast.Ident:
		return "", function.Name
	case *ast.SelectorExpr:
		if of, ok := function.X.(*ast.Ident); ok {
			return of.Name, function.Sel.Name
		}
	}
	return "", ""
}

func (f *finder) argument(call *ast.CallExpr, k int) string {
	f.t.Helper()
	if k < len(call.Args) {
		if text, ok := f.constant(call.Args[k]); ok {
			return text
		}
	}
	f.t.Errorf("%s: the text is no constant", f.files.Position(call.Pos()))
	return ""
}

func (f *finder) add(key string, t text, call *ast.CallExpr) {
	f.t.Helper()
	name := words.Name(key)
	if before, ok := f.used[name]; ok && !before.equal(t) {
		f.t.Errorf("%s: %q has other forms elsewhere", f.files.Position(call.Pos()), key)
	}
	f.used[name] = t
}

// values compares the number of values with the verbs of the text.
func (f *finder) values(call *ast.CallExpr, key string, from int) {
	f.t.Helper()
	plain := strings.ReplaceAll(strings.ReplaceAll(key, "%%", ""), "%w", "%s")
	if want := len(verb.FindAllString(plain, -1)); want != len(call.Args)-from && !call.Ellipsis.IsValid() {
		f.t.Errorf("%s: %d values for %q", f.files.Position(call.Pos()), len(call.Args)-from, key)
	}
}
