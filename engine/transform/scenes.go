package transform

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ScenesSet is the name of the set of composites: scenes:HASH:N puts an image's foreground on its
// scene 1..N of the selection with that hash (spec/background.md section 8). The images are made by
// an engine.Composer; a plan of the set copies.
const ScenesSet = "scenes"

// The bounds of the parameters: a selection's hash is a SHA-256, and far fewer scenes than this
// fill a scatter plot.
const (
	hashDigits = 64
	maxScenes  = 1000
)

// scenes are the parameters of the set of composites; the zero value stands in every other family.
// It is comparable, as Family is.
type scenes struct {
	hash string
	n    int
}

// Scenes is the set scenes:HASH:N; hash is 64 hexadecimal digits, n from 1 to 1000.
func Scenes(hash string, n int) (Family, error) {
	hash = strings.ToLower(hash)
	if len(hash) != hashDigits || strings.Trim(hash, "0123456789abcdef") != "" {
		return Family{}, fmt.Errorf("%s: %.80q is no selection's hash, which has %d hexadecimal digits", ScenesSet,
			hash, hashDigits)
	}
	if n < 1 || n > maxScenes {
		return Family{}, fmt.Errorf("%s: there are %d scenes per target; a selection has from 1 to %d",
			ScenesSet, n, maxScenes)
	}
	return Family{name: ScenesSet, scenes: scenes{hash: hash, n: n}}, nil
}

// Scened gives the selection's hash and n of a set scenes:HASH:N; ok is false for everything else.
func (f Family) Scened() (hash string, n int, ok bool) {
	return f.scenes.hash, f.scenes.n, f.name == ScenesSet
}

// text is the canonical text behind the name.
func (s scenes) text() string { return ":" + s.hash + ":" + strconv.Itoa(s.n) }

// short is the text for people behind the name: " abcdef12 x32".
func (s scenes) short() string { return fmt.Sprintf(" %.8s x%d", s.hash, s.n) }

// words are Family.Words.
func (s scenes) words() string {
	return fmt.Sprintf("foregrounds on each of %d scenes of selection %.8s", s.n, s.hash)
}

// parseScenes reads what stands behind the name: ":HASH:N".
func parseScenes(rest string) (Family, error) {
	values, options := parameters(rest)
	if len(options) > 0 {
		return Family{}, fmt.Errorf("%s takes no options; leave out %q", ScenesSet, strings.Join(options, ";"))
	}
	if len(values) != 2 {
		return Family{}, errors.New("scenes needs a selection's hash and the number of its scenes: scenes:HASH:32")
	}
	n, err := whole("the number of scenes", values[1])
	if err != nil {
		return Family{}, err
	}
	return Scenes(strings.TrimSpace(values[0]), n)
}
