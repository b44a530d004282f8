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
		r, err := f.Open()
		must(tb, err)
		if list[f.Name], err = io.ReadAll(r); err != nil {
			tb.Fatal(err)
		}
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
	if _, err := writeFile(place, func(w io.Writer) error {
		return writeArchive(tb.Context(), w, m, sources, func() {})
	}); err != nil {
		tb.Fatal(err)
	}
	return place
}

// raw writes an archive of exactly these members, in order.
func raw(tb testing.TB, list ...[2]string) string {
	tb.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range list {
		into, err := w.Create(m[0])
		must(tb, err)
		if _, err := io.WriteString(into, m[1]); err != nil {
			tb.Fatal(err)
		}
	}
	must(tb, w.Close())
	path := filepath.Join(tb.TempDir(), "raw.zip")
	must(tb, os.WriteFile(path, out.Bytes(), 0o644))
	return path
}

// state is everything that a package or labels could change.
func state(tb testing.TB, ws *store.Workspace) string {
	tb.Helper()
	rounds, err := ws.Rounds()
	must(tb, err)
	models, err := ws.Models()
	must(tb, err)
	suites, err := ws.Suites()
	must(tb, err)
	var events [][]label.Event
	for _, r := range rounds {
		list, err := ws.Events(r.ID)
		must(tb, err)
		events = append(events, list)
	}
	files, err := filepath.Glob(filepath.Join(ws.Path(), "*", "*"))
	must(tb, err)
	text, err := json.Marshal([]any{rounds, models, suites, events, files})
	must(tb, err)
	return string(text)
}

func TestDamagedPackagesChangeNothing(t *testing.T) {
	ws, r := home(t, nil)
	path := packed(t, ws, r, true)
	model, evidence := modelPath(r.Models[0]), allPath(r.Models[0])
	there := sums.Empty(t)
	before := state(t, there)
	for want, file := range map[string]string{
		"belongs to something else": rewrite(t, path,
			func(m map[string][]byte) { m[evidence] = m[allPath(r.Models[1])] }),
		"not as many as it says": rewrite(t, path,
			func(m map[string][]byte) { m[evidence] = m[evidence][:len(m[evidence])-8] }),
		"is not finite": rewrite(t, path,
			func(m map[string][]byte) { copy(m[evidence][len(m[evidence])-8:], bytes.Repeat([]byte{255}, 8)) }),
		"cut off": rewrite(t, path, func(m map[string][]byte) { m[evidence] = []byte{9, 9, 9, 9} }),
		"describes another model": rewrite(t, path,
			func(m map[string][]byte) { m[model] = m[modelPath(r.Models[1])] }),
		"a newer Variscope wrote it": rewrite(t, path,
			func(m map[string][]byte) { m["round.json"] = []byte(`{"future":1}`) }),
		"is missing":           rewrite(t, path, func(m map[string][]byte) { delete(m, evidence) }),
		"does not belong into": rewrite(t, path, func(m map[string][]byte) { m["evil.sh"] = []byte("x") }),
		"its file is another one": rewrite(t, path,
			func(m map[string][]byte) { m[onnxPath(r.Models[2])] = []byte("other") }),
		"its images are not those": rewrite(t, path, func(m map[string][]byte) {
			m["images/bird/0.png"] = bytes.Repeat([]byte("x"), len(m["images/bird/0.png"]))
		}),
		"path that is not allowed": rewrite(t, path, func(m map[string][]byte) { m["../evil"] = []byte("x") }),
		"no zip archive":           rewriteFile(t, path, func(b []byte) []byte { return b[:len(b)/2] }),
		"manifest names another": rewrite(t, path, func(m map[string][]byte) {
			m["round.json"] = bytes.Replace(m["round.json"], []byte(r.ID), []byte("01ARZ3NDEKTSV4RRFFQ69G5FAV"), 1)
		}),
		"its suite is": rewrite(t, path, func(m map[string][]byte) {
			m["suite.json"] = bytes.Replace(m["suite.json"], []byte(r.Suite[:9]), []byte("000000000"), 1)
		}),
		"its first member must be": raw(t, [2]string{"round.json", "{}"}),
		"it is no round package":   raw(t, [2]string{manifestName, `{"format":"variscope labels","version":1}`}),
		"a newer Variscope wrote it (v": raw(t, [2]string{
			manifestName,
			`{"format":"variscope round package","version":5}`,
		}),
		"stands in it twice": raw(t, [2]string{
			manifestName,
			`{"format":"variscope round package","version":1}`,
		}, [2]string{"a", ""}, [2]string{"a", ""}),
		"not listed": raw(t, [2]string{
			manifestName,
			`{"format":"variscope round package","version":1}`,
		}, [2]string{"a", ""}),
		"has not the size": raw(t, [2]string{
			manifestName,
			`{"format":"variscope round package","version":1,"members":[{"path":"a","size":2}]}`,
		}, [2]string{"a", "x"}),
		"is damaged: its content": raw(t, [2]string{
			manifestName,
			`{"format":"variscope round package","version":1,"members":[{"path":"round.json","size":2}]}`,
		},
			[2]string{"round.json", "{}"}),
		"too large": raw(t, [2]string{
			manifestName,
			`{"format":"variscope round package","version":1,"members":[{"path":"round.json","size":67108865}]}`,
		},
			[2]string{"round.json", strings.Repeat(" ", maxMember+1)}),
	} {
		_, err := Open(t.Context(), there, file, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if after := state(t, there); after != before {
			t.Fatalf("%s: the workspace changed", want)
		}
	}
}

func rewriteFile(tb testing.TB, path string, change func([]byte) []byte) string {
	tb.Helper()
	data, err := os.ReadFile(path)
	must(tb, err)
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
		plan, err := Preview(t.Context(), ws, []string{path, file}, Reading{}, nil)
		must(t, err)
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
