package archtest

import (
	"cmp"
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// replaced are words that once named things of the program by a picture, with the word that says
// the same to everybody. A name of the source code has none of them as a part.
var replaced = map[string]string{
	"bare":      "plain, without what is missing",
	"bench":     "fixture, or what is measured",
	"course":    "curve, sink or over time",
	"crew":      "members, workers",
	"deck":      "grid",
	"errand":    "job",
	"hear":      "notify, take, watch",
	"lesson":    "training",
	"lows":      "lowest",
	"orphan":    "unfocused",
	"rack":      "image cache",
	"seat":      "worker, slot",
	"shelf":     "cache",
	"spent":     "timings",
	"strand":    "series",
	"sweep":     "unused files, drafts",
	"team":      "executors, workers",
	"tempo":     "throughput",
	"treatment": "repair",
	"vacancy":   "empty state",
	"veil":      "hide small counts",
	"wish":      "request, form values",
	"salvager":  "recovery",
}

// kept are names with such a word that mean it: those of the commands bench and assess (--stability
// course), of benchmarks, and names that stand in files or go over the wire.
var kept = regexp.MustCompile(`^(?i:bench(command|subject|device|mark.*)?)$`)

// TestNamesSayWhatTheyMean holds all names that the source code declares against the list.
func TestNamesSayWhatTheyMean(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	part := regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+`)
	found := map[string]string{}
	eachSource(t, func(where string, file *ast.File) {
		names := []string{strings.TrimSuffix(path.Base(where), ".go"), file.Name.Name}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				names = append(names, n.Name.Name)
			case *ast.TypeSpec:
				names = append(names, n.Name.Name)
			case *ast.ValueSpec:
				for _, name := range n.Names {
					names = append(names, name.Name)
				}
			case *ast.Field:
				for _, name := range n.Names {
					names = append(names, name.Name)
				}
			}
			return true
		})
		for _, name := range names {
			for _, word := range part.FindAllString(name, -1) {
				word = strings.ToLower(word)
				if instead := cmp.Or(replaced[word], replaced[strings.TrimSuffix(word, "s")]); instead != "" &&
					!kept.MatchString(name) {
					found[where+": "+name] = instead
				}
			}
		}
	})
	for _, name := range slices.Sorted(maps.Keys(found)) {
		t.Errorf("%s: say %s", name, found[name])
	}
}
