package onnx

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/variscope/variscope/internal/testdata"
)

// onnxProto names the format's own file, onnx-ml.proto, to compare messages.txt with; Debian's
// libonnx-dev has one.
const onnxProto = "VARISCOPE_ONNX_PROTO"

// The places where the format allows a tensor, as the specification of the format lists them:
// what messages.txt says, said again.
func TestMessagesLeadToAllTensors(t *testing.T) {
	want := []string{
		"AttributeProto.g", "AttributeProto.graphs", "AttributeProto.sparse_tensor", "AttributeProto.sparse_tensors",
		"AttributeProto.t", "AttributeProto.tensors", "FunctionProto.attribute_proto", "FunctionProto.node",
		"GraphProto.initializer", "GraphProto.node", "GraphProto.sparse_initializer", "ModelProto.functions",
		"ModelProto.graph", "ModelProto.training_info", "NodeProto.attribute", "SparseTensorProto.indices",
		"SparseTensorProto.values", "TrainingInfoProto.algorithm", "TrainingInfoProto.initialization",
	}
	var got []string
	for name, m := range readMessages(messagesText) {
		for _, to := range m.fields {
			got = append(got, name+"."+to.name)
		}
		if (m.location != 0) != (name == tensorMessage) {
			t.Errorf("%s says in field %d where data lie", name, m.location)
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Every field of the format's own file, which the environment names, is in messages.txt, which may
// be newer. With VARISCOPE_WRITE_MESSAGES=1 the list is written anew from the file.
func TestMessagesAreThoseOfTheFormat(t *testing.T) {
	path := os.Getenv(onnxProto)
	if path == "" {
		return
	}
	listed := listFields(string(testdata.Must(os.ReadFile(path))(t)))
	for line := range strings.Lines(listed) {
		if !strings.Contains(messagesText, "\n"+line) {
			t.Errorf("messages.txt lacks %q; write it anew, and see that the walk finds every tensor", line)
		}
	}
	if os.Getenv("VARISCOPE_WRITE_MESSAGES") != "" {
		head, _, _ := strings.Cut(messagesText, "\nAttributeProto")
		testdata.OK(t, os.WriteFile("messages.txt", []byte(head+"\n"+listed), 0o644))
	}
}

var (
	protoComment = regexp.MustCompile(`//.*`)
	protoToken   = regexp.MustCompile(`(message|enum|oneof)\s+([\w.]+)\s*\{|\}|(?:(?:optional|repeated)\s+)?([\w.]+)\s+(\w+)\s*=\s*(\d+)\s*(?:\[[^\]]*\])?;`)
)

// listFields are the fields of a .proto file in the form of messages.txt.
func listFields(proto string) string {
	type row struct {
		in, name, kind string
		number         int
	}
	var rows []row
	var open []string // messages, enumerations and alternatives around a place, by their name
	enums := map[string]bool{}
	for _, m := range protoToken.FindAllStringSubmatch(protoComment.ReplaceAllString(proto, ""), -1) {
		switch {
		case m[1] == "oneof":
			open = append(open, "")
		case m[1] == "enum":
			enums[m[2]] = true
			open = append(open, "enum "+m[2])
		case m[1] == "message":
			open = append(open, m[2])
		case m[0] == "}":
			open = open[:len(open)-1]
		case !strings.HasPrefix(open[len(open)-1], "enum "):
			number, _ := strconv.Atoi(m[5])
			in := strings.Join(slices.DeleteFunc(slices.Clone(open), func(s string) bool { return s == "" }), ".")
			rows = append(rows, row{in, m[4], m[3], number})
		}
	}
	known := map[string]bool{}
	for _, r := range rows {
		known[r.in] = true
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(strings.Compare(a.in, b.in), cmp.Compare(a.number, b.number))
	})
	var b strings.Builder
	for _, r := range rows {
		kind := r.kind
		for scope := r.in; scope != ""; scope, _, _ = strings.Cut(scope, ".") { // a message's own messages first
			if known[scope+"."+r.kind] {
				kind = scope + "." + r.kind
				break
			}
			if !strings.Contains(scope, ".") {
				break
			}
		}
		if enums[kind] {
			kind = "enum"
		}
		fmt.Fprintf(&b, "%s %d %s %s\n", r.in, r.number, r.name, kind)
	}
	return b.String()
}

// decisions are small numbers that a nesting is made of: drawn, or read from the bytes of a
// fuzzer.
type decisions func(n int) int

func drawn(random *rand.Rand) decisions { return random.IntN }

func readFrom(data []byte) decisions {
	return func(n int) int {
		if len(data) == 0 {
			return 0
		}
		v := int(data[0])
		data = data[1:]
		return v % n
	}
}

// nest builds a message in which a tensor lies at a place that the format allows, with other
// messages around it; external says whether the tensor's data lie outside the file. way are the
// fields that lead to it. up to room messages lie inside each other, and some more where a tensor
// is still far.
func nest(m *message, external bool, choose decisions, room int) (built pb, way []string) {
	if m.location != 0 {
		built = tensorHead("planted", typeFloat, []int64{1})
		if external {
			built = built.msg(13, pb{}.str(1, "location").str(2, "secret")).num(m.location, 1)
		}
		return built, nil
	}
	numbers := slices.Sorted(maps.Keys(m.fields))
	if room <= 0 {
		slices.SortStableFunc(numbers, func(a, b protowire.Number) int {
			return cmp.Compare(far(m.fields[a].holds, 0), far(m.fields[b].holds, 0))
		})
		numbers = numbers[:1]
	}
	field := numbers[choose(len(numbers))]
	to := m.fields[field]
	inner, way := nest(to.holds, external, choose, room-1)
	for range choose(3) { // harmless neighbours before and behind
		built = built.msg(field, nil)
	}
	if m.name != 0 && choose(2) == 1 {
		built = built.str(m.name, "n\x1b[31m\n"+strings.Repeat("é", 50))
	}
	built = built.msg(field, inner)
	for range choose(3) {
		other := numbers[choose(len(numbers))]
		neighbour, _ := nest(m.fields[other].holds, false, choose, 0)
		built = built.msg(other, neighbour)
	}
	return built, append([]string{to.name}, way...)
}

// far is how many messages lie between a message and a tensor, at least.
func far(m *message, depth int) int {
	if m.location != 0 || depth > 6 {
		return depth
	}
	nearest := 100
	for _, to := range m.fields {
		nearest = min(nearest, far(to.holds, depth+1))
	}
	return nearest
}

// checkPlanted plants a tensor by decisions and demands that the file is refused by name where
// its data lie outside, and is not refused for that reason where they do not. It returns the
// fields that led to it.
func checkPlanted(t *testing.T, choose func() decisions) []string {
	t.Helper()
	file := tiny().file()
	inside, _ := nest(format(), false, choose(), 12)
	planted, way := nest(format(), true, choose(), 12)
	testdata.OK(t, (&reader{}).inFile(format(), append(slices.Clone(file), inside...), 0))
	for _, data := range [][]byte{append(slices.Clone(file), planted...), append(slices.Clone(planted), file...)} {
		_, err := InspectBytes("m.onnx", data)
		if err == nil || !strings.Contains(err.Error(), "keeps its weights in separate files (") ||
			!strings.Contains(err.Error(), way[len(way)-1]+` "planted"); save`) {
			t.Fatalf("%v: %v", way, err)
		}
		if said := err.Error(); len(said) > 600 || strings.ContainsAny(said, "\x1b\n") {
			t.Fatalf("no sentence: %q", said)
		}
		var outside *externalError
		if err := (&reader{}).inFile(format(), data, 0); !errors.As(err, &outside) || len(outside.way) != len(way) {
			t.Fatalf("%v: found at %v", way, outside)
		}
		for k, part := range outside.way {
			if name, _, _ := strings.Cut(part, " "); name != way[k] {
				t.Fatalf("planted at %v, found at %v", way, outside.way)
			}
		}
	}
	return way
}

func TestInspectRefusesExternalDataAnywhere(t *testing.T) {
	met := map[string]bool{}
	for seed := range uint64(3000) {
		way := checkPlanted(t, func() decisions { return drawn(rand.New(rand.NewPCG(seed, 7))) })
		for _, field := range way {
			met[field] = true
		}
	}
	for name, m := range readMessages(messagesText) {
		for _, to := range m.fields {
			if !met[to.name] {
				t.Errorf("nothing was planted at %s.%s", name, to.name)
			}
		}
	}
}

// FuzzExternalData plants a tensor with external data at a place that the fuzzer's bytes choose.
func FuzzExternalData(f *testing.F) {
	f.Add([]byte{})
	random := rand.New(rand.NewPCG(1, 8))
	for range 20 {
		seed := make([]byte, 40)
		for k := range seed {
			seed[k] = byte(random.IntN(256))
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkPlanted(t, func() decisions { return readFrom(data) }) })
}

// A name or a place in the file decides nothing: the mark does, also where other marks stand
// before or behind it.
func TestInspectRefusesEveryExternalMark(t *testing.T) {
	for name, tensor := range map[string]pb{
		"marked twice": tensorHead("w", typeFloat, nil).num(14, 1).num(14, 0),
		"another mark": tensorHead("w", typeFloat, nil).num(14, 2),
		"a wide mark":  tensorHead("w", typeFloat, nil).num(14, 1<<32|1),
		"no place":     tensorHead("w", typeFloat, nil).num(14, 1),
	} {
		g := tiny()
		g.weights = append(g.weights, tensor)
		testdata.Refused(t, name, testdata.Err(InspectBytes("m.onnx", g.file())), `(graph "g" > initializer "w")`)
	}
}

// hostileModel is a model file of the collection that wants to do harm.
func hostileModel(name string) string { return filepath.Join("testdata", "hostile", name+".onnx") }

// Files whose functions' attribute defaults hold external data: the library would read a file of
// the working directory into signals.
func TestFunctionDefaultsAreRefused(t *testing.T) {
	r, feed := library(t), feedOf(t, hostileModel("fixed_width"), 1)
	for name, way := range map[string]string{
		"extfn_attr_rel":   `functions "F" > attribute_proto "tv" > t`,
		"extfn_attr_graph": `functions "F" > attribute_proto "tg" > g "e" > initializer "h"`,
	} {
		feed.Path = hostileModel(name)
		want := fmt.Sprintf("%s.onnx keeps its weights in separate files (%s); ", name, way)
		_, inspected := Inspect(feed.Path)
		_, opened := r.Open(t.Context(), feed)
		_, probed := r.Probe(t.Context(), feed)
		_, network := Network(feed.Path)
		for _, err := range []error{inspected, opened, probed, network} {
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		}
	}
}
