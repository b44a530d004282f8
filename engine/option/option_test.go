package option

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

type method string

// every has an option of each kind and shape.
type every struct {
	Workspace string        `arg:"" help:"H."`
	Files     []string      `arg:"" optional:"" help:"H." type:"path"`
	Name      string        `help:"H." default:"maybe"`
	Method    method        `help:"H." enum:",near,far" default:""`
	Classes   int           `help:"H." enum:"0,2,3" default:"0"`
	Count     int           `help:"H." min:"1" max:"100000" default:"1000"`
	Seed      *uint64       `help:"H."`
	Share     float64       `help:"H." above:"0" max:"1" default:"1"`
	Feather   float64       `help:"H." min:"0" max:"64" unit:"pixels"`
	Each      bool          `help:"H."`
	Pictures  bool          `help:"H." default:"true" negatable:""`
	Fast      bool          `help:"H." default:"true"`
	Folder    string        `help:"H." type:"path" placeholder:"DIR" study:"-"`
	Models    []string      `help:"H." source:"models"`
	Family    []string      `help:"H." sep:"none"`
	Top       []int         `help:"H." default:"1,3" min:"1"`
	Weights   []float64     `help:"H."`
	Formats   []string      `help:"H." enum:"png,svg" default:"png"`
	Time      time.Duration `help:"H." default:"6h" min:"1s"`
	shared    `embed:""`
	Here      string `help:"H." kong:"-"`
	There     string `help:"H." window:"-"`
	State     []byte `kong:"-" window:"-"`
	Below     struct {
		Text string `help:"H."`
	} `cmd:""`
}

type shared struct {
	MinSupport float64 `help:"H." min:"0" max:"1" label:"Least support"`
}

func fresh() *every {
	o := &every{Count: 7, State: []byte("kept")}
	SetDefaults(o)
	return o
}

func field(t *testing.T, options any, name string) Field {
	t.Helper()
	f, there := named(Fields(options), name)
	if !there {
		t.Fatalf("%T has no option %s", options, name)
	}
	return f
}

func TestFieldsAreDeclaredOnceAndInOrder(t *testing.T) {
	var names []string
	for _, f := range Fields(fresh()) {
		names = append(names, f.Name)
	}
	want := strings.Fields(`workspace files name method classes count seed share feather each pictures fast folder
		models family top weights formats time min-support here there`)
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	none := math.Inf(1)
	for name, want := range map[string]Field{
		"workspace":   {Label: "Workspace", Kind: Text, Arg: true, Required: true, Min: -none, Max: none},
		"files":       {Label: "Files", Kind: Path, Study: "path", Arg: true, List: true, Min: -none, Max: none},
		"method":      {Label: "Method", Kind: Choice, Choices: []string{"", "near", "far"}, Min: -none, Max: none},
		"count":       {Label: "Count", Kind: Whole, Default: "1000", Min: 1, Max: 100_000},
		"seed":        {Label: "Seed", Kind: Whole, Optional: true, Min: 0, Max: none},
		"share":       {Label: "Share", Kind: Number, Default: "1", Above: true, Min: 0, Max: 1},
		"feather":     {Label: "Feather", Kind: Number, Min: 0, Max: 64, Unit: "pixels"},
		"folder":      {Label: "Folder", Kind: Path, Study: "-", Placeholder: "DIR", Min: -none, Max: none},
		"models":      {Label: "Models", Kind: Text, List: true, Source: "models", Min: -none, Max: none},
		"time":        {Label: "Time", Kind: Duration, Default: "6h", Min: 1, Max: none},
		"here":        {Label: "Here", NoFlag: true, Min: -none, Max: none},
		"there":       {Label: "There", NoWindow: true, Min: -none, Max: none},
		"min-support": {Label: "Least support", Kind: Number, Min: 0, Max: 1},
	} {
		want.Name, want.Help = name, "H."
		if diff := cmp.Diff(want, field(t, fresh(), name), cmpopts.IgnoreUnexported(Field{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestNamesAreThoseOfKong(t *testing.T) {
	for field, want := range map[string]string{
		"N": "n", "JSON": "json", "MinSupport": "min-support", "CacheGB": "cache-gb", "GL11Version": "gl-11-version",
		"PDFLoader": "pdf-loader", "AString": "a-string", "MyC": "my-c", "May5": "may-5",
	} {
		if got := Name(field); got != want {
			t.Errorf("%s is called %s, and not %s", field, got, want)
		}
	}
}

func TestDefaultsAreSet(t *testing.T) {
	o, want := fresh(), &every{
		Name: "maybe", Count: 1000, Share: 1, Pictures: true, Fast: true, Top: []int{1, 3}, Formats: []string{"png"},
		Time: 6 * time.Hour, State: []byte("kept"),
	}
	if diff := cmp.Diff(want, o, cmp.AllowUnexported(every{}, shared{})); diff != "" {
		t.Error(diff)
	}
	for _, f := range Fields(o) {
		if !f.IsDefault() {
			t.Errorf("%s: %q is not its default", f.Name, f.Text())
		}
	}
	if len(Args(o)) > 0 {
		t.Errorf("the defaults have arguments: %q", Args(o))
	}
	o.Top[0] = 2 // a default is no part of the next struct
	if again := fresh(); again.Top[0] != 1 || field(t, o, "top").IsDefault() {
		t.Errorf("a changed list changed the default: %v", again.Top)
	}
}

// TestTextsRoundTrip sets every option to texts that it takes and that it does not take. What was
// set reads back as the same text, and setting that again changes nothing.
func TestTextsRoundTrip(t *testing.T) {
	inputs := rapid.OneOf(
		rapid.String(), rapid.SampledFrom([]string{
			"", "near", "0", "1", "2", "0.5", "-1", "1e300", "1e-300", "true", "6h", "90m", "1h1m1s", "png,svg",
			"1,3,5", `a\,b,c`, "a\nb", " 3 ", "NaN", "+Inf", "1_000",
		}),
		rapid.Map(rapid.Float64(), func(x float64) string { return float(x, 64) }),
		rapid.Map(rapid.Int64(), func(n int64) string { return fmt.Sprint(n) }),
	)
	rapid.Check(t, func(t *rapid.T) {
		o := fresh()
		for _, f := range Fields(o) {
			before := f.Text()
			if err := f.Set(inputs.Draw(t, f.Name)); err != nil {
				if e := (*Error)(nil); !errors.As(err, &e) || f.Text() != before {
					t.Fatalf("%s was refused (%v) and is %q", f.Name, err, f.Text())
				}
				continue
			}
			text, value := f.Text(), f.recorded()
			if err := f.Set(text); err != nil || f.Text() != text || !cmp.Equal(f.recorded(), value) {
				t.Fatalf("%s: %q reads back as %q, %v", f.Name, text, f.Text(), err)
			}
			if err := f.Check(); err != nil {
				t.Fatalf("%s takes %q and then refuses it: %v", f.Name, text, err)
			}
		}
	})
}

func TestSetReadsWhatPeopleWrite(t *testing.T) {
	o := fresh()
	for name, texts := range map[string][2]string{
		"count": {" 100,000 ", "100000"}, "share": {"1", "1"}, "top": {"1, 3 ,,5", "1,3,5"}, "feather": {"64", "64"},
		"min-support": {"0.50", "0.5"}, "files": {Join([]string{"a,b", "c"}), `a\,b,c`},
		"models": {`a\,b, c`, `a\,b,c`}, "family": {"I1\n16,5,32\n", "I1\n16,5,32"},
		"seed": {"18446744073709551615", "18446744073709551615"}, "each": {"true", "true"}, "time": {"1s", "1s"},
		"method": {"far", "far"}, "name": {"1,000", "1,000"}, "weights": {"0.25,1e-7", "0.25,1e-07"},
	} {
		f := field(t, o, name)
		if err := f.Set(texts[0]); err != nil || f.Text() != texts[1] {
			t.Errorf("%s: %q became %q, %v", name, texts[0], f.Text(), err)
		}
	}
	if o.Count != 100_000 || *o.Seed != math.MaxUint64 || !slices.Equal(o.Models, []string{"a,b", "c"}) ||
		!slices.Equal(o.Family, []string{"I1", "16,5,32"}) {
		t.Errorf("the struct has %+v", o)
	}
	if err := field(t, o, "seed").Set(""); err != nil || o.Seed != nil {
		t.Errorf("an empty text leaves the seed at %v, %v", o.Seed, err)
	}
}

func TestRefusalsSayWhatIsTaken(t *testing.T) {
	const (
		count     = "--count takes a whole number from 1 to 100000"
		countSaid = "Count takes a whole number from 1 to 100,000"
	)
	for _, c := range []struct{ name, text, command, form string }{
		{"count", "0", count, countSaid},
		{"count", "100001", count, countSaid},
		{"count", "1,0000", count, countSaid},
		{"seed", "-1", "--seed takes a whole number from 0", "Seed takes a whole number from 0"},
		{"share", "0", "--share takes a number above 0, at most 1", "Share takes a number above 0, at most 1"},
		{"share", "NaN", "--share takes a number above 0, at most 1", "Share takes a number above 0, at most 1"},
		{
			"feather", "Inf", "--feather takes a number from 0 to 64 pixels",
			"Feather takes a number from 0 to 64 pixels",
		},
		{"weights", "1,NaN", "--weights takes numbers", "Weights takes numbers"},
		{"weights", "Inf", "--weights takes numbers", "Weights takes numbers"},
		{"top", "3,0", "--top takes whole numbers from 1", "Top takes whole numbers from 1"},
		{"method", "nearer", "--method takes near or far", "Method takes near or far"},
		{"classes", "1", "--classes takes 0, 2 or 3", "Classes takes 0, 2 or 3"},
		{"formats", "png,gif", "--formats takes png or svg", "Formats takes png or svg"},
		{"each", "perhaps", "--each takes true or false", "Each takes true or false"},
		{"time", "0s", "--time takes a time such as 90m or 6h from 1s", "Time takes a time such as 90m or 6h from 1s"},
		{"min-support", "2", "--min-support takes a number from 0 to 1", "Least support takes a number from 0 to 1"},
		{"workspace", "", "<workspace> must be given", "Workspace must be given"},
	} {
		err := field(t, fresh(), c.name).Set(c.text)
		if err == nil || err.Error() != c.command || Said(err) != c.form {
			t.Errorf("%s: %q gives %v", c.name, c.text, err)
		}
	}
	f := field(t, fresh(), "models")
	f.Choices = []string{"cnn", "vit"} // as a form does that knows the workspace
	if err := f.Set("cnn,resnet"); err == nil || Said(err) != "Models takes cnn or vit" {
		t.Errorf("a model that is not there gives %v", err)
	}
}

// inner and outer write down in which order their checks run.
type inner struct {
	Left  int `help:"H." max:"5"`
	calls []string
	fails bool
}

func (i *inner) Check() error {
	i.calls = append(i.calls, "inner")
	if i.fails {
		return Errorf("{left} of more than {1000} goes with {right} and {file} %d", i.Left)
	}
	return nil
}

type outer struct {
	File  string `arg:"" optional:"" help:"H."`
	inner `embed:""`
	Right int `help:"H." max:"5" label:"The right one"`
}

func (o *outer) Check() error {
	o.calls = append(o.calls, "outer")
	return errors.New("outer")
}

func TestCheckGoesFromFieldsToTheWhole(t *testing.T) {
	o := &outer{Right: 6, inner: inner{Left: 6, fails: true}}
	says := func(want string, calls ...string) {
		t.Helper()
		o.calls = nil
		if err := Check(o); err == nil || err.Error() != want || !slices.Equal(o.calls, calls) {
			t.Errorf("got %v after %v, not %s", err, o.calls, want)
		}
	}
	says("--left takes a whole number up to 5")
	o.Left = 4
	says("--right takes a whole number up to 5")
	o.Right = 5
	says("--left of more than 1000 goes with --right and <file> 4", "inner")
	err := fmt.Errorf("ei: %w", Check(o))
	if want := "ei: Left of more than 1,000 goes with The right one and File 4"; Said(err) != want {
		t.Errorf("a form says %q", Said(err))
	}
	o.fails = false
	says("outer", "inner", "outer")
	if Said(Check(o)) != "outer" {
		t.Errorf("a form says %q", Said(Check(o)))
	}
}

func TestRecordHasEverySetting(t *testing.T) {
	o := fresh()
	seed := uint64(math.MaxUint64)
	o.Seed, o.Feather, o.Family, o.Workspace = &seed, math.NaN(), []string{"a<b"}, "w"
	text, err := json.Marshal(Record(o))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"workspace":"w","files":[],"name":"maybe","method":"","classes":0,"count":1000,` +
		`"seed":18446744073709551615,"share":1,"feather":null,"each":false,"pictures":true,"fast":true,"folder":"",` +
		`"models":[],"family":["a\u003cb"],"top":[1,3],"weights":[],"formats":["png"],"time":"6h",` +
		`"min_support":0,"here":"","there":""}`
	if string(text) != want {
		t.Errorf("recorded as %s", text)
	}
	before := Record(o)
	o.Top[0] = 9
	if before[15].Value.([]any)[0] != int64(1) {
		t.Error("a later change of the options changed their record")
	}
}

func TestArgsAreTyped(t *testing.T) {
	o := fresh()
	seed := uint64(0)
	o.Workspace, o.Files, o.Seed, o.Pictures, o.Fast, o.Each = "demo", []string{"/a", "/b"}, &seed, false, false, true
	o.Models, o.Family, o.Name, o.Feather, o.Here = []string{"a,b", "c"}, []string{"x", "y,z"}, "-n", 2.5, "window"
	o.Top, o.Formats, o.Time = nil, []string{"svg"}, 90*time.Minute
	want := []string{
		"demo", "/a", "/b", "--name=-n", "--seed", "0", "--feather", "2.5", "--each", "--no-pictures", "--fast=false",
		"--models", `a\,b,c`, "--family", "x", "--family", "y,z", "--top=", "--formats", "svg", "--time", "1h30m",
	}
	if diff := cmp.Diff(want, Args(o)); diff != "" {
		t.Error(diff)
	}
	o = fresh()
	o.Workspace, o.Each, o.Models = "-demo", true, []string{"a", "-b"}
	if diff := cmp.Diff([]string{"--each", "--models=a,-b", "--", "-demo"}, Args(o)); diff != "" {
		t.Error(diff)
	}
	o = fresh()
	o.Workspace, o.Family = "demo", []string{"fog", "it's"}
	if got := Command([]string{"variscope", "ei"}, o); got != `variscope ei demo --family fog --family 'it'\''s'` {
		t.Error(got)
	}
}

// TestAShellReadsCommandsBack has sh print the words of commands.
func TestAShellReadsCommandsBack(t *testing.T) {
	words := rapid.OneOf(
		rapid.StringOf(rapid.RuneFrom([]rune("aZ0 '\"\\$`!*?[]{}()<>|&;~#=\t\n%-@:,./é"))),
		rapid.SampledFrom([]string{
			"", "'", "''", "$HOME", "~", "*", "a b", "-n", "a=b", "=ls", "{a,b}", "!1", "#", "\\", "max@CONF",
			"rotation:-15:15:1;border=zero",
		}),
	)
	rapid.Check(t, func(t *rapid.T) {
		o := &outer{File: words.Draw(t, "file")}
		list := rapid.SliceOfN(words, 1, 20).Draw(t, "words")
		line := Command(append([]string{"printf", "%s\\0"}, list...), o)
		out, err := exec.Command("sh", "-c", line).Output()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		want := strings.Join(append(list, Args(o)...), "\x00") + "\x00"
		if string(out) != want {
			t.Fatalf("%s prints %q, and not %q", line, out, want)
		}
	})
}

func TestWrongTagsAreFound(t *testing.T) {
	for want, c := range map[string]struct {
		value any
		tag   reflect.StructTag
	}{
		"tag min is no number":               {0, `help:"H." min:"one"`},
		"tag max is no number":               {0., `help:"H." max:"NaN"`},
		"no whole number":                    {0, `help:"H." min:"0.5"`},
		"tag max is for numbers":             {"", `help:"H." max:"3"`},
		"one of the tags min":                {0, `help:"H." min:"1" above:"0"`},
		"nothing lies between 3 and":         {0, `help:"H." min:"3" max:"2"`},
		"nothing lies between 2 and":         {0, `help:"H." above:"2" max:"2"`},
		"choices need a default":             {"", `help:"H." enum:"a,b"`},
		`default "c" is not taken`:           {"", `help:"H." enum:"a,b" default:"c"`},
		`default "0" is not taken`:           {0, `help:"H." min:"1" default:"0"`},
		`default "${n}" is not taken`:        {0, `help:"H." default:"${n}"`},
		"tag help is missing":                {0, ``},
		`no tag "mim"`:                       {0, `help:"H." mim:"1"`},
		"no type of an option":               {map[string]int{}, `help:"H."`},
		"[]*int is no type of an option":     {[]*int{}, `help:"H."`},
		"tag type is path":                   {"", `help:"H." type:"counter"`},
		"tag sep is for lists":               {"", `help:"H." sep:";"`},
		"negatable is for switches":          {"", `help:"H." negatable:""`},
		"a pointer has no default":           {new(int), `help:"H." default:"1"`},
		"the tag zero is for single numbers": {"", `help:"H." zero:"1"`},
		`not "1 5 1"`:                        {0, `help:"H." max:"4" slide:"1 5 1"`},
		`not "1 5"`:                          {0, `help:"H." slide:"1 5"`},
		`a step, not "1 5 1"`:                {"", `help:"H." slide:"1 5 1"`},
	} {
		one := reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeOf(c.value), Tag: c.tag}})
		if err := Verify(reflect.New(one).Interface()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T with %s: %v, and not %s", c.value, c.tag, err, want)
		}
	}
	for want, options := range map[string]any{
		"pointer to a struct": outer{},
		"the name a occurs twice": &struct {
			A int `help:"H."`
			B int `help:"H." name:"a"`
		}{},
		"the tag when names no option": &struct {
			A bool `help:"H." when:"b"`
			B bool `help:"H."`
		}{},
		`a is never "z"`: &struct {
			A string `help:"H." enum:"x,y" default:"x"`
			B bool   `help:"H." when:"a=z"`
		}{},
	} {
		if err := Verify(options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: %v, and not %s", options, err, want)
		}
	}
	if err := errors.Join(Verify(&every{}), Verify(&outer{})); err != nil {
		t.Error(err)
	}
}

// drawing has options that depend on others.
type drawing struct {
	Method string  `help:"H." enum:",near,far,all" default:""`
	Radius float64 `help:"H." when:"method=near|far" min:"0" default:"1" unit:"pixels"`
	Border bool    `help:"H." when:"method"`
	Colour string  `help:"H." when:"border"`
	Shade  string  `help:"H." when:"border=false"`
}

func TestOptionsThatDependOnOthers(t *testing.T) {
	o := &drawing{}
	SetDefaults(o)
	for _, step := range []struct{ name, text, applies, refused string }{
		{"radius", "2", "method", "--radius goes with --method near or far"},
		{"method", "all", "method border shade", "--radius goes with --method near or far"},
		{"radius", "1", "method border shade", ""},
		{"border", "true", "method border colour", ""},
		{"shade", "dark", "method border colour", "--shade goes without --border"},
		{"shade", "", "method border colour", ""},
		{"method", "far", "method radius border colour", ""},
		{"colour", "red", "method radius border colour", ""},
		{"border", "false", "method radius border shade", "--colour goes with --border"},
		{"method", "", "method", "--colour goes with --border"},
		{"border", "true", "method", "--border goes with --method"},
	} {
		if err := field(t, o, step.name).Set(step.text); err != nil {
			t.Fatal(err)
		}
		var applies []string
		for _, f := range Fields(o) {
			if f.Applies(Fields(o)) {
				applies = append(applies, f.Name)
			}
		}
		if got := strings.Join(applies, " "); got != step.applies {
			t.Errorf("after %s %q these apply: %s", step.name, step.text, got)
		}
		if err := Check(o); fmt.Sprint(err) != map[bool]string{true: "<nil>", false: step.refused}[step.refused == ""] {
			t.Errorf("after %s %q: %v", step.name, step.text, err)
		}
	}
	if got := field(t, o, "radius").Condition() + ", " + field(t, o, "shade").Condition(); got !=
		"with --method near or far, without --border" {
		t.Error(got)
	}
}

// TestWhenOfAnEmbeddedStruct: it stands for all options of the struct that have none of their own.
func TestWhenOfAnEmbeddedStruct(t *testing.T) {
	type Networks struct {
		Scene string `help:"H."`
		Names string `help:"H." when:"scene"`
	}
	o := struct {
		From     string `help:"H." enum:"networks,table" default:"networks"`
		Networks `when:"from=networks"`
	}{From: "table", Networks: Networks{Scene: "a"}}
	fields := Fields(&o)
	if fields[1].Applies(fields) || fields[2].Applies(fields) {
		t.Error("networks are asked for beside a table")
	}
	if o.From = "networks"; !fields[1].Applies(fields) || !fields[2].Applies(fields) {
		t.Error("networks are not asked for")
	}
}

func TestWhatZeroStandsFor(t *testing.T) {
	o := &struct {
		Trees int `help:"H." zero:"100" min:"0"`
	}{7}
	f := Fields(o)[0]
	if err := f.Set(" "); err != nil || o.Trees != 0 || f.Text() != "" || f.Zero != "100" {
		t.Errorf("no text is %d: %q, %v", o.Trees, f.Text(), err)
	}
	if err := f.Set("5"); err != nil || f.Text() != "5" || !slices.Equal(Args(o), []string{"--trees", "5"}) {
		t.Errorf("%q, %q, %v", f.Text(), Args(o), err)
	}
}
