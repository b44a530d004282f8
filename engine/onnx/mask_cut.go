package onnx

// cut finds what the masks do not change and plans to compute it once: the tensors that go over the
// cut, and the nodes behind it. It cuts nothing off where an inner graph may read any tensor, where
// a wanted tensor does not depend on the masks, or where what would go over is not float32.
func (e *maskEdit) cut() {
	if e.hasInner() {
		return
	}
	c := cutting{
		maskEdit: e, makers: e.makers(), first: map[string]spot{}, seen: map[string]bool{}, at: map[string]spot{},
		needed: make([]bool, len(e.graph.nodes)),
	}
	c.dependent, c.changed = e.downstream()
	for _, s := range e.spots {
		c.at[s.tensor] = s
	}
	for _, name := range e.outputs {
		if !c.changed[name] {
			return
		}
	}
	if c.collect() {
		e.shared, e.first, e.needed = c.shared, c.first, c.needed
	}
}

// cutting is the search for the cut, from the wanted tensors back.
type cutting struct {
	*maskEdit
	makers    map[string]int
	dependent []bool          // nodes that read, directly or not, what is masked
	changed   map[string]bool // the tensors that masks change
	shared    []string
	first     map[string]spot
	seen      map[string]bool
	needed    []bool
	at        map[string]spot // by tensor
}

// collect walks back from the wanted tensors; false where no cut can be made.
func (c *cutting) collect() bool {
	open := append([]string(nil), c.outputs...)
	for len(open) > 0 {
		tensor := open[len(open)-1]
		open = open[:len(open)-1]
		node, made := c.makers[tensor]
		if c.seen[tensor] || !made { // an input or an initialiser
			continue
		}
		c.seen[tensor] = true
		masked := c.changed[tensor] && !c.dependent[node]
		switch {
		case masked && c.kinds[tensor] != typeFloat:
			return false
		case masked || !c.changed[tensor] && !c.fixed[tensor] && c.kinds[tensor] == typeFloat:
			c.shared = append(c.shared, tensor)
			if masked {
				c.first[tensor] = c.at[tensor]
			}
		default: // behind the cut, or computed from weights alone, or no float32: then computed once more
			c.needed[node] = true
			open = append(open, c.graph.nodes[node].inputs...)
		}
	}
	return len(c.shared) > 0
}

// makers are the nodes that compute the tensors; the first one where a damaged graph has several.
func (a *analysis) makers() map[string]int {
	makers := map[string]int{}
	for i := range a.graph.nodes {
		for _, out := range a.graph.nodes[i].outputs {
			if _, twice := makers[out]; !twice && out != "" {
				makers[out] = i
			}
		}
	}
	return makers
}

// downstream are the nodes that read what is masked, directly or not, and all tensors that masks
// change.
func (e *maskEdit) downstream() (nodes []bool, tensors map[string]bool) {
	readers := e.readers()
	nodes, tensors = make([]bool, len(e.graph.nodes)), map[string]bool{}
	var open []string
	reach := func(tensor string) {
		if tensor != "" && !tensors[tensor] {
			tensors[tensor] = true
			open = append(open, tensor)
		}
	}
	for _, s := range e.spots {
		reach(s.tensor)
	}
	for len(open) > 0 {
		tensor := open[len(open)-1]
		open = open[:len(open)-1]
		for _, node := range readers[tensor] {
			if nodes[node] {
				continue
			}
			nodes[node] = true
			for _, out := range e.graph.nodes[node].outputs {
				reach(out)
			}
		}
	}
	return nodes, tensors
}

// upstream are the nodes that tensors depend on.
func (e *maskEdit) upstream(tensors []string) []bool {
	makers, needed := e.makers(), make([]bool, len(e.graph.nodes))
	open := append([]string(nil), tensors...)
	for len(open) > 0 {
		tensor := open[len(open)-1]
		open = open[:len(open)-1]
		node, made := makers[tensor]
		if !made || needed[node] {
			continue
		}
		needed[node] = true
		open = append(open, e.graph.nodes[node].inputs...)
	}
	return needed
}
