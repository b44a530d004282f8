package background

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// Ways says of each selection how its scenes were chosen: "keywords, n = 32, with jitter", and
// behind that every setting in which selections of the list with the same beginning differ, such
// as "up to 3 levels". Selections with equal texts are repeated runs of each other: all their
// settings but the seed are the same.
func Ways(list []Selection) []string {
	ways := make([]string, len(list))
	settings := make([][]string, len(list))
	for k, s := range list {
		ways[k] = fmt.Sprintf("%s, n = %d", s.Choice.Method, s.Choice.N)
		if s.Choice.Jitter {
			ways[k] += ", with jitter"
		}
		settings[k] = s.settings()
	}
	differ := map[string][]bool{}
	for k, way := range ways {
		if differ[way] == nil {
			differ[way] = make([]bool, len(settings[k]))
		}
		for other := range k {
			for i := range settings[k] {
				if ways[other] == way && settings[other][i] != settings[k][i] {
					differ[way][i] = true
				}
			}
		}
	}
	full := make([]string, len(list))
	for k, way := range ways {
		full[k] = way
		for i, text := range settings[k] {
			if differ[way][i] {
				full[k] += ", " + text
			}
		}
	}
	return full
}

// settings are what scenes were chosen by, beside method, number, jitter and seed, a text each.
func (s Selection) settings() []string {
	align, feather := string(s.Align), result.Number.Write(s.Feather)
	align = cmp.Or(align, string(Keep))
	e, r := s.Expansion, s.Rule
	return []string{
		"targets " + short(s.Targets), "masks " + short(s.Masks), "backgrounds " + short(s.Backgrounds),
		"keyword table " + short(s.Table),
		fmt.Sprintf("ontology %s with %d edits", short(s.Ontology), s.Edits),
		fmt.Sprintf("words of more than %s %% of the pixels and %d scene words",
			result.Digits(100*r.Share, 12), r.Scenes),
		"with " + listed(r.Excluded, "words"),
		fmt.Sprintf("expanded to %d keywords", e.MinKeywords), e.LevelsText(),
		"feather " + feather, "align " + align, "with " + listed(s.Vetoed, "scenes"),
	}
}

// short are the first digits of a hash, which name it among the hashes of a workspace.
func short(hash string) string { return hash[:min(len(hash), 12)] }

// listed is a list as its length and the hash of its members, so that other lists have other
// texts.
func listed[T any](list []T, noun string) string {
	if len(list) == 0 {
		return "no excluded " + noun
	}
	var members []string
	for _, member := range list {
		members = append(members, strconv.Quote(fmt.Sprint(member)))
	}
	sum := sha256.Sum256([]byte(strings.Join(members, ",")))
	return fmt.Sprintf("%d excluded %s (%s)", len(list), noun, short(hex.EncodeToString(sum[:])))
}
