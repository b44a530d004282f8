package onnx

// keepsPlaces are the operators that may stand between a convolution and the place where it meets
// others: activations, BatchNormalization, Pad, additions and products of constants, and what
// changes nothing but the type of numbers.
var keepsPlaces = []string{
	"BatchNormalization", "Pad", "Identity", "Cast", "Dropout", "QuantizeLinear", "DequantizeLinear",
	"Add", "Sub", "Mul", "Div", "Relu", "LeakyRelu", "PRelu", "ThresholdedRelu", "Elu", "Selu", "Celu", "Gelu", "Mish",
	"Clip", "Sigmoid", "HardSigmoid", "Swish", "HardSwish", "Softplus", "Softsign", "Tanh", "Erf",
}

// mostJoinSteps is how many nodes may be looked at to tell whether convolutions are parallel.
const mostJoinSteps = 5_000_000

// joins finds where parallel convolutions meet right behind (DESIGN.md section 4), such as those
// of an inception block or the halves of a convolution in groups: for each of them the joined
// tensor, which is a position in their place. apart are convolutions that are none, since their
// maps are 1 x 1.
//
// They meet in a Concat (not of the batch) of at least two of them, or in an Add or Sum of at least
// two that read the same tensor: the convolution of a shortcut reads another one than the last of
// the path around which it leads, and both stay positions. Right behind means that between a
// convolution and that node stand only operators of keepsPlaces that take nothing else that depends
// on the image. Parallel means that none of them depends on another, so the layers of a dense
// block, which are concatenated one after the other, are not joined. Other inputs of that node,
// such as a pooling, change nothing. What is joined can meet others in turn, once like a
// convolution.
func (a *analysis) joins(apart []string) map[string]string {
	nodes := map[string]int{} // tensor -> the node that makes it
	for i := range a.graph.nodes {
		for _, out := range a.graph.nodes[i].outputs {
			if _, twice := nodes[out]; !twice {
				nodes[out] = i
			}
		}
	}
	point := map[string]bool{}
	for _, tensor := range apart {
		point[tensor] = true
	}
	var joined map[string]string
	taken := map[string]bool{}       // what has met others; it is joined once
	members := map[string][]string{} // of a convolution or joined tensor: the convolutions' outputs
	reads := map[string]string{}     // of these: what all of their convolutions read, "" for several tensors
	from := map[string]string{}      // tensor -> the convolution or joined tensor right before it
	steps := mostJoinSteps
	for i := range a.graph.nodes {
		n := &a.graph.nodes[i]
		if len(n.outputs) == 0 || n.outputs[0] == "" || a.fixed[n.outputs[0]] {
			continue
		}
		out := n.outputs[0]
		if n.is("Conv") {
			if !point[out] {
				from[out], members[out], reads[out] = out, []string{out}, n.input(0)
			}
			continue
		}
		var met, convs []string // different ones among the inputs, and all their convolutions
		read, others, seen := "", false, map[string]bool{}
		for _, in := range n.inputs {
			origin := from[in]
			switch {
			case in == "" || a.fixed[in] || seen[origin]:
			case origin == "" || taken[origin]:
				others = true
			default:
				seen[origin] = true
				if len(met) == 0 {
					read = reads[origin]
				} else if reads[origin] != read {
					read = ""
				}
				met, convs = append(met, origin), append(convs, members[origin]...)
			}
		}
		switch {
		case len(met) == 1 && !others && n.is(keepsPlaces...):
			from[out] = met[0]
		case len(met) > 1 && (n.is("Add", "Sum") && read != "" || n.is("Concat") && n.integer("axis", 1) != 0) &&
			a.parallel(convs, nodes, &steps):
			from[out], members[out], reads[out] = out, convs, read
			if joined == nil {
				joined = map[string]string{}
			}
			for _, c := range convs {
				joined[c] = out
			}
			for _, origin := range met {
				taken[origin] = true
			}
		}
	}
	return joined
}

// parallel tells whether none of the convolutions depends on another. nodes has the node that makes
// a tensor; steps are left for this and what is asked later, without which they count as dependent.
func (a *analysis) parallel(convs []string, nodes map[string]int, steps *int) bool {
	first := len(a.graph.nodes)
	is := map[int]bool{}
	for _, c := range convs {
		is[nodes[c]] = true
		first = min(first, nodes[c])
	}
	seen := map[int]bool{}
	var open []int
	for at := range is {
		open = append(open, at)
	}
	*steps -= len(convs)
	for len(open) > 0 {
		at := open[len(open)-1]
		open = open[:len(open)-1]
		for _, in := range a.graph.nodes[at].inputs {
			if *steps--; *steps < 0 {
				return false
			}
			before, made := nodes[in]
			switch {
			case !made || before < first || seen[before]: // what comes before all of them leads to none
				continue
			case is[before]:
				return false
			}
			seen[before] = true
			open = append(open, before)
		}
	}
	return len(is) > 1
}
