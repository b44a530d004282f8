package background

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// role is what a context network is for.
type role struct {
	word    string // what one of its classes is
	words   string
	network string
	output  string // what it needs to have
	maps    bool   // the output has the form (N, K, H, W)
}

var (
	segmentation = role{
		word: "element", words: "elements", network: "segmentation network",
		output: "of form (N, K, H, W), a score per element and pixel", maps: true,
	}
	sceneNetwork = role{
		word: "scene", words: "scenes", network: "scene network",
		output: "of form (N, C), a score per scene",
	}
)

// network is a context network that is ready to run. It is immutable and safe for many goroutines.
type network struct {
	role
	name    string // of the file, for messages
	hash    string // of the file's bytes
	feed    engine.Feed
	prep    model.Preprocessing
	kind    model.OutputKind
	classes []string
	tried   tried
}

// tried is what a probe found: the number of classes, the size of the maps, and whether scores are
// probabilities.
type tried struct {
	Classes, Height, Width int
	Sums                   bool
}

// openNetwork reads a file, holds names against its classes and probes it, unless that was done
// before. Images are of the given suites: a network of any input size takes theirs. names may be
// empty: the file's own are taken then. Errors name the file.
func openNetwork(ctx context.Context, ws *store.Workspace, rt engine.Runtime, r role, path string, names []string,
	of ...suite.Manifest,
) (*network, error) {
	n, graph, err := readNetwork(rt, r, path)
	if err != nil {
		return nil, err
	}
	if err := n.size(of); err != nil {
		return nil, err
	}
	if n.hash, err = store.HashFile(ctx, path); err != nil {
		return nil, fmt.Errorf("read %s: %w", n.name, err)
	}
	own, err := n.settings(graph)
	if err != nil {
		return nil, err
	}
	n.prep = own.Preprocessing
	if err := n.nameClasses(names, own.ClassNames, graph.Outputs[0].Classes); err != nil {
		return nil, err
	}
	if err := n.try(ctx, ws, rt); err != nil {
		return nil, err
	}
	n.kind = own.OutputKind
	if own.KindBy == model.ByDefault && n.tried.Sums {
		n.kind = model.Probabilities
	}
	return n, n.nameClasses(names, own.ClassNames, n.tried.Classes)
}

// readNetwork reads a file, whose output of the role's form is then its first.
func readNetwork(rt engine.Runtime, r role, path string) (*network, model.Graph, error) {
	var graph model.Graph
	if rt == nil {
		return nil, graph, engine.ErrNoRuntime
	}
	reader, ok := rt.(engine.NetworkReader)
	if !ok {
		return nil, graph, fmt.Errorf("this inference library cannot read a %s", r.network)
	}
	graph, err := reader.Network(path)
	if err != nil {
		return nil, graph, err
	}
	n := &network{role: r, name: filepath.Base(path)}
	if r.maps {
		graph.Outputs = graph.Maps
	}
	if len(graph.Outputs) == 0 {
		return nil, graph, fmt.Errorf("%s has no output %s; it is no %s", n.name, r.output, r.network)
	}
	n.feed = engine.Feed{Path: path, Input: graph.Input, Output: graph.Outputs[0].Name, Maps: r.maps}
	return n, graph, nil
}

// settings are what the file says of itself, without the probe: only a kind that nothing else
// tells is asked of it.
func (n *network) settings(graph model.Graph) (model.Settings, error) {
	m := model.Model{ID: n.name, Graph: graph}
	m.Graph.Metadata = maps.Clone(graph.Metadata)
	delete(m.Graph.Metadata, "output_kind")
	m.Correction.OutputKind = kindIn(graph.Metadata["output_kind"])
	return m.Settings()
}

// kindIn finds a kind of scores in what a file says of its output, which context networks say in
// more words than one: "scene logits". It is empty where there is none; graph and probe tell then.
func kindIn(text string) model.OutputKind {
	text = strings.ToLower(text)
	for _, kind := range []model.OutputKind{model.LogProbabilities, model.Probabilities, model.Logits} {
		if strings.Contains(text, string(kind)) {
			return kind
		}
	}
	return ""
}

// size fills in what the file leaves open of the input: a network of any size takes the suites',
// which must then be one.
func (n *network) size(of []suite.Manifest) error {
	in := &n.feed.Input
	if in.Height == 0 || in.Width == 0 {
		height, width, err := n.oneSize(of)
		if err != nil {
			return err
		}
		if in.Height == 0 {
			in.Height = height
		}
		if in.Width == 0 {
			in.Width = width
		}
	}
	if in.Batch == 0 {
		in.Batch = batchOf(in.Height * in.Width)
	}
	return nil
}

// oneSize is the one size of all images.
func (n *network) oneSize(of []suite.Manifest) (height, width int, err error) {
	for _, m := range of {
		if m.Images == 0 {
			continue
		}
		h, w := m.Shape[1], m.Shape[2]
		if h == 0 || w == 0 || height > 0 && (h != height || w != width) {
			return 0, 0, fmt.Errorf("%s takes images of any size, and those of the suites differ in theirs; export "+
				"it with a fixed input size", n.name)
		}
		height, width = h, w
	}
	return height, width, nil
}

// batchPixels bounds a batch: the maps of a segmentation network have its pixels times its
// elements.
const (
	batchPixels = 1 << 17
	largeBatch  = 32
)

// batchOf is the batch for an input of so many pixels: a power of two from 1 to 32. It does not
// depend on the computer, because the batch can change the last bit of a result.
func batchOf(pixels int) int {
	batch := largeBatch
	for batch > 1 && batch*pixels > batchPixels {
		batch /= 2
	}
	return batch
}

// nameClasses names the classes and holds their number against the network's, where that is known
// (not 0).
func (n *network) nameClasses(given, own []string, classes int) error {
	names, whose := given, "the list has"
	if len(given) == 0 {
		names, whose = own, "its own class_names have"
	}
	if len(names) == 0 {
		return fmt.Errorf("%s does not name its %s; give a list of their names", n.name, n.words)
	}
	if classes > 0 && len(names) != classes {
		return fmt.Errorf("%s tells %d %s apart, but %s %d names; give one name per %s, in its order",
			n.name, classes, n.words, whose, len(names), n.word)
	}
	n.classes = make([]string, len(names))
	for k, name := range names {
		name = strings.TrimSpace(name)
		if name == "" {
			return fmt.Errorf("%s: %s %d has an empty name", n.name, n.word, k+1)
		}
		if first := slices.Index(n.classes[:k], name); first >= 0 {
			return fmt.Errorf("%s: %ss %d and %d are both called %.40q; give each a name of its own", n.name, n.word,
				first+1, k+1, name)
		}
		n.classes[k] = name
	}
	return nil
}

// try probes the network and keeps what was found; a network that has passed before is not tried
// again.
func (n *network) try(ctx context.Context, ws *store.Workspace, rt engine.Runtime) error {
	defer func() {
		shape := []int64{int64(n.feed.Input.Batch), int64(n.tried.Classes)}
		if n.maps {
			shape = append(shape, int64(n.tried.Height), int64(n.tried.Width))
		}
		n.feed.Shapes = [][]int64{shape}
	}()
	kept := fmt.Sprintf("context-network/1/%s/%s/%s/%s", n.hash, rt.Version(), level(), n.feed.ProbeName())
	if found, err := ws.KeptValue(kept, &n.tried); err == nil && found && n.tried.Classes > 0 {
		return nil
	}
	probe, err := rt.Probe(ctx, n.feed)
	if err != nil {
		return err
	}
	n.tried = tried{Classes: probe.Classes, Sums: probe.Sums}
	if n.maps {
		if len(probe.Shapes) == 0 || len(probe.Shapes[0]) != 4 {
			return fmt.Errorf("%s has no output %s; it is no %s", n.name, n.output, n.network)
		}
		n.tried.Height, n.tried.Width = int(probe.Shapes[0][2]), int(probe.Shapes[0][3])
	}
	return ws.KeepValue(kept, n.tried)
}

// identity names all that the network's scores of an image depend on.
func (n *network) identity() string {
	in := n.feed.Input
	how := string(n.prep.Resize)
	if n.prep.Recipe != "" {
		how += "|" + n.prep.Recipe
	}
	return fmt.Sprintf("%s|%s|%v|%v|%s|%s|%dx%dx%dx%d", n.hash, n.feed.Output, n.prep.Mean, n.prep.Std, how, n.kind,
		in.Batch, in.Channels, in.Height, in.Width)
}

// rows is an order for numbers of images.
func (n *network) rows(numbers engine.Numbers, images []int) engine.Rows {
	return engine.Rows{Feed: n.feed, Numbers: numbers, Prep: n.prep, Kind: n.kind, Images: images}
}

// level names what of the processor can change the last bits of a network's scores.
func level() string { return runtime.GOARCH + "-" + engine.Level() }
