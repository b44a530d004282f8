package exchange

import (
	"encoding/binary"
	"math"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// fields are the fields of a protobuf message: integers as they are, everything else as bytes.
func fields(t *testing.T, m []byte) map[protowire.Number][][]byte {
	t.Helper()
	found := map[protowire.Number][][]byte{}
	for len(m) > 0 {
		num, typ, tag := protowire.ConsumeTag(m)
		n := protowire.ConsumeFieldValue(num, typ, m[max(tag, 0):])
		if tag < 0 || n < 0 {
			t.Fatalf("the message is broken: %v, %v", tag, n)
		}
		value := m[tag : tag+n]
		if typ == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(value)
		}
		found[num] = append(found[num], value)
		m = m[tag+n:]
	}
	return found
}

func text(list [][]byte) string {
	if len(list) == 0 {
		return ""
	}
	return string(list[0])
}

func number(t *testing.T, value []byte) int64 {
	t.Helper()
	v, n := protowire.ConsumeVarint(value)
	if n < 0 {
		t.Fatal("no number")
	}
	return int64(v)
}

// operator is a node with its attributes by name.
type operator struct {
	op, domain string
	ints       map[string][]int64
	words      map[string][]string
	doubles    map[string][]float64
	floats     map[string][]float32
}

// operators are the nodes of a model.
func operators(t *testing.T, model []byte) []operator {
	t.Helper()
	var list []operator
	for _, node := range fields(t, fields(t, model)[7][0])[1] {
		f := fields(t, node)
		o := operator{
			op: text(f[4]), domain: text(f[7]),
			ints: map[string][]int64{}, words: map[string][]string{}, doubles: map[string][]float64{},
			floats: map[string][]float32{},
		}
		for _, a := range f[5] {
			o.read(t, fields(t, a))
		}
		list = append(list, o)
	}
	return list
}

func (o operator) read(t *testing.T, a map[protowire.Number][][]byte) {
	t.Helper()
	name := text(a[1])
	for _, v := range append(a[3], a[8]...) {
		o.ints[name] = append(o.ints[name], number(t, v))
	}
	for _, v := range append(a[4], a[9]...) {
		o.words[name] = append(o.words[name], string(v))
	}
	for _, v := range a[7] {
		o.floats[name] = append(o.floats[name], math.Float32frombits(binary.LittleEndian.Uint32(v)))
	}
	if len(a[5]) > 0 {
		tensor := fields(t, a[5][0])
		if number(t, tensor[2][0]) != float64Type {
			t.Fatalf("attribute %s holds no float64", name)
		}
		for raw := tensor[9][0]; len(raw) > 0; raw = raw[8:] {
			o.doubles[name] = append(o.doubles[name], math.Float64frombits(binary.LittleEndian.Uint64(raw)))
		}
	}
}

// sums evaluates a TreeEnsembleClassifier as its specification says, one node after the other.
func (o operator) sums(x []float64) []float64 {
	type place struct{ tree, node int64 }
	at := map[place]int{}
	trees := int64(0)
	for i, tree := range o.ints["nodes_treeids"] {
		at[place{tree, o.ints["nodes_nodeids"][i]}] = i
		trees = max(trees, tree+1)
	}
	total := make([]float64, len(o.ints["classlabels_int64s"]))
	for tree := range trees {
		here := place{tree, 0}
		for o.words["nodes_modes"][at[here]] == "BRANCH_LEQ" {
			i := at[here]
			if x[o.ints["nodes_featureids"][i]] <= o.doubles["nodes_values_as_tensor"][i] {
				here.node = o.ints["nodes_truenodeids"][i]
			} else {
				here.node = o.ints["nodes_falsenodeids"][i]
			}
		}
		for k, leaf := range o.ints["class_nodeids"] {
			if o.ints["class_treeids"][k] == tree && leaf == here.node {
				total[o.ints["class_ids"][k]] += o.doubles["class_weights_as_tensor"][k]
			}
		}
	}
	return total
}
