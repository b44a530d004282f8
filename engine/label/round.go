package label

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/variscope/variscope/engine/result"
)

// GuidelineHash names the guideline text in force: SHA-256, hex. Label events carry it.
func (r Round) GuidelineHash() string {
	sum := sha256.Sum256([]byte(r.Guideline))
	return hex.EncodeToString(sum[:])
}

// Validate checks that a round can be labelled. The error names the round and what is wrong.
func (r Round) Validate() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("round %q: %s", r.Name, fmt.Sprintf(format, args...))
	}
	switch {
	case strings.TrimSpace(r.Name) == "":
		return fmt.Errorf("a round needs a name")
	case r.Kind != VarianceRound && r.Kind != BackgroundRound:
		return fail("kind %q is neither variance nor background", r.Kind)
	case r.Suite == "":
		return fail("it names no suite")
	case r.Kind == VarianceRound && r.Family == "":
		return fail("it names no family of transformations")
	case r.Kind == BackgroundRound && r.Selection == "":
		return fail("it names no selection of backgrounds")
	case r.Kind == BackgroundRound && r.Filter != "" && r.Filter != "all":
		return fail("image filter %q; a background round shows all targets", r.Filter)
	case Values(r.Classes) == nil:
		return fail("%d classes; a round has 2 or 3", r.Classes)
	case len(r.Modalities) == 0:
		return fail("it shows no matrix; choose at least one modality")
	case !(r.RepeatShare >= 0 && r.RepeatShare <= 1):
		return fail("repeat share %g lies outside 0..1", r.RepeatShare)
	case r.Reveal != RevealClosed && r.Reveal != RevealFinished:
		return fail("reveal %q is neither empty (when it is closed) nor finished", r.Reveal)
	case r.pictureBytes() > MaxPictures:
		return fail("the guideline's pictures are %s; make them smaller, %s at most together",
			result.Bytes.Say(float64(r.pictureBytes()), 0), result.Bytes.Say(MaxPictures, 0))
	}
	if problem := cmp.Or(checkNames("annotator", r.Annotators), checkNames("model", r.Models)); problem != "" {
		return fail("%s", problem)
	}
	if problem := cmp.Or(r.checkShown(), r.checkWords(), r.checkOrder(), r.checkKnown()); problem != "" {
		return fail("%s", problem)
	}
	for _, modality := range slices.Sorted(maps.Keys(r.Ranges)) {
		if c := r.Ranges[modality]; !(c.Low < c.High) || math.IsInf(c.Low, 0) || math.IsInf(c.High, 0) {
			return fail("colour range of %s runs from %g to %g", modality, c.Low, c.High)
		}
	}
	return nil
}

// pictureBytes is the size of the guideline's pictures together.
func (r Round) pictureBytes() int {
	n := 0
	for _, data := range r.Pictures {
		n += len(data)
	}
	return n
}

// checkNames returns what is wrong with a list of annotators or models, "" when nothing is.
func checkNames(what string, list []string) string {
	if len(list) == 0 {
		return "it needs at least one " + what
	}
	seen := map[string]bool{}
	for _, name := range list {
		switch {
		case name == "" || strings.TrimSpace(name) != name || strings.ContainsFunc(name, unicode.IsControl):
			return fmt.Sprintf("%s %q is empty, or has spaces around it or control characters", what, name)
		case seen[name]:
			return fmt.Sprintf("%s %q is listed twice", what, name)
		}
		seen[name] = true
	}
	return ""
}

// Frozen tells whether the round has a label (undone or not), after which only the guideline with
// its pictures, the closing state and appended models may change.
func (r Round) Frozen(events []Event) bool {
	return slices.ContainsFunc(events, func(ev Event) bool {
		return ev.Round == r.ID && (ev.Kind == Label || ev.Kind == Adjudicate)
	})
}

// CheckChange refuses a change from r to next that the rules of DESIGN.md section 6 do not allow:
// id and creation time never change; of a frozen round only guideline and closing state with its
// history, and models may be appended. It also validates next.
func (r Round) CheckChange(next Round, frozen bool) error {
	if err := next.Validate(); err != nil {
		return err
	}
	if r.ID != next.ID || !r.Created.Equal(next.Created) {
		return fmt.Errorf("round %q: id and creation time cannot change", r.Name)
	}
	if !frozen {
		return nil
	}
	if changed := r.frozenChanges(next); len(changed) > 0 {
		return fmt.Errorf("round %q has labels, so %s cannot change; duplicate the round instead", r.Name,
			strings.Join(changed, ", "))
	}
	return nil
}

func (r Round) frozenChanges(next Round) (changed []string) {
	appended := len(next.Models) >= len(r.Models) && slices.Equal(r.Models, next.Models[:len(r.Models)])
	for _, f := range []struct {
		name string
		same bool
	}{
		{"name", r.Name == next.Name},
		{"kind", r.Kind == next.Kind},
		{"suite", r.Suite == next.Suite},
		{"family", r.Family == next.Family},
		{"selection", r.Selection == next.Selection},
		{"interpolants", slices.Equal(r.Interpolants, next.Interpolants)},
		{"modalities", slices.Equal(r.Modalities, next.Modalities)},
		{"image filter", r.Filter == next.Filter},
		{"colour ranges", maps.Equal(r.Ranges, next.Ranges)},
		{"classes", r.Classes == next.Classes},
		{"annotators", slices.Equal(r.Annotators, next.Annotators)},
		{"blind", r.Blind == next.Blind},
		{"reveal", r.Reveal == next.Reveal},
		{"parent", r.Parent == next.Parent},
		{"that a rule has made the labels", r.ByRule == next.ByRule},
		{"order seed", r.OrderSeed == next.OrderSeed},
		{"order", r.Ordered == next.Ordered && r.Order == next.Order},
		{"repeat share", r.RepeatShare == next.RepeatShare},
		{"fields of the record", same(r.Fields, next.Fields)},
		{"curves", same(r.Curves, next.Curves)},
		{"pinned evidence", slices.Equal(r.Pinned, next.Pinned)},
		{"words", maps.Equal(r.Words, next.Words)},
		{"overlap", r.Overlap == next.Overlap},
		{"known answers", maps.EqualFunc(r.Known, next.Known, sameAnswer) && r.KnownFirst == next.KnownFirst},
		{"the models so far", appended},
	} {
		if !f.same {
			changed = append(changed, f.name)
		}
	}
	return changed
}

// sameAnswer tells whether two known answers are the same, as far as both are there (Round.Sealed).
func sameAnswer(a, b Value) bool { return a == b || a == "" || b == "" }

// same tells whether two lists, of which nil stands for all, are the same.
func same(a, b []string) bool { return slices.Equal(a, b) && (a == nil) == (b == nil) }

// Validate checks an event against its round, before it is appended or after it was read from a
// file. The event's ID, desk and times are the store's. Labels and skips are by the round's
// annotators; whoever adjudicates may be somebody else, also with notes and with undo, which
// reaches nobody else's events.
func (ev Event) Validate(r Round) error {
	fail := func(format string, args ...any) error {
		name := cmp.Or(ev.ID, fmt.Sprintf("(%s by %q of model %s)", ev.Kind, ev.Annotator, ev.Model))
		return fmt.Errorf("label event %s: %s", name, fmt.Sprintf(format, args...))
	}
	if _, err := ParseKind(string(ev.Kind)); err != nil {
		return fail("%v", err)
	}
	_, hasValue := ev.Value.Index(r.Classes)
	needsValue := ev.Kind == Label || ev.Kind == Adjudicate
	switch {
	case ev.Round != r.ID:
		return fail("it belongs to round %s, not to %s", ev.Round, r.ID)
	case !slices.Contains(r.Models, ev.Model):
		return fail("model %s is not in round %q", ev.Model, r.Name)
	case ev.Annotator == "":
		return fail("it names no annotator")
	case (ev.Kind == Label || ev.Kind == Skip || ev.Kind == Plan) && !slices.Contains(r.Annotators, ev.Annotator):
		return fail("%s is not an annotator of round %q", ev.Annotator, r.Name)
	case ev.Pass != 1 && ev.Pass != 2:
		return fail("pass %d is neither 1 nor 2", ev.Pass)
	case needsValue && !hasValue:
		return fail("%q is no label of a round with %d classes", ev.Value, r.Classes)
	case !needsValue && ev.Value != "":
		return fail("a %s carries no label", ev.Kind)
	case ev.Kind == Undo && ev.Supersedes == "":
		return fail("an undo must name the event that it takes back")
	case (ev.Kind == Plan) != (len(ev.Queue) > 0) || ev.Kind == Plan && ev.Queue[0] != ev.Model:
		return fail("a plan, and nothing else, has a queue of models, which begins with its own")
	case ev.Kind == Plan && r.Order != OrderUseful:
		return fail("the order of round %q is not planned", r.Name)
	case math.IsNaN(ev.Seconds) || math.IsInf(ev.Seconds, 0) || ev.Seconds < 0:
		return fail("%g seconds of active time", ev.Seconds)
	case ev.Kind != Plan:
		return nil
	}
	if problem := checkNames("model", ev.Queue); problem != "" {
		return fail("%s", problem)
	}
	for _, model := range ev.Queue {
		if !slices.Contains(r.Models, model) {
			return fail("model %s of its queue is not in round %q", model, r.Name)
		}
	}
	return nil
}
