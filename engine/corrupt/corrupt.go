// Package corrupt makes the fifteen common corruptions in five severities (spec/corruptions.md).
//
// Images are channels x height x width in [0, 1], as in package suite. Every random draw of an
// image comes from a generator that is started by seed, corruption, severity and the image's index,
// so results depend on neither order nor workers.
//
// Where the spec is silent: an image that is not square takes the definitions side by side (S is
// the height for rows and the width for columns, and the shorter one where a length is scaled or
// elastic chooses its three points); the weights that smooth the rim of a defocus disk stay as they
// are when lengths are scaled, for they cover 3 or 5 taps whatever the size; plasmas grow to the
// next power of two that covers the image, up to 2048, and repeat beyond.
package corrupt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/suite"
)

// Severities is the number of severities, which are 1..Severities.
const Severities = 5

// Setting names a corrupted form of a suite. It is a comparable value.
type Setting struct {
	Name     string // one of Names
	Severity int    // 1..Severities
	Seed     uint64
	// Truncate cuts the result to steps of 1/255, as the published data were stored ("--store
	// uint8").
	Truncate bool
	// Compat copies in glass_blur where the public code does, in place of exchanging pixels.
	Compat bool
}

// Names returns the names of the corruptions in the order of the table of spec/corruptions.md.
func Names() []string {
	names := make([]string, len(table))
	for i, k := range table {
		names[i] = k.name
	}
	return names
}

// Title is a corruption's name for people: "gaussian noise".
func Title(name string) string { return strings.ReplaceAll(name, "_", " ") }

// String is the canonical text, part of every key; it is what Parse reads.
func (s Setting) String() string {
	return s.with(fmt.Sprintf("corruption:%s:%d;seed=%d", s.Name, s.Severity, s.Seed), ";store=uint8", ";compat=copy")
}

// Short is the text for people: "fog 3", with the seed where it is not 1, and "uint8" and "copies"
// where these are asked for.
func (s Setting) Short() string {
	return s.with(Title(s.Name)+" "+strconv.Itoa(s.Severity)+s.seed(), ", uint8", ", copies")
}

// Words is the text for sentences (derive.Change): "fog, severity 3", with the seed where it is not
// 1, and how values are kept and pixels are exchanged where these are not the usual ways.
func (s Setting) Words() string {
	text := fmt.Sprintf("%s, severity %d%s", Title(s.Name), s.Severity, s.seed())
	return s.with(text, ", values cut to steps of 1/255", ", pixels copied")
}

// with adds the texts of the settings that are asked for.
func (s Setting) with(text, truncated, copied string) string {
	if s.Truncate {
		text += truncated
	}
	if s.Compat {
		text += copied
	}
	return text
}

func (s Setting) seed() string {
	if s.Seed == 1 {
		return ""
	}
	return fmt.Sprintf(", seed %d", s.Seed)
}

// Check says what is wrong with a setting: an unknown name, a severity that does not exist, or the
// copies of glass_blur asked of another corruption.
func (s Setting) Check() error {
	_, known := kindOf(s.Name)
	switch {
	case !known:
		return fmt.Errorf("unknown corruption %q; known are %s", s.Name, strings.Join(Names(), ", "))
	case s.Severity < 1 || s.Severity > Severities:
		return fmt.Errorf("severity %d of %s does not exist; severities are 1 to %d", s.Severity, s.Name, Severities)
	case s.Compat && s.Name != glassBlur:
		return fmt.Errorf("%s has no compat=copy; it belongs to %s", s.Name, glassBlur)
	}
	return nil
}

// Kind is the corruption's name and the severity (derive.Change).
func (s Setting) Kind() (name string, severity int) { return s.Name, s.Severity }

// Prepare makes the corruption ready to be applied, with synthetic frost (derive.Change); New takes
// photographs.
func (s Setting) Prepare() (suite.Change, error) {
	c, err := New(s, nil)
	if err != nil {
		return nil, err
	}
	return c.Apply, nil
}

func kindOf(name string) (kind, bool) {
	i := slices.IndexFunc(table, func(k kind) bool { return k.name == name })
	if i < 0 {
		return kind{}, false
	}
	return table[i], true
}
