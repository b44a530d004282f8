package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	_ "image/png"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/sbinet/npyio"
	"github.com/sbinet/npyio/npz"
)

// vary are the parts of recorded texts that differ between runs, computers or versions, and what
// stands for them, in the order in which they are replaced.
var vary = []struct {
	is   *regexp.Regexp
	mark string
}{
	{regexp.MustCompile(`\b\d{8}T\d{6}\.\d{3}(-\d+)?\.db\b`), "<backup>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d| UTC)?`), "<time>"},
	{regexp.MustCompile(`\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b`), "<id>"},
	{regexp.MustCompile(`\b[\d,]{4,} +([0-9a-f]{64})\b`), "<size>  <hash>"},
	{regexp.MustCompile(`\b[0-9a-f]{64}\b`), "<hash>"},
	{regexp.MustCompile(`\b\d+\.\d [kMG]B\b`), "<size>"},
	{regexp.MustCompile(`("(?:size|bytes|images_per_s|took)": ?)[^,}\n]+`), "$1<number>"},
	// of runs.csv: took, images_per_s, mixed
	{regexp.MustCompile(`(<time>,)[^,\n]*,[^,\n]*,(true|false)`), "$1<number>,<number>,$2"},
	{regexp.MustCompile(`(database pages(?:",\s+"count":)?) +\d+`), "$1 <number>"},
	{regexp.MustCompile(`(workers, which run models, may use: ).*`), "$1<rights>"},
	{regexp.MustCompile(`(models can be computed on: cpu).*`), "$1<others>"},
	{regexp.MustCompile(`data:image/png;base64,[A-Za-z0-9+/=]+`), "<png>"},
	{regexp.MustCompile(`\b\d+\.\d+\.\d+(-\w+)?\b`), "<version>"},
	{regexp.MustCompile(`\b(amd64|arm64)\b`), "<arch>"},
	{regexp.MustCompile(`\b(avx512|avx2|avx|sse4|sse2|generic)\b`), "<level>"},
}

// shares are the lines of progress that a slow computer gets on stderr.
var shares = regexp.MustCompile(`(?m)^.* \d+ %( .*left)?\n`)

// printed finds the numbers of a text.
var printed = regexp.MustCompile(`-?\d+(\.\d+)?([eE][-+]?\d+)?`)

// padding is what stands between the columns of a table.
var padding = regexp.MustCompile(` {2,}`)

// sameText compares two recorded texts, numbers by value, and says where they differ. json is for
// JSON documents, data for tables that programs read. The padding of columns may differ where a
// number has become shorter or longer within the tolerance.
func sameText(want, got string, json, data bool) error {
	err := sameLines(want, got, json, data)
	if err == nil || json || data {
		return err
	}
	want, got = padding.ReplaceAllString(want, "  "), padding.ReplaceAllString(got, "  ")
	sameWidths := slices.EqualFunc(printed.FindAllString(want, -1), printed.FindAllString(got, -1),
		func(x, y string) bool { return len(x) == len(y) })
	if sameWidths || sameLines(want, got, json, data) != nil {
		return err
	}
	return nil
}

// sameLines compares two texts line by line.
func sameLines(want, got string, json, data bool) error {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if !sameLine(a[i], b[i], json, data) {
			return fmt.Errorf("line %d:\n  recorded: %s\n       now: %s", i+1, a[i], b[i])
		}
	}
	if len(a) != len(b) {
		longer := slices.MaxFunc([][]string{a, b}, func(x, y []string) int { return len(x) - len(y) })
		return fmt.Errorf("%d lines were recorded, now there are %d; the first one too many or too few is\n  %s",
			len(a), len(b), longer[min(len(a), len(b))])
	}
	return nil
}

func sameLine(want, got string, json, data bool) bool {
	if want == got {
		return true
	}
	a, b := printed.FindAllString(want, -1), printed.FindAllString(got, -1)
	if len(a) != len(b) || printed.ReplaceAllString(want, "#") != printed.ReplaceAllString(got, "#") {
		return false
	}
	for i := range a {
		if !sameNumber(a[i], b[i], json, data) {
			return false
		}
	}
	return true
}

// sameNumber compares two printed numbers. Whole numbers are counts and must be equal. Others may
// differ by 1e-4 of their size, by 1e-6, and where they are rounded by one unit of the last
// place; short numbers in JSON and CSV are not taken for rounded ones. The number of places must
// be the same, unless one of them has more than six, as unrounded numbers have, or the writer
// drops zeros at the end, as that of JSON does.
func sameNumber(want, got string, json, data bool) bool {
	if want == got {
		return true
	}
	p, q := places(want), places(got)
	if p == 0 && q == 0 {
		return false
	}
	a, errA := strconv.ParseFloat(want, 64)
	b, errB := strconv.ParseFloat(got, 64)
	if errA != nil || errB != nil {
		return false
	}
	unrounded := p > 6 || q > 6
	if p != q && !unrounded && !json {
		longer := want
		if q > p {
			longer = got
		}
		return !strings.HasSuffix(longer, "0") && math.Abs(a-b) <= 2.001*math.Pow10(-max(p, q))
	}
	tolerance := max(1e-6, 1e-4*max(math.Abs(a), math.Abs(b)))
	if rounded := !unrounded && !json && (!data || p > 2); rounded {
		tolerance = max(tolerance, 1.001*math.Pow10(-p))
	}
	return math.Abs(a-b) <= tolerance
}

// places counts the digits behind the point; a number with an exponent is not rounded to places
// and has many.
func places(number string) int {
	if strings.ContainsAny(number, "eE") {
		return math.MaxInt
	}
	_, behind, _ := strings.Cut(number, ".")
	return len(behind)
}

func TestRecordedNumbersAreComparedByValue(t *testing.T) {
	for _, test := range []struct {
		want, got  string
		json, data bool
		same       bool
	}{
		{"accuracy 0.97", "accuracy 0.97", false, false, true},
		{"accuracy 0.97", "accuracy 0.98", false, false, true},
		{"accuracy 0.97", "accuracy 0.99", false, false, false},
		{"accuracy 0.97", "accuracy 0.970", false, false, false},
		{"svm 7.3938", "svm 7.39379", false, false, true},
		{"svm 7.3938", "svm 7.39383", false, false, false},
		{"asv 1", "asv 0.999999", false, false, true},
		{"18 images", "19 images", false, false, false},
		{"0.00 of", "-0.00 of", false, false, true},
		{`"v": 0.12345678`, `"v": 0.1234567801`, true, true, true},
		{`"v": 0.1234`, `"v": 0.12345`, true, true, false},
		{`"v": 1`, `"v": 0.9999999999`, true, true, true},
		{`"v": 0`, `"v": 1e-17`, true, true, true},
		{"s01,0.5", "s01,0.49999999999", false, true, true},
		{"s01,0.5", "s01,0.6", false, true, false},
		{"s01,0.9444", "s01,0.9445", false, true, true},
		{"a 0.5", "a 0.5 b", false, false, false},
		{"svm     mean\n7.3938  0.5", "svm      mean\n7.39379  0.5", false, false, true},
		{"svm     mean\n7.3938  0.5", "svm      mean\n7.3938   0.5", false, false, false},
		{"svm     mean\n7.3938  0.5", "svm mean\n7.39379  0.5", false, false, false},
	} {
		if same := sameText(test.want, test.got, test.json, test.data) == nil; same != test.same {
			t.Errorf("%q and %q: same is %v", test.want, test.got, same)
		}
	}
	for _, test := range [][2]string{{"a\nb", "a"}, {"a", "a\nb"}} {
		if sameText(test[0], test[1], false, false) == nil {
			t.Errorf("%q and %q are the same", test[0], test[1])
		}
	}
}

// sameRecord compares two records of a case part by part and returns a line for each difference.
func sameRecord(want, got []byte) (differences []string) {
	parts := func(record []byte) (names []string, texts map[string]string) {
		archive := txtar.Parse(record)
		names, texts = []string{"command"}, map[string]string{"command": string(archive.Comment)}
		for _, f := range archive.Files {
			names, texts[f.Name] = append(names, f.Name), string(f.Data)
		}
		return names, texts
	}
	recorded, before := parts(want)
	now, after := parts(got)
	if !slices.Equal(recorded, now) {
		differences = append(differences,
			fmt.Sprintf("recorded: %s\n       now: %s", strings.Join(recorded, ", "), strings.Join(now, ", ")))
	}
	for _, name := range recorded {
		text, there := after[name]
		ext := filepath.Ext(name)
		if err := sameText(before[name], text, name == "json" || ext == ".json", ext == ".csv"); there && err != nil {
			differences = append(differences, name+", "+err.Error())
		}
	}
	return differences
}

// describe is the line of a file in the inventory, and its text where it has one.
func describe(name string, data []byte) (line, text string, err error) {
	switch ext := filepath.Ext(name); ext {
	case ".png":
		picture, _, err := image.DecodeConfig(bytes.NewReader(data))
		return fmt.Sprintf("%s: %d x %d", name, picture.Width, picture.Height), "", err
	case ".npy":
		array, err := npyio.NewReader(bytes.NewReader(data))
		if err != nil {
			return "", "", err
		}
		return fmt.Sprintf("%s: %s %v", name, array.Header.Descr.Type, array.Header.Descr.Shape), "", nil
	case ".npz":
		archive, err := npz.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return "", "", err
		}
		line = name
		for _, key := range archive.Keys() {
			header := archive.Header(key)
			line += fmt.Sprintf("\n  %s: %s %v", key, header.Descr.Type, header.Descr.Shape)
		}
		return line, "", nil
	case ".json":
		text, err := indented(data)
		return name, text, err
	case ".pdf", ".parquet", ".onnx", ".vassessor", ".vround", ".vlabels", ".db":
		return name, "", nil
	}
	if !utf8.Valid(data) {
		return name + ": no text", "", nil
	}
	return name, string(data), nil
}

// indented is a JSON document with one value a line.
func indented(data []byte) (string, error) {
	var out bytes.Buffer
	err := json.Indent(&out, bytes.TrimSpace(data), "", "  ")
	return out.String() + "\n", err
}

// keysOf writes a JSON document with the kinds of its values in place of the values.
func keysOf(data []byte) (string, error) {
	text, err := indented(data)
	value := regexp.MustCompile(`(?m)^(\s*(?:"[^"]*": )?)(?:"(?:\\.|[^"\\])*"|-?\d[^\s,]*|true|false|null)(,?)$`)
	return value.ReplaceAllString(text, "$1<value>$2"), err
}
