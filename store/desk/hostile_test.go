package desk

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// members reads an archive as it is.
func members(tb testing.TB, path string) map[string][]byte {
	tb.Helper()
	in, err := zip.OpenReader(path)
	must(tb, err)
	defer in.Close()
	list := map[string][]byte{}
	for _, f := range in.File {
		r := testdata.Must(f.Open())(tb)
		list[f.Name] = testdata.Must(io.ReadAll(r))(tb)
	}
	return list
}

// rewrite changes members of an archive and writes a manifest that fits them: what a forger would
// do.
func rewrite(tb testing.TB, path string, change func(map[string][]byte)) string {
	tb.Helper()
	list := members(tb, path)
	var m manifest
	must(tb, json.Unmarshal(list[manifestName], &m))
	delete(list, manifestName)
	change(list)
	var sources []source
	for name, content := range list {
		sources = append(sources, text(name, content))
	}
	place := filepath.Join(tb.TempDir(), "forged"+filepath.Ext(path))
	must(tb, testdata.Err(writeFile(place, func(w io.Writer) error {
		return writeArchive(tb.Context(), w, m, sources, func() {})
	})))
	return place
}

// raw writes an archive of exactly these members, in order.
func raw(tb testing.TB, list ...[2]string) string {
	tb.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range list {
		into := testdata.Must(w.Create(m[0]))(tb)
		must(tb, testdata.Err(io.WriteString(into, m[1])))
	}
	must(tb, w.Close())
	path := filepath.Join(tb.TempDir(), "raw.zip")
	must(tb, os.WriteFile(path, out.Bytes(), 0o644))
	return path
}

// state is everything that a package or labels could change.
func state(tb testing.TB, ws *store.Workspace) string {
	tb.Helper()
	rounds := testdata.Must(ws.Rounds())(tb)
	var labels [][]label.Event
	for _, r := range rounds {
		labels = append(labels, events(tb, ws, r))
	}
	files := testdata.Must(filepath.Glob(filepath.Join(ws.Path(), "*", "*")))(tb)
	all := []any{rounds, testdata.Must(ws.Models())(tb), testdata.Must(ws.Suites())(tb), labels, files}
	return string(testdata.Must(json.Marshal(all))(tb))
}

// refusedWhole opens packages, each of which is refused in these words, and changes nothing.
func refusedWhole(t *testing.T, files map[string]string) {
	t.Helper()
	there := sums.Empty(t)
	before := state(t, there)
	for want, file := range files {
		testdata.Refused(t, want, testdata.Err(Open(t.Context(), there, file, nil)), want)
		testdata.Is(t, want+": the workspace", state(t, there), before)
	}
}

func TestDamagedPackagesChangeNothing(t *testing.T) {
	ws, r := home(t, nil)
	path := packed(t, ws, r, true)
	model, evidence := modelPath(r.Models[0]), allPath(r.Models[0])
	type list = map[string][]byte
	edit := func(change func(m list)) string { return rewrite(t, path, change) }
	replaced := func(name, from, to string) string {
		return edit(func(m list) { m[name] = bytes.Replace(m[name], []byte(from), []byte(to), 1) })
	}
	// head is an archive that begins with a manifest of these fields.
	head := func(fields string, more ...[2]string) string {
		manifest := [2]string{manifestName, `{"format":"variscope round package","version":` + fields + "}"}
		return raw(t, append([][2]string{manifest}, more...)...)
	}
	empty, round := [2]string{"a", ""}, [2]string{"round.json", "{}"}
	refusedWhole(t, map[string]string{
		"belongs to something else": edit(func(m list) { m[evidence] = m[allPath(r.Models[1])] }),
		"not as many as it says":    edit(func(m list) { m[evidence] = m[evidence][:len(m[evidence])-8] }),
		"is not finite": edit(func(m list) {
			copy(m[evidence][len(m[evidence])-8:], bytes.Repeat([]byte{255}, 8))
		}),
		"cut off":                    edit(func(m list) { m[evidence] = []byte{9, 9, 9, 9} }),
		"describes another model":    edit(func(m list) { m[model] = m[modelPath(r.Models[1])] }),
		"a newer Variscope wrote it": edit(func(m list) { m["round.json"] = []byte(`{"future":1}`) }),
		"is missing":                 edit(func(m list) { delete(m, evidence) }),
		"does not belong into":       edit(func(m list) { m["evil.sh"] = []byte("x") }),
		"its file is another one":    edit(func(m list) { m[onnxPath(r.Models[2])] = []byte("other") }),
		"its images are not those": edit(func(m list) {
			m["images/bird/0.png"] = bytes.Repeat([]byte("x"), len(m["images/bird/0.png"]))
		}),
		"path that is not allowed":      edit(func(m list) { m["../evil"] = []byte("x") }),
		"no zip archive":                rewriteFile(t, path, func(b []byte) []byte { return b[:len(b)/2] }),
		"manifest names another":        replaced("round.json", r.ID, "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
		"its suite is":                  replaced("suite.json", r.Suite[:9], "000000000"),
		"its first member must be":      raw(t, round),
		"it is no round package":        raw(t, [2]string{manifestName, `{"format":"variscope labels","version":1}`}),
		"a newer Variscope wrote it (v": head("5"),
		"stands in it twice":            head("1", empty, empty),
		"not listed":                    head("1", empty),
		"listed twice": head(`1,"members":[{"path":"a","size":0},{"path":"a","size":0}]`, // and would hide b
			empty, [2]string{"b", ""}),
		"has not the size":        head(`1,"members":[{"path":"a","size":2}]`, [2]string{"a", "x"}),
		"is damaged: its content": head(`1,"members":[{"path":"round.json","size":2}]`, round),
		"too large": head(`1,"members":[{"path":"round.json","size":67108865}]`,
			[2]string{"round.json", strings.Repeat(" ", maxMember+1)}),
	})
}

func rewriteFile(tb testing.TB, path string, change func([]byte) []byte) string {
	tb.Helper()
	data := testdata.Must(os.ReadFile(path))(tb)
	place := filepath.Join(tb.TempDir(), filepath.Base(path))
	must(tb, os.WriteFile(place, change(slices.Clone(data)), 0o644))
	return place
}

func TestDamagedLabelsChangeNothing(t *testing.T) {
	ws, r := home(t, nil)
	there := invited(t, ws, r, false)
	put(t, there, r, "a", 0, label.Variant)
	put(t, there, r, "a", 1, label.Invariant)
	path := sent(t, there, r, "")
	edit := func(from, to string) string {
		return rewrite(t, path, func(m map[string][]byte) {
			changed := strings.Replace(string(m[eventsPath]), from, to, 1)
			if changed == string(m[eventsPath]) {
				t.Fatalf("%q is not in the events", from)
			}
			m[eventsPath] = []byte(changed)
		})
	}
	events, err := there.Events(r.ID)
	must(t, err)
	before := state(t, ws)
	for want, file := range map[string]string{
		"it cannot be read, or a newer": edit(`"sure":true`, `"sure":true,"future":1`),
		"something follows":             edit("\n", "{}\n"),
		"belongs to another round":      edit(`"round":"`+r.ID, `"round":"01ARZ3NDEKTSV4RRFFQ69G5FAV`),
		"made at another desk":          edit(`"desk":"`+there.Desk(), `"desk":"01ARZ3NDEKTSV4RRFFQ69G5FAV`),
		"its id is no ULID":             edit(events[0].ID, strings.ToLower(events[0].ID)),
		"far future":                    edit(events[0].ID, "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"),
		"holds 1 label events and says 2": rewrite(t, path,
			func(m map[string][]byte) { m[eventsPath] = m[eventsPath][:bytes.IndexByte(m[eventsPath], '\n')+1] }),
		"is not in round":                  edit(r.Models[0], strings.Repeat("0", 64)),
		"is not an annotator":              edit(`"annotator":"a"`, `"annotator":"z"`),
		"holds more than labels":           rewrite(t, path, func(m map[string][]byte) { m["more"] = nil }),
		"neither a file of labels nor":     rewriteFile(t, path, func([]byte) []byte { return []byte("id,label\n") }),
		"open its round package first":     otherRound(t),
		"no such file":                     filepath.Join(t.TempDir(), "absent.vlabels"),
		"its content is not what the mani": rewriteFile(t, path, func(b []byte) []byte { b[len(b)/2]++; return b }),
	} {
		plan := testdata.Must(Preview(t.Context(), ws, []string{path, file}, Reading{}, nil))(t)
		if plan.Files[0].Refuse != "" || plan.Good() != 1 || plan.Added != 2 {
			t.Errorf("%s: the good file is refused too: %+v", want, plan.Files[0])
		}
		if problem := plan.Problem(); problem == nil || !strings.Contains(problem.Error(), want) &&
			want != "its content is not what the mani" {
			t.Errorf("%v, want %q", problem, want)
		}
		if state(t, ws) != before {
			t.Fatalf("%s: a preview changed the workspace", want)
		}
	}
}

// otherRound is a file of labels of a round that is nowhere else.
func otherRound(t *testing.T) string {
	t.Helper()
	ws, r := home(t, nil)
	put(t, ws, r, "b", 0, label.Variant)
	return sent(t, ws, r, "")
}
