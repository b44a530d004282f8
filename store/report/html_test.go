package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

// The page's structure: head, contents, one section per heading, tables with heads, figures with
// descriptions.
func TestPageStructure(t *testing.T) {
	d := newDesk(t)
	report := d.make(d.question(0, 1))
	page := htmlOf(t, report)
	if !strings.HasPrefix(page, "<!doctype html>\n<html lang=\"en\">") {
		t.Errorf("it begins %q", page[:60])
	}
	p := parse(t, page)
	for name, want := range map[string]int{
		"h1": 1, "nav": 1, "main": 1, "style": 1, "section": len(report.Sections), "h2": len(report.Sections),
		"script": 0, "link": 0, "iframe": 0, "object": 0,
	} {
		if got := p.count(name); got != want {
			t.Errorf("%d elements %s, want %d", got, name, want)
		}
	}
	anchors := map[string]bool{}
	p.each("section", func(n *html.Node) { anchors[attribute(n, "id")] = true })
	links := 0
	p.each("a", func(n *html.Node) {
		links++
		if to := attribute(n, "href"); !anchors[strings.TrimPrefix(to, "#")] {
			t.Errorf("%q leads nowhere", to)
		}
	})
	if links != len(contents(report)) || len(anchors) != len(report.Sections) {
		t.Errorf("%d links to %d anchors", links, len(anchors))
	}
	p.each("tr", func(n *html.Node) {
		if n.Parent.Data == "thead" {
			return
		}
		cells := 0
		for c := range n.ChildNodes() {
			if c.Data == "td" {
				cells++
			}
		}
		heads := 0
		for c := range n.Parent.Parent.Descendants() {
			if c.Data == "th" {
				heads++
			}
		}
		if cells != heads {
			t.Errorf("a row of %d cells below %d heads: %s", cells, heads, text(n))
		}
	})
	p.each("svg", func(n *html.Node) {
		if attribute(n, "aria-label") == "" || attribute(n, "viewBox") == "" {
			t.Error("a drawing without description or size")
		}
	})
}

// Nothing is fetched: every address in the file is a picture in the file itself or a place on the
// page.
func TestPageIsSelfContained(t *testing.T) {
	d := newDesk(t)
	page := htmlOf(t, d.make(d.question(0)))
	images := 0
	parse(t, page).each("", func(n *html.Node) {
		for _, a := range n.Attr {
			switch a.Key {
			case "href", "src", "srcset", "data", "action":
				inside := strings.HasPrefix(a.Val, "data:image/png;base64,") || strings.HasPrefix(a.Val, "#part-")
				if !inside {
					t.Errorf("%s has %s=%.60q", n.Data, a.Key, a.Val)
				}
			case "onload", "onclick", "onerror":
				t.Errorf("%s has an attribute %s", n.Data, a.Key)
			}
		}
		if n.Data == "image" {
			images++
		}
	})
	if images != 10 { // five matrices with their colour bars
		t.Errorf("%d images", images)
	}
	for _, bad := range []string{"http://", "https://", "@import", "url(", "ZgotmplZ"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	expect(t, page, "default-src 'none'", "prefers-color-scheme: dark", "@media print")
}

// Text from outside is text on the page, wherever it stands.
func TestHostileTextStaysText(t *testing.T) {
	d := newDesk(t)
	m := d.addModel("m "+hostile, true)
	d.run(m, 7)
	r := d.addRound(func(r *label.Round) { r.Name, r.Annotators = "r "+hostile, []string{"a", "b", "c" + hostile} })
	d.put(r, "a", 3, label.Invariant, func(ev *label.Event) { ev.Note, ev.Flag = "n "+hostile, "f "+hostile })
	d.put(r, r.Annotators[2], 3, label.Variant, nil)
	q := d.question(3, 0)
	ofRound := roundQuestion(r)
	ofRound.Notes = true
	for _, question := range []Request{q, ofRound} {
		p := parse(t, htmlOf(t, d.make(question)))
		for _, name := range []string{"script", "img"} {
			if n := p.count(name); n != 0 {
				t.Errorf("%d elements %s came in", n, name)
			}
		}
		p.each("", func(n *html.Node) {
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s has %s", n.Data, a.Key)
				}
			}
		})
		all := text(p.root)
		expect(t, all, hostile)
		if p.count("section") != len(d.make(question).Sections) {
			t.Error("a text closed an element")
		}
	}
	expect(t, text(parse(t, htmlOf(t, d.make(ofRound))).root), "n "+hostile, "f "+hostile, "Round r "+hostile,
		"m "+hostile+": a invariant, c"+hostile+" variant")
}

// Equal workspaces and questions give equal bytes; another date changes one line.
func TestEqualQuestionsGiveEqualBytes(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(nil)
	d.labelAll(r)
	for name, q := range map[string]Request{"model": d.question(0, 1), "round": roundQuestion(r)} {
		t.Run(name, func(t *testing.T) {
			first, again := htmlOf(t, d.make(q)), htmlOf(t, d.make(q))
			if first != again {
				t.Error("two pages of one question differ")
			}
			pdf := pdfOf(t, d.make(q))
			for range 3 {
				if !slices.Equal(pdf, pdfOf(t, d.make(q))) {
					t.Error("two PDFs of one question differ")
				}
			}
			q.Written = written.Add(time.Hour)
			a, b := strings.Split(first, "\n"), strings.Split(htmlOf(t, d.make(q)), "\n")
			var changed []string
			for k := range a {
				if a[k] != b[k] {
					changed = append(changed, b[k])
				}
			}
			if len(a) != len(b) || len(changed) != 1 || changed[0] != "<p>Written 2026-03-01 13:30 UTC</p>" {
				t.Errorf("another date changes %q", changed)
			}
		})
	}
}

func TestWriteReplacesWholeFilesOnly(t *testing.T) {
	d := newDesk(t)
	report := d.make(d.question(0))
	folder := filepath.Join(t.TempDir(), "new", "folder")
	paths := []string{filepath.Join(folder, "a.html"), filepath.Join(folder, "b.PDF")}
	files, err := report.Write(t.Context(), paths)
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for k, format := range []string{"html", "pdf"} {
		data := testdata.Must(os.ReadFile(paths[k]))(t)
		if f := files[k]; f.Path != paths[k] || f.Format != format || f.Bytes != int64(len(data)) ||
			f.SHA256 != sums.Hash(string(data)) {
			t.Errorf("%+v", f)
		}
	}
	testdata.Must(report.Write(t.Context(), paths[:1]))(t)
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Errorf("drafts are left: %v, %v", entries, err)
	}
}

// A cancel while a file is being written keeps what was there.
func TestCancelWhileWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.html")
	testdata.OK(t, os.WriteFile(path, []byte("old"), 0o644))
	ctx, cancel := context.WithCancel(t.Context())
	_, err := writeFile(ctx, path, func(w io.Writer) error {
		cancel()
		_, err := io.WriteString(w, "new")
		return err
	})
	if data, _ := os.ReadFile(path); !errors.Is(err, context.Canceled) || string(data) != "old" {
		t.Errorf("%v, the file is %q", err, data)
	}
	if _, err := writeFile(t.Context(), path, func(io.Writer) error { return errors.New("no figure") }); err == nil ||
		!strings.Contains(err.Error(), "no figure") {
		t.Errorf("%v", err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("drafts are left: %v, %v", entries, err)
	}
}

func TestPathsThatCannotBeWritten(t *testing.T) {
	d := newDesk(t)
	report := d.make(d.question(0))
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	testdata.OK(t, os.WriteFile(file, nil, 0o644))
	taken := filepath.Join(folder, "taken.html")
	testdata.OK(t, os.MkdirAll(filepath.Join(taken, "x"), 0o755))
	for path, want := range map[string]string{
		filepath.Join(folder, "a.txt"): "none of .html, .pdf", filepath.Join(folder, "a"): `the ending ""`,
		filepath.Join(file, "a.html"): "file", taken: "taken.html",
	} {
		testdata.Refused(t, path, testdata.Err(report.Write(t.Context(), []string{path})), want)
	}
	// A bad ending is found before anything is written.
	good := filepath.Join(folder, "good.html")
	if _, err := report.Write(t.Context(), []string{good, filepath.Join(folder, "bad.doc")}); err == nil {
		t.Error("a bad ending was taken")
	}
	if _, err := os.Stat(good); err == nil {
		t.Error("a file was written before the bad ending was seen")
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Errorf("drafts are left: %v, %v", entries, err)
	}
}

func TestProgressCountsModelsAndMethods(t *testing.T) {
	d := newDesk(t)
	var p testdata.Progress
	testdata.Must(Make(t.Context(), d.Workspace, d.question(0, 1, 2), &p))(t)
	p.Whole(t, int64(3+len(methods)))
}

func BenchmarkHTML(b *testing.B) { benchmarkDocument(b, func(d *Document) { htmlOf(b, d) }) }

func BenchmarkPDF(b *testing.B) { benchmarkDocument(b, func(d *Document) { pdfOf(b, d) }) }

func benchmarkDocument(b *testing.B, write func(*Document)) {
	d := newDesk(b)
	document := d.make(d.question(0, 1))
	for b.Loop() {
		write(document)
	}
}

func ExampleFormats() {
	fmt.Println(Formats())
	// Output: [html pdf]
}
