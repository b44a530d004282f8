package outside

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/variscope/variscope/internal/testdata"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain ä 日本": "plain ä 日本", "a\x1b[2Jb": `a\x1b[2Jb`, "a\nb\tc\r": `a\nb\x09c\x0d`,
		"a\u202eb": `a\u202eb`, "\u200b\u2066\ufeff": `\u200b\u2066\ufeff`,
		"\xffa\x9b": `\xffa\x9b`, "\U000e0041": `\U000e0041`, "\u3164\u115f\ufe0f": `\u3164\u115f\ufe0f`,
		"\ufffd": "\ufffd", "a\u00a0b": "a\u00a0b", `\x1b`: `\x1b`,
	} {
		if got := Visible(text); got != want || Visible(got) != got {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	testdata.Is(t, "VisibleLines", VisibleLines("a\n\tb\x1b"), "a\n\tb\\x1b")
	if got := Visible(strings.Repeat("ä", 2*longest) + "\x07"); utf8.RuneCountInString(got) != longest ||
		!strings.HasSuffix(got, `\x07`) {
		t.Error(got)
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("a\x1b]0;x\a\u202e\xff\n")
	f.Fuzz(func(t *testing.T, text string) {
		got := Visible(text)
		if !utf8.ValidString(got) || strings.ContainsFunc(got,
			func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) {
			t.Errorf("%q becomes %q", text, got)
		}
	})
}

// readers break off at hostile input, each with its own words.
func readers() map[string]error {
	type record struct {
		A int
		B struct{ C []string }
	}
	unmarshal := func(text string) error { return json.Unmarshal([]byte(text), &record{}) }
	table := func(text string) error {
		_, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		return err
	}
	_, number := strconv.ParseFloat("1,5", 64)
	_, large := strconv.Atoi("99999999999999999999")
	_, day := time.Parse(time.RFC3339, "yesterday")
	_, archive := zip.NewReader(strings.NewReader("PK\x03\x04"), 4)
	_, packed := gzip.NewReader(strings.NewReader("packed, or not?"))
	lines := bufio.NewScanner(strings.NewReader(strings.Repeat("x", 1<<17)))
	lines.Scan()
	_, short := io.ReadFull(strings.NewReader("x"), make([]byte, 2))
	var broken error
	func() {
		defer func() { broken = fmt.Errorf("%v", recover()) }()
		_ = make([]byte, 2)[:len(number.Error())*1000]
	}()
	strict := json.NewDecoder(strings.NewReader(`{"zz":1}`))
	strict.DisallowUnknownFields()
	all := map[string]error{
		"unknown field": strict.Decode(&record{}), "quote": table("a\"b,c\n"), "quotes": table("\"a\"b,c\n"),
		"cells": table("a,b\nc\n"), "open quote": table("\"a\nb"), "number": number, "large": large, "time": day,
		"zip": archive, "gzip": packed, "line": lines.Err(), "short": short,
		"end": fmt.Errorf("member: %w", io.EOF), "broken": broken,
	}
	for _, text := range []string{
		``, `{`, `{]`, `[1]`, `{"A":"x"}`, `{"A":1e99}`, `{"B":{"C":{"d":1}}}`, `{"A":tru}`, `{"A" 1}`,
		"{\"A\":\"\x01\"}", `{"A":"\q"}`, `{} {}`, `{"A":1.}`, `{"A":"\u12"}`, "\xff",
	} {
		all["JSON "+text] = unmarshal(text)
		all["our JSON "+text] = JSON([]byte(text), &record{}, true)
	}
	return all
}

// TestReadersWordsAreNotShown lets each reader fail and holds what people see to plain words.
func TestReadersWordsAreNotShown(t *testing.T) {
	for name, err := range readers() {
		if err == nil {
			t.Errorf("%s is read", name)
			continue
		}
		for _, text := range []string{
			Sentence(fmt.Errorf("open x.file: %w; copy it again", err)),
			Sentence(fmt.Errorf("open x.file: %v; copy it again", err)),
		} {
			for _, theirs := range []string{
				"json:", "zip:", "gzip:", "strconv", "bufio", "EOF", "unmarshal", "looking for", "record on",
				"parse error", "Go ", "slice bounds", "runtime", "flate", "2006", "invalid character", "in-quoted",
				"unexpected", "\n", "record.",
			} {
				if strings.Contains(text, theirs) {
					t.Errorf("%s: %q has %q", name, text, theirs)
				}
			}
			if !strings.HasPrefix(text, "open x.file: ") || !strings.HasSuffix(text, "; copy it again") {
				t.Errorf("%s: %s", name, text)
			}
		}
		t.Logf("%s: %s", name, Sentence(err))
	}
	if err := JSON([]byte("{\n \"A\": \"x\"}"), &struct{ A int }{}, false); !strings.HasPrefix(Sentence(err),
		"line 2, column 9: its field A holds a wrong kind of value (string)") {
		t.Error(Sentence(err))
	}
}

func TestSentence(t *testing.T) {
	missing := &fs.PathError{Op: "open", Path: "a\x1b.csv", Err: fs.ErrNotExist}
	for _, c := range []struct {
		err  error
		want string
	}{
		{missing, `a\x1b.csv: there is no such file or folder`},
		{fmt.Errorf("read a\x1b.csv: %w; look", missing), `read a\x1b.csv: there is no such file or folder; look`},
		{
			errors.Join(errors.New("one\ntwo"), fmt.Errorf("three: %w", errors.New("f\u202eour"))),
			"one\\ntwo\nthree: f\\u202eour",
		},
		{fmt.Errorf("of all:\n%w", errors.Join(errors.New("a"), errors.New("b"))), "of all:\na\nb"},
		{fmt.Errorf("%w: %w", errors.New("x\ny"), io.ErrUnexpectedEOF), `x\ny: it ends too early`},
		{errors.New("read a.parquet: nats: no answer"), "read a.parquet: no answer"},
		{fmt.Errorf("hidden %s%w", "\n", os.ErrClosed), "hidden \nfile already closed"},
	} {
		testdata.Is(t, "Sentence", Sentence(c.err), c.want)
	}
	got := Sentence(fmt.Errorf("model %s cannot be read; export it again", bytes.Repeat([]byte("x"), 1<<20)))
	if len(got) > longest+10 || !strings.HasSuffix(got, "; export it again") {
		t.Errorf("%d bytes: %.50s", len(got), got)
	}
}
