package exchange

import "github.com/variscope/variscope/engine/tree"

// ensemble are the attributes of a TreeEnsembleClassifier.
type ensemble struct {
	classes                       int
	count                         int64 // of trees
	treeIDs, nodeIDs, featureIDs  []int64
	modes                         []string
	whenTrue, whenFalse           []int64
	thresholds                    []float64
	leafTrees, leafNodes, classID []int64
	weights                       []float64
}

func newEnsemble(classes int) *ensemble { return &ensemble{classes: classes} }

// add appends a tree whose leaves weigh what leaf writes, one number per class.
func (e *ensemble) add(t *tree.Tree, leaf func(weights []float64, node int)) {
	weights := make([]float64, e.classes)
	for node := range t.Left {
		e.treeIDs = append(e.treeIDs, e.count)
		e.nodeIDs = append(e.nodeIDs, int64(node))
		mode, column, yes, no, threshold := "LEAF", 0, 0, 0, 0.0
		if t.Left[node] >= 0 {
			mode, column, threshold = "BRANCH_LEQ", t.Feature[node], t.Threshold[node]
			yes, no = t.Left[node], t.Right[node]
		}
		e.featureIDs = append(e.featureIDs, int64(column))
		e.modes = append(e.modes, mode)
		e.whenTrue = append(e.whenTrue, int64(yes))
		e.whenFalse = append(e.whenFalse, int64(no))
		e.thresholds = append(e.thresholds, threshold)
		if t.Left[node] >= 0 {
			continue
		}
		leaf(weights, node)
		for k, w := range weights {
			e.leafTrees = append(e.leafTrees, e.count)
			e.leafNodes = append(e.leafNodes, int64(node))
			e.classID = append(e.classID, int64(k))
			e.weights = append(e.weights, w)
		}
	}
	e.count++
}

// trees adds trees that vote with the shares of their leaves, and for two classes the leaf that
// moves the majority to 0.
func (e *ensemble) trees(list ...*tree.Tree) *ensemble {
	for _, t := range list {
		e.add(t, func(weights []float64, leaf int) {
			for k := range weights { // divided as engine/tree divides them
				weights[k] = t.Counts[leaf][k] / t.Cover[leaf]
			}
		})
	}
	if e.classes == 2 {
		single := &tree.Tree{Classes: 2, Left: []int{-1}, Right: []int{-1}}
		e.add(single, func(weights []float64, _ int) { weights[0], weights[1] = 0, -float64(len(list))/2 })
	}
	return e
}

// boosted adds the stumps with their terms of the decision value.
func (e *ensemble) boosted(b *tree.Boost) *ensemble {
	for m, stump := range b.Stumps {
		e.add(stump, func(weights []float64, leaf int) { copy(weights, b.Terms(m, leaf)) })
	}
	return e
}

// classify appends the operator; its outputs are the label and the sums of the leaves' weights.
func (g *graph) classify(e *ensemble, sums string) {
	labels := make([]int64, e.classes)
	for k := range labels {
		labels[k] = int64(k)
	}
	g.node(learning, "TreeEnsembleClassifier", []string{Input}, []string{Label, sums},
		attrInts("nodes_treeids", e.treeIDs), attrInts("nodes_nodeids", e.nodeIDs),
		attrInts("nodes_featureids", e.featureIDs), attrTexts("nodes_modes", e.modes),
		attrInts("nodes_truenodeids", e.whenTrue), attrInts("nodes_falsenodeids", e.whenFalse),
		attrTensor("nodes_values_as_tensor", doubles("thresholds", e.thresholds, int64(len(e.thresholds)))),
		attrInts("class_treeids", e.leafTrees), attrInts("class_nodeids", e.leafNodes),
		attrInts("class_ids", e.classID), attrTensor("class_weights_as_tensor",
			doubles("weights", e.weights, int64(len(e.weights)))), attrInts("classlabels_int64s", labels),
		attrText("post_transform", "NONE"))
	g.outputs = append(g.outputs, value(Label, int64Type, -1))
}

// shares is the graph of a tree or a forest of so many trees.
func (g *graph) shares(e *ensemble, trees int) {
	g.classify(e, "sums")
	sums := "sums"
	if e.classes == 2 {
		moved := g.constant("majority", floats("majority", []float64{0, float64(trees) / 2}, 2))
		sums = g.apply("Add", "votes", []string{sums, moved})
	}
	count := g.constant("trees", floats("trees", []float64{float64(trees)}, 1))
	g.apply("Div", Scores, []string{sums, count})
	g.outputs = append(g.outputs, value(Scores, float32Type, -1, int64(e.classes)))
}

// boost is the graph of AdaBoost: the operator sums the terms of the decision; the probability is
// its logistic function, or for more than two classes the softmax of its (K-1)th part.
func (g *graph) boost(b *tree.Boost, classes int) {
	g.classify(newEnsemble(classes).boosted(b), Decision)
	if classes == 2 {
		g.apply("Sigmoid", Scores, []string{Decision})
	} else {
		g.constant("others", floats("others", []float64{float64(classes - 1)}, 1))
		g.apply("Div", "logits", []string{Decision, "others"})
		g.apply("Softmax", Scores, []string{"logits"}, attrInt("axis", 1))
	}
	g.outputs = append(g.outputs, value(Scores, float32Type, -1, int64(classes)),
		value(Decision, float32Type, -1, int64(classes)))
}
