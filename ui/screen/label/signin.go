package label

import (
	"fmt"
	"slices"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

// RoundChoice is a round as the sign-in page offers it.
type RoundChoice struct {
	Round    labels.Round
	Progress []Progress // by annotator
	Parent   string     // name of the round whose disagreements it takes up, "" for none
	Used     bool       // somebody has labelled, skipped or noted something
	Divided  int        // models whose labels differ; 0 while that is hidden
	Takes    bool       // it takes new annotators: it is open, and nobody has labelled
}

// Choices are the rounds to choose from, newest first, with what was chosen last time.
type Choices struct {
	Rounds    []RoundChoice
	Names     map[string]string // of annotators, by id
	Round     int               // index of the round to show first, -1 without rounds
	Annotator string
	Details   bool
	Auto      bool
	chosen
}

// readChoices reads the rounds and everybody's progress; a number tells nothing of single labels.
func readChoices(from Store) (Choices, error) {
	c := Choices{Round: -1, Details: true, Auto: true}
	rounds, err := from.Rounds()
	if err != nil {
		return c, err
	}
	if c.Names, err = from.AnnotatorNames(); err != nil {
		return c, err
	}
	if c.chosen, err = readChosen(from, ""); err != nil {
		return c, err
	}
	var lastRound string
	for key, into := range map[string]any{
		settingRound: &lastRound, settingAnnotator: &c.Annotator, settingDetails: &c.Details, settingAuto: &c.Auto,
	} {
		if _, err := from.Setting(key, into); err != nil {
			return c, err
		}
	}
	slices.SortStableFunc(rounds, func(a, b labels.Round) int { return b.Created.Compare(a.Created) })
	first := max(0, slices.IndexFunc(rounds, func(r labels.Round) bool { return !r.Closed })) // there is work to do
	for _, r := range rounds {
		events, err := from.Events(r.ID)
		if err != nil {
			return c, err
		}
		if r.ID == lastRound || c.Round < 0 && len(c.Rounds) == first {
			c.Round = len(c.Rounds)
		}
		c.Rounds = append(c.Rounds, choiceOf(r, events, rounds))
	}
	return c, nil
}

func choiceOf(r labels.Round, events []labels.Event, rounds []labels.Round) RoundChoice {
	choice := RoundChoice{Round: r, Used: len(events) > 0, Takes: !r.Closed && !r.Frozen(events)}
	if !r.Secret() { // which models divide the others tells an annotator what they said
		choice.Divided = len(labels.Disagreements(r, events))
	}
	for _, name := range r.Annotators {
		_, models := progressOf(r, name, events)
		choice.Progress = append(choice.Progress, models)
	}
	if at := slices.IndexFunc(rounds, func(other labels.Round) bool { return other.ID == r.Parent }); at >= 0 {
		choice.Parent = rounds[at].Name
	}
	return choice
}

// next is the round to show after the choices became others: one that is new, else the one that
// was shown, else the one of last time.
func (c Choices) next(after Choices, shown int) int {
	at := after.Round
	for k, r := range after.Rounds {
		was := slices.IndexFunc(c.Rounds, func(old RoundChoice) bool { return old.Round.ID == r.Round.ID })
		switch {
		case was < 0 && shown >= 0:
			return k
		case was >= 0 && was == shown:
			at = k
		}
	}
	return at
}

// onward is the newest other round in which an annotator has something to do; ok is false where
// there is none.
func (c Choices) onward(annotator, without string) (next RoundChoice, ok bool) {
	for _, r := range c.Rounds {
		at := slices.Index(r.Round.Annotators, annotator)
		if at >= 0 && !r.Round.Closed && r.Round.ID != without && r.Progress[at].Done < r.Progress[at].Total {
			return r, true
		}
	}
	return next, false
}

// Name is the name of an annotator to show.
func (c Choices) Name(annotator string) string {
	if name := c.Names[annotator]; name != "" {
		return name
	}
	return annotator
}

// Titles are the rounds' names for a list; equal names are told apart by when they were made.
func (c Choices) Titles() []string {
	names := make([]string, len(c.Rounds))
	for k, r := range c.Rounds {
		names[k] = r.Round.Name
		if slices.Contains(names[:k], names[k]) {
			names[k] = fmt.Sprintf("%s (%s, %s)", r.Round.Name, r.Round.Created.Format("2006-01-02 15:04:05"),
				r.Round.ID[:min(26, len(r.Round.ID))])
		}
	}
	return names
}

// Brief is a round's size, state and progress in a few words.
func (c RoundChoice) Brief() string {
	done, total := 0, 0
	for _, p := range c.Progress {
		done, total = done+p.Done, total+p.Total
	}
	state := "open"
	switch {
	case c.Round.Closed:
		state = "closed"
	case total > 0 && done == total:
		state = "everybody is done"
	}
	share := 0
	if total > 0 {
		share = 100 * done / total
	}
	return fmt.Sprintf("%s, %s, %d %% labelled", result.Counted(len(c.Round.Models), "model"), state, share)
}

// About says what a round is.
func (c RoundChoice) About() string {
	r := c.Round
	text := fmt.Sprintf("%s, %s", result.Counted(len(r.Models), "model"), result.Counted(r.Classes, "class"))
	if r.Kind == labels.BackgroundRound {
		text = fmt.Sprintf("%s, about backgrounds", text)
	}
	switch {
	case r.Blind && r.Reveal == labels.RevealFinished:
		text = fmt.Sprintf("%s, blind: the labels of others are hidden until you have finished, or it is closed", text)
	case r.Blind:
		text = fmt.Sprintf("%s, blind: the labels of others are hidden until it is closed", text)
	default:
		text = fmt.Sprintf("%s, open: everybody may see all labels", text)
	}
	if c.Parent != "" {
		text = fmt.Sprintf("%s. It takes up the disagreements of %s", text, c.Parent)
	}
	if r.Closed {
		text = fmt.Sprintf("%s. It is closed: labels can be looked at, not changed", text)
	}
	return text + "."
}
