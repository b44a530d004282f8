package doctor

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/database"
)

// runs checks that the suites of runs are there; models may have been removed since.
func (e *exam) runs() {
	eachRecord(e, database.Runs, func(id string, r database.RunRecord) {
		if r.Suite != "" && !database.Suites.Has(e.tx, r.Suite) {
			e.absent("runs", "run "+id, database.Suites.RawBucket, r.Suite, "suite", "it cannot be resumed",
				"import the suite again")
		}
	})
}

// rounds checks what rounds are made of.
func (e *exam) rounds() {
	eachRecord(e, database.Rounds, func(_ string, r label.Round) {
		where := fmt.Sprintf("round %q", r.Name)
		if err := r.Validate(); err != nil {
			e.found("rounds", Finding{
				Kind: "round", Where: where, What: fmt.Sprintf("is not sound (%v)", err),
				Means:  "it may not be shown or changed",
				Remedy: "its labels are kept; duplicate it and label in the copy",
			})
		}
		if !database.Suites.Has(e.tx, r.Suite) {
			e.absent("rounds", where, database.Suites.RawBucket, r.Suite, "suite", "its matrices cannot be shown",
				"import the suite or a package of the round again")
		}
		for _, hash := range r.Models {
			if !database.Models.Has(e.tx, hash) {
				e.absent("rounds", where, database.Models.RawBucket, hash, "model",
					"the item cannot be shown; its labels are kept",
					"import the model or a package of the round again")
			}
		}
		if r.Kind == label.BackgroundRound && !database.Selections.Has(e.tx, r.Selection) && !e.hasEvidence(r) {
			e.absent("rounds", where, database.Selections.RawBucket, r.Selection, "selection",
				"its scatter plots cannot be shown", "open a package of the round again")
		}
	})
}

// hasEvidence tells whether a package brought matrices for any item of a round.
func (e *exam) hasEvidence(r label.Round) bool {
	for _, hash := range r.Models {
		for range database.RoundEvidence.From(e.tx, database.EvidencePrefix(hash, r.Suite, store.RoundFamily(r))) {
			return true
		}
	}
	return false
}

// events checks label events with the rounds that they are of, and finds those that only a backup
// has.
func (e *exam) events() {
	rounds := map[string]label.Round{}
	eachRecord(e, database.Rounds, func(id string, r label.Round) { rounds[id] = r })
	places, strangers := map[string]string{}, map[string]int{} // event to round; round that is not here to its events
	eachRecord(e, database.Events, func(_ string, ev label.Event) {
		if other, twice := places[ev.ID]; twice {
			e.found("label events", Finding{
				Kind: "event-twice", Where: "label event " + ev.ID,
				What:   fmt.Sprintf("is in round %s and in round %s", other, ev.Round),
				Means:  "one of the two labels was not made so",
				Remedy: "nobody but its annotator can tell which; both are kept",
			})
		}
		places[ev.ID] = ev.Round
		r, known := rounds[ev.Round]
		if !known {
			strangers[ev.Round]++
			return
		}
		if err := ev.Validate(r); err != nil {
			e.found("label events", Finding{
				Kind: "event", Where: "label event " + ev.ID, What: fmt.Sprintf("does not fit its round (%v)", err),
				Means: "it may not count", Remedy: "it is kept; look at it in the exported labels",
			})
		}
		e.superseded(ev)
	})
	c, _ := e.archive.journal()
	for round, n := range strangers {
		if !e.isBad(database.Rounds.RawBucket, round) && c.Rounds[round] == nil {
			e.absent("label events", fmt.Sprintf("%d label events", n), database.Rounds.RawBucket, round, "round",
				"they are kept, but cannot be shown",
				"open a package of the round again")
		}
	}
	e.forgotten()
}

// superseded notes an event whose target is not here: the labels of another desk are on their way.
func (e *exam) superseded(ev label.Event) {
	if ev.Supersedes == "" || database.Events.Has(e.tx, database.KeyOfEvent(ev.Round, ev.Supersedes)) {
		return
	}
	e.found("label events", Finding{
		Kind: "event-target", Where: "label event " + ev.ID,
		What:  fmt.Sprintf("refers to event %s, which is not here", ev.Supersedes),
		Means: "it counts as if that one had never been", Remedy: "merge the labels of its desk again",
		Litter: true,
	})
}

// forgotten finds label events that backups have and the database has not: events are only ever
// added.
func (e *exam) forgotten() {
	c, _ := e.archive.journal()
	for _, kept := range e.archive.events() {
		if database.Events.RawBucket.Has(e.tx, kept.key) || c.Events[kept.key] != nil ||
			e.isBad(database.Events.RawBucket, kept.key) ||
			!database.Rounds.Has(e.tx, kept.round) {
			continue
		}
		key, value := kept.key, kept.value
		e.found("label events", Finding{
			Kind: "event-lost", Where: "label event " + kept.id, What: "is in a backup and not in the database",
			Means: "a label is missing", Remedy: "repair adds it",
			fix: func(t *repair) error { return t.put(database.Events.RawBucket, key, value) },
		})
	}
}

// evidence checks that the matrices of round packages belong to models that are here.
func (e *exam) evidence() {
	for key := range database.RoundEvidence.From(e.tx, "") {
		hash, _, _ := strings.Cut(key, database.Separator)
		if !e.isBad(database.RoundEvidence, key) && !database.Models.Has(e.tx, hash) {
			e.absent("matrices of round packages", "matrices of a round package", database.Models.RawBucket, hash,
				"model",
				"they cannot be shown", "open the package again")
		}
	}
}

// imageLabels checks that labels of images belong to a suite or table. Labels of a table that was
// removed stay.
func (e *exam) imageLabels() {
	counts := map[string]int{}
	eachRecord(e, database.ImageLabels, func(key string, l database.ImageLabel) {
		of, _, _ := strings.Cut(key, database.Separator)
		if database.IsHash(of) && !database.Suites.Has(e.tx, of) {
			counts[of]++
			return
		}
		if limits, err := database.LimitsOf(e.tx, of); err == nil && limits.Check(l) != nil {
			e.found("labels of images", Finding{
				Kind: "image-label", Where: fmt.Sprintf("label of image %d of %s", l.Image, database.Short(of)),
				What: fmt.Sprintf("does not fit (%v)", limits.Check(l)), Means: "rankings that use labels fail",
				Remedy: "label the image anew",
			})
		}
	})
	for suite, n := range counts {
		e.absent("labels of images", fmt.Sprintf("%d labels of images", n), database.Suites.RawBucket, suite, "suite",
			"they are kept, but cannot be shown",
			"import the suite again")
	}
}

// predictions checks tables that were made elsewhere, with their files.
func (e *exam) predictions() {
	const what = "tables of predictions"
	eachRecord(e, database.Predictions, func(id string, t database.PredictionTable) {
		file := database.TablePath(id)
		size, there := e.files[file]
		e.claim(file)
		reason := "is gone"
		if there {
			reason, _ = e.differs(file, size, size, t.SHA256)
		}
		if reason != "" {
			e.found(what, Finding{
				Kind: "predictions-file", Where: file, What: fmt.Sprintf("of table %s %s", t.Name, reason),
				Means: "rankings from it fail", Remedy: "remove the table and import the predictions again",
			})
		}
		if t.Suite != "" && !database.Suites.Has(e.tx, t.Suite) {
			e.absent(what, "table "+t.Name, database.Suites.RawBucket, t.Suite, "suite", "its images cannot be shown",
				"import the suite again")
		}
	})
}

// settings checks those that name a record.
func (e *exam) settings() {
	var c store.Current
	if _, err := database.Settings.Into(e.tx, database.SettingCurrent, &c); err == nil && c.Suite != "" &&
		!database.Suites.Has(e.tx, c.Suite) {
		e.found("settings", Finding{
			Kind: "setting", Where: "the toolbar's choice",
			What:  fmt.Sprintf("names suite %s, which is not here", database.Short(c.Suite)),
			Means: "the Models screen shows nothing", Remedy: "repair clears it; choose a suite again",
			fix: func(t *repair) error { return t.drop(database.Settings.RawBucket, database.SettingCurrent) },
		})
	}
}

// counters checks the sizes that two buckets keep count of.
func (e *exam) counters() {
	for _, of := range []*database.RawBucket{database.Kept.RawBucket, database.ContextVectors.RawBucket} {
		b := of.In(e.tx)
		if b == nil {
			continue
		}
		bytes := of.Size(e.tx)
		if b.Sequence() == bytes {
			continue
		}
		e.found(of.Plural, Finding{
			Kind: "counter", Where: of.Name, What: fmt.Sprintf("counts %d bytes and has %d", b.Sequence(), bytes),
			Means: "they are swept away too early or too late", Remedy: "repair counts anew", Litter: true,
			fix: func(t *repair) error { return t.recount(of) },
		})
	}
}
