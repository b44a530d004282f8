package wire

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

const (
	hashA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	hashB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	hashC = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
)

// someTask is a model of ten classes on 600 images of 28 x 28 pixels.
func someTask() engine.Task {
	return engine.Task{
		ID: "cnn-7", Classes: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, MappedBy: engine.ByIndex, Absent: []string{"CONV-2"},
		Probed: true,
		Spec: signal.Spec{
			Model: hashA, Source: hashB, Images: 600, Family: "rotation:-15:15:1;interpolation=bilinear;border=zero",
			Preprocessing: model.Preprocessing{Mean: []float64{0.1307}, Std: []float64{0.3081}, Resize: model.Stretch},
			OutputKind:    model.Logits, Output: "logits", Channels: 1, Height: 28, Width: 28,
			Positions: []signal.Position{
				{Name: model.CONF, Tensor: "logits"}, {Name: model.Conv1, Tensor: "/conv2/Conv_output_0"},
			},
			Vectors: []string{"L2@CONV-1"}, Batch: 32, Runtime: "1.27.0", Arch: "amd64", Level: "avx2",
		},
		Feed: engine.Feed{
			Path: "/somewhere/cnn-7.onnx", Output: "logits", Tensors: []string{"/conv2/Conv_output_0"},
			Input: model.Input{Name: "x", Layout: model.NCHW, Batch: 32, Channels: 1, Height: 28, Width: 28},
		},
	}
}

func someOrder() Order {
	return NewOrder(someTask(), 2, Blob{SHA256: hashA, Size: 1 << 20}, Blob{SHA256: hashC, Size: 88*784 + 900})
}

func encoded(tb testing.TB, o Order) []byte {
	tb.Helper()
	return testdata.Must(o.Encode())(tb)
}

// TestAnOrderMakesTheTaskAgain, but for what belongs to the machine that sent it.
func TestAnOrderMakesTheTaskAgain(t *testing.T) {
	task := someTask()
	data := encoded(t, someOrder())
	o, err := ParseOrder(data)
	if err != nil || o.Unit != task.Spec.UnitKey(2) || o.Chunk != 2 || o.Model.Size != 1<<20 ||
		o.Images.SHA256 != hashC {
		t.Fatalf("%+v, %v", o, err)
	}
	want := task
	want.Absent, want.MappedBy, want.Probed, want.Feed.Path = nil, "", false, "elsewhere.onnx"
	want.Feed.SHA256 = hashA
	testdata.NoDiff(t, "difference", cmp.Diff(want, o.Task("elsewhere.onnx")))
	if strings.Contains(string(data), "somewhere") {
		t.Errorf("a path travels: %s", data)
	}
}

// TestOrdersSurviveTheirText: every number to the bit, nil and empty apart, and so the same key.
func TestOrdersSurviveTheirText(t *testing.T) {
	for _, family := range []string{
		"plain", "rot90", "shift:3:5", "mask:2;layers=1,3;after=batchnorm", "mask:3", "scenes:" + hashC + ":32",
	} {
		for k, classes := range [][]int{nil, {}, {2, -1, 0}} {
			task := someTask()
			task.ID, task.Classes = "é·<&>\u2028", classes
			task.Spec.Family = testdata.Must(transform.ParseAny(family))(t).String()
			task.Spec.Preprocessing.Mean = []float64{1. / 3, -0x1p-1074, math.Nextafter(1, 2)}
			task.Spec.Channels, task.Feed.Input.Channels, task.Spec.Vectors = 3, 3, nil
			if k < 2 {
				task.Feed.Tensors, task.Spec.Positions = [][]string{nil, {}}[k], [][]signal.Position{nil, {}}[k]
			} else {
				task.Spec.TrueClass = classes
			}
			o := NewOrder(task, k, Blob{hashA, MaxModel}, Blob{hashB, MaxPack})
			got := testdata.Must(ParseOrder(encoded(t, o)))(t)
			testdata.NoDiff(t, family, cmp.Diff(o, got))
			testdata.Is(t, family, got.Spec.UnitKey(got.Chunk), o.Unit)
		}
	}
}

// hostileOrders are changes of someOrder that make no unit, with a part of the sentence that
// refuses them.
var hostileOrders = map[string]func(*Order){
	"no SHA-256":                         func(o *Order) { o.Spec.Source = strings.ToUpper(hashB) },
	"the model's file is named \"\"":     func(o *Order) { o.Model.SHA256, o.Spec.Model = "", "" },
	"those of model":                     func(o *Order) { o.Spec.Model = hashC },
	"the pack of images is named":        func(o *Order) { o.Images.SHA256 = "../" + hashC[3:] },
	"the model's file has 0 bytes":       func(o *Order) { o.Model.Size = 0 },
	"the model's file has 2147483649":    func(o *Order) { o.Model.Size = MaxModel + 1 },
	"the pack of images has -1 bytes":    func(o *Order) { o.Images.Size = -1 },
	"the pack of images has 1073741825":  func(o *Order) { o.Images.Size = MaxPack + 1 },
	"its source has 0 images":            func(o *Order) { o.Spec.Images = 0 },
	"there is no chunk 3":                func(o *Order) { o.Chunk = 3 },
	"unknown name":                       func(o *Order) { o.Spec.Family = "flip" },
	"its family is written":              func(o *Order) { o.Spec.Family = "rotation:-15:15:1" },
	"xxx\" has 70000 bytes; up to 65536": func(o *Order) { o.Spec.Family = strings.Repeat("x", 70000) },
	"2 channels":                         func(o *Order) { o.Spec.Channels, o.Input.Channels = 2, 2 },
	"of -28 x 28 pixels":                 func(o *Order) { o.Spec.Height, o.Input.Height = -28, -28 },
	"sides from 1 to":                    func(o *Order) { o.Spec.Width, o.Input.Width = 1<<40, 1<<40 },
	"batches of 0 images":                func(o *Order) { o.Spec.Batch, o.Input.Batch = 0, 0 },
	"batches of 5000 images":             func(o *Order) { o.Spec.Batch, o.Input.Batch = 5000, 5000 },
	"batches of 4096 images of 1 x 500 x 500": func(o *Order) {
		o.Spec.Batch, o.Spec.Height, o.Spec.Width, o.Spec.Family = 4096, 500, 500, transform.Plain
		o.Spec.Vectors = nil
		o.Input.Batch, o.Input.Height, o.Input.Width = 4096, 500, 500
	},
	"32 x 3 x 28 x 28 numbers":     func(o *Order) { o.Input.Channels = 3 },
	"16 x 1 x 28 x 28 numbers":     func(o *Order) { o.Input.Batch = 16 },
	"the layout \"CHWN\"":          func(o *Order) { o.Input.Layout = "CHWN" },
	"the number type \"int4\"":     func(o *Order) { o.Input.Type = "int4" },
	"the name \"a\\nb\"":           func(o *Order) { o.ID = "a\nb" },
	"xxx\" has 4097 bytes":         func(o *Order) { o.Input.Name = strings.Repeat("x", maxName+1) },
	"the name \"\\x1b":             func(o *Order) { o.Spec.Output = "\x1b[2J" },
	"eee\" has 4097 bytes":         func(o *Order) { o.Spec.Edit = strings.Repeat("e", maxName+1) },
	"rrr\" has 4097 bytes":         func(o *Order) { o.Spec.Preprocessing.Recipe = strings.Repeat("r", maxName+1) },
	"the name \"1.\\x00\"":         func(o *Order) { o.Spec.Runtime = "1.\x00" },
	"aaa\" has 65 bytes":           func(o *Order) { o.Spec.Arch = strings.Repeat("a", 65) },
	"the name \"\\x7f\"":           func(o *Order) { o.Spec.Level = "\x7f" },
	"the output kind \"\"":         func(o *Order) { o.Spec.OutputKind = "" },
	"the way of resizing":          func(o *Order) { o.Spec.Preprocessing.Resize = "" },
	"mean and std need 1 or 1":     func(o *Order) { o.Spec.Preprocessing.Std = []float64{1, 2, 3} },
	"std must not be 0":            func(o *Order) { o.Spec.Preprocessing.Std = []float64{0} },
	"257 tensors":                  func(o *Order) { o.Tensors = make([]string, 257) },
	"257 positions":                func(o *Order) { o.Spec.Positions = make([]signal.Position, 257) },
	"65 vector modalities":         func(o *Order) { o.Spec.Vectors = make([]string, 65) },
	"the name \"\\t\"":             func(o *Order) { o.Tensors = []string{"\t"} },
	"tensor \"logits\" is asked":   func(o *Order) { o.Tensors = append(o.Tensors, "logits") },
	"tensor \"/conv2/Conv_output_": func(o *Order) { o.Tensors = slices.Repeat(o.Tensors, 2) },
	"the name \"\\r\"":             func(o *Order) { o.Spec.Positions[0].Name = "\r" },
	"the name \"\\f\"":             func(o *Order) { o.Spec.Positions[0].Tensor = "\f" },
	"position \"CONF\" is there":   func(o *Order) { o.Spec.Positions[1].Name = "CONF" },
	"tensor \"none\" of position":  func(o *Order) { o.Spec.Positions[1].Tensor = "none" },
	"vector modality \"max@CONF\"": func(o *Order) { o.Spec.Vectors = []string{"max@CONF"} },
	"vector modality \"L2@HEAD\"":  func(o *Order) { o.Spec.Vectors = []string{"L2@HEAD"} },
	"vector modality \"L1@CONF\"":  func(o *Order) { o.Spec.Vectors = []string{"L1@CONF", "L1@CONF"} },
	"a label means class -2":       func(o *Order) { o.Classes = []int{-2} },
	"a label means class 1048576":  func(o *Order) { o.Classes = []int{MaxClasses} },
	"labels mean other classes":    func(o *Order) { o.Spec.TrueClass = []int{1} },
	"its result can have": func(o *Order) {
		o.Spec.Family, o.Chunk = "brightness:-0.5:0.5:0.001", 0
		o.Spec.Vectors = []string{"L1@CONF", "L2@CONF", "L3@CONF"}
	},
}

func TestOrdersThatMakeNoUnit(t *testing.T) {
	for want, change := range hostileOrders {
		o := someOrder()
		o.Spec.Positions = slices.Clone(o.Spec.Positions)
		change(&o)
		o.Unit = o.Spec.UnitKey(o.Chunk)
		text := testdata.Must(json.Marshal(o))(t)
		if _, err := ParseOrder(text); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "the description of a unit of work cannot be used: ") {
			t.Errorf("%s: read with %v", want, err)
		} else if strings.ContainsAny(err.Error(), "\x00\n\r\t\f\x1b\x7f") || len(err.Error()) > 1000 {
			t.Errorf("%s: the sentence is %d bytes: %q", want, len(err.Error()), err)
		}
		if data, err := o.Encode(); err == nil || !strings.Contains(err.Error(), want) || data != nil {
			t.Errorf("%s: written with %v", want, err)
		}
	}
	for name, change := range map[string]func(*Order){
		"another unit's name": func(o *Order) { o.Chunk = 1 },
		"a changed spec":      func(o *Order) { o.Spec.Level = "avx512" },
		"a path as a name":    func(o *Order) { o.Unit = "../../etc/passwd" },
	} {
		o := someOrder()
		change(&o)
		text := testdata.Must(json.Marshal(o))(t)
		testdata.Refused(t, name, testdata.Err(ParseOrder(text)), "not the key of its spec and chunk")
	}
	for want, change := range map[string]func(*Order){ // what no text has, or is too long for one
		"finite":              func(o *Order) { o.Spec.Preprocessing.Mean = []float64{math.NaN()} },
		`the name "\xff"`:     func(o *Order) { o.ID = "\xff" },
		"its description has": func(o *Order) { o.Classes = make([]int, MaxOrder/2) },
	} {
		o := someOrder()
		change(&o)
		testdata.Refused(t, want, testdata.Err(o.Encode()), want)
	}
}

// TestTextsThatAreNoOrder: each says why.
func TestTextsThatAreNoOrder(t *testing.T) {
	good := string(encoded(t, someOrder()))
	change := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%s has no %s", good, old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":      {"", "no JSON object"},
		"no JSON":      {"order", "no JSON object"},
		"null":         {"null", "it has form 0"},
		"a part":       {good[:len(good)-1], "no JSON object"},
		"space inside": {change(`,"id"`, `, "id"`), "one form"},
		"a newer form": {
			change(`"wire":2`, `"wire":3,"new":true`),
			"it has form 3, and this program reads form 2",
		},
		"another type":       {change(`"wire":2`, `"wire":3,"id":{}`), "it has form 3, and this program reads form 2"},
		"no form":            {change(`"wire":2,`, ``), "it has form 0"},
		"an unknown field":   {change(`"id"`, `"path":"/bin/sh","id"`), "one form"},
		"twice":              {change(`"id":`, `"id":"other","id":`), "one form"},
		"another order":      {change(`"arch":"amd64","level":"avx2"`, `"level":"avx2","arch":"amd64"`), "one form"},
		"another number":     {change(`0.1307`, `0.13070`), "one form"},
		"a number too large": {change(`0.1307`, `1e999`), "no JSON object"},
		"a fraction":         {change(`"images":600`, `"images":600.5`), "no JSON object"},
		"no UTF-8":           {change(`cnn-7`, "cnn-\xff"), "one form"},
		"another unit":       {change(`"chunk":2`, `"chunk":1`), "not the key"},
		"too long":           {good + strings.Repeat(" ", MaxOrder), "at most 1048576 are read"},
		"deep":               {change(`"tensors":[`, `"tensors":[`+strings.Repeat("[", 100000)), "no JSON object"},
	} {
		if o, err := ParseOrder([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) ||
			o.Unit != "" {
			t.Errorf("%s: %v; want %s", name, err, tt.want)
		}
	}
	for n := range good {
		testdata.Refused(t, fmt.Sprintf("the first %d bytes were read", n),
			testdata.Err(ParseOrder([]byte(good[:n]))))
	}
}

// TestALargeTextTakesLittleMemory: lists as long as the text allows.
func TestALargeTextTakesLittleMemory(t *testing.T) {
	good := string(encoded(t, someOrder()))
	for _, tt := range [][2]string{
		{`"positions":[`, "{},"},
		{`"tensors":[`, `"",`},
		{`"classes":[`, "0,"},
		{`"mean":[`, "0,"},
		{`"vectors":[`, `"",`},
	} {
		text := strings.Replace(good, tt[0], tt[0]+strings.Repeat(tt[1], (MaxOrder-len(good))/len(tt[1])), 1)
		var err error
		if n := allocated(func() { _, err = ParseOrder([]byte(text)) }); n > 96<<20 {
			t.Errorf("%s: %d MB", tt[0], n>>20)
		}
		if tt[0] != `"classes":[` && err == nil {
			t.Errorf("%s was read", tt[0])
		}
	}
}

func FuzzParseOrder(f *testing.F) {
	good := encoded(f, someOrder())
	f.Add(good)
	masked := someOrder()
	masked.Spec.Family, masked.Spec.Vectors = "mask:3;layers=1,2", nil
	masked.Unit = masked.Spec.UnitKey(masked.Chunk)
	f.Add(encoded(f, masked))
	f.Add([]byte(`{"wire":2}`))
	f.Add([]byte(strings.Replace(string(good), "rotation:-15:15:1", "rotation:-1e9:1e9:1e-9", 1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		// An input that is nearly an order is given its own key, so that what stands behind that
		// check is reached.
		var o Order
		if json.Unmarshal(data, &o) == nil {
			o.Wire, o.Unit = orderVersion, o.Spec.UnitKey(o.Chunk)
			if keyed, err := json.Marshal(o); err == nil {
				checkParse(t, keyed)
			}
		}
		checkParse(t, data)
	})
}

// checkParse: what is read is written with the same bytes, and makes a task within bounds.
func checkParse(t *testing.T, data []byte) {
	o, err := ParseOrder(data)
	if err != nil {
		return
	}
	testdata.Is(t, fmt.Sprintf("%q is written", data), string(testdata.Must(o.Encode())(t)), string(data))
	task := o.Task("m.onnx")
	family, err := transform.ParseAny(task.Spec.Family)
	if err != nil || ResultLimit(o.Spec, o.Chunk, family.N()) > MaxResult || task.Probed || task.Feed.Path != "m.onnx" {
		t.Fatalf("%+v, %v", task, err)
	}
}
