package background

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
)

// Selection is the testing scenes of all targets of a suite with all that they were chosen by: part
// of every key of a run under the set scenes:HASH:N (transform.Scenes). It is a value; two
// selections with equal Hash give the same composites and clouds.
type Selection struct {
	Targets     string `json:"targets"`     // content hash of the suite of targets
	Masks       string `json:"masks"`       // content hash of the masks
	Backgrounds string `json:"backgrounds"` // content hash of the suite of backgrounds
	// Table, Ontology, Rule, Expansion and Choice are what the scenes were chosen by: hashes and
	// settings.
	Table     string    `json:"table"`
	Ontology  string    `json:"ontology"` // itemset.Ontology.Hash
	Edits     int       `json:"edits"`    // of the ontology
	Rule      Rule      `json:"rule"`
	Expansion Expansion `json:"expansion"`
	Choice    Choice    `json:"choice"`
	Feather   float64   `json:"feather,omitempty"`
	Align     Alignment `json:"align,omitempty"`
	// Vetoed are images of the suite of backgrounds that were ruled out by hand.
	Vetoed []int `json:"vetoed,omitempty"`
	// Chosen are the scenes per target, in the suite's order of targets; Scene.Background is the
	// image's number in the suite of backgrounds.
	Chosen [][]Scene `json:"chosen"`
}

// MostScenes is the largest N of a selection, that of the set scenes:HASH:N.
const MostScenes = 1000

// N is the scenes per target.
func (s Selection) N() int {
	if len(s.Chosen) == 0 {
		return 0
	}
	return len(s.Chosen[0])
}

// Hash names the selection: SHA-256 over what composites and clouds depend on: targets, masks,
// backgrounds, compositing, and the chosen scenes in their order with their distances. It is
// written with 64 hexadecimal digits.
func (s Selection) Hash() string {
	sum := sha256.New()
	_, _ = io.WriteString(sum, "variscope scenes 1\n")
	for _, text := range []string{s.Targets, s.Masks, s.Backgrounds} {
		put(sum, uint64(len(text)))
		_, _ = io.WriteString(sum, text)
	}
	align := s.Align
	align = cmp.Or(align, Keep)
	put(sum, math.Float64bits(s.Feather+0)) // -0 is 0
	put(sum, uint64(len(align)))
	_, _ = io.WriteString(sum, string(align))
	put(sum, uint64(len(s.Chosen)))
	for _, list := range s.Chosen {
		put(sum, uint64(len(list)))
		for _, scene := range list {
			put(sum, uint64(scene.Background))
			put(sum, math.Float64bits(scene.Distance))
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// put adds a number to a hash.
func put(sum hash.Hash, v uint64) {
	var data [8]byte
	binary.LittleEndian.PutUint64(data[:], v)
	_, _ = sum.Write(data[:])
}

// Far is D, the largest distance of the selection; 0 without any.
func (s Selection) Far() float64 {
	far := 0.0
	for _, list := range s.Chosen {
		for _, scene := range list {
			far = max(far, scene.Distance)
		}
	}
	return far
}

// Check says what is wrong with a selection that comes from a file or a database: no targets,
// unequal numbers of scenes or none or too many of them, numbers below 0, a scene twice for one
// target, a vetoed scene, distances that are not finite or below 0, a feather or an alignment that
// cannot be.
func (s Selection) Check() error {
	if len(s.Chosen) == 0 {
		return errors.New("the selection has no targets")
	}
	if n := s.N(); n < 1 || n > MostScenes {
		return fmt.Errorf("the selection has %d scenes for its first target; 1 to %d are possible", n, MostScenes)
	}
	if err := (Compositing{Feather: s.Feather, Align: s.Align}).Check(); err != nil {
		return fmt.Errorf("the selection cannot be drawn: %w", err)
	}
	vetoed := make(map[int]bool, len(s.Vetoed))
	for _, image := range s.Vetoed {
		if image < 0 {
			return fmt.Errorf("the selection vetoes background %d; numbers begin at 0", image)
		}
		vetoed[image] = true
	}
	for t, list := range s.Chosen {
		if len(list) != s.N() {
			return fmt.Errorf("the selection has %d scenes for target %d and %d for the first one; all need as many",
				len(list), t+1, s.N())
		}
		if err := checkScenes(list, vetoed); err != nil {
			return fmt.Errorf("the selection's target %d: %w", t+1, err)
		}
	}
	return nil
}

// checkScenes says what is wrong with the scenes of one target.
func checkScenes(list []Scene, vetoed map[int]bool) error {
	seen := make(map[int]bool, len(list))
	for j, scene := range list {
		switch {
		case scene.Background < 0:
			return fmt.Errorf("scene %d is background %d; numbers begin at 0", j+1, scene.Background)
		case seen[scene.Background]:
			return fmt.Errorf("scene %d is background %d once more", j+1, scene.Background)
		case vetoed[scene.Background]:
			return fmt.Errorf("scene %d is background %d, which is vetoed", j+1, scene.Background)
		case !(scene.Distance >= 0) || math.IsInf(scene.Distance, 0):
			return fmt.Errorf("scene %d has the distance %g, which is none", j+1, scene.Distance)
		case scene.Keyword < -1 || scene.Level < -1:
			return fmt.Errorf("scene %d was chosen for keyword %d of level %d; -1 stands for none",
				j+1, scene.Keyword, scene.Level)
		}
		seen[scene.Background] = true
	}
	return nil
}

// WriteJSON writes the selection as JSON.
func (s Selection) WriteJSON(w io.Writer) error {
	if err := json.NewEncoder(w).Encode(s); err != nil {
		return fmt.Errorf("write selection: %w", err)
	}
	return nil
}
