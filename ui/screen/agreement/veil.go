package agreement

import (
	"fmt"
	"slices"

	measure "github.com/variscope/variscope/engine/agreement"
)

// veilReason stands in place of a number that would give away a single label.
func veilReason() string {
	return fmt.Sprintf("hidden until %d common items: the round is blind", blindFloor)
}

// veiled hides the numbers of a blind round that rest on so few items that whoever knows their own
// labels could tell others' from them: with one common item, an agreement of 1 is the other's
// label. The counts of items stay.
func veiled(r measure.Report) measure.Report {
	r.Cohen, r.VsMajority = slices.Clone(r.Cohen), slices.Clone(r.VsMajority)
	for k := range r.Cohen {
		r.Cohen[k].Cohen = veiledCohen(r.Cohen[k].Cohen)
	}
	for k := range r.VsMajority {
		r.VsMajority[k].Cohen = veiledCohen(r.VsMajority[k].Cohen)
	}
	if r.ItemsTwo >= blindFloor {
		return r
	}
	for _, e := range []*measure.Estimate{&r.Percent, &r.CohenMean, &r.Fleiss, &r.GwetAC1, &r.KrippendorffNominal} {
		*e = *veil(e)
	}
	for _, e := range []**measure.Estimate{&r.CohenMeanLinear, &r.CohenMeanQuadratic, &r.GwetAC2Linear, &r.GwetAC2Quadratic, &r.KrippendorffOrdinal, &r.KrippendorffInterval} {
		*e = veil(*e)
	}
	return r
}

func veiledCohen(c measure.Cohen) measure.Cohen {
	if c.N >= blindFloor {
		return c
	}
	c.Percent, c.Kappa = *veil(&c.Percent), *veil(&c.Kappa)
	c.Linear, c.Quadratic = veil(c.Linear), veil(c.Quadratic)
	return c
}

// veil is the estimate without its value; what is undefined for another reason would tell as much.
func veil(e *measure.Estimate) *measure.Estimate {
	if e == nil {
		return nil
	}
	return &measure.Estimate{Value: measure.Value{Reason: veilReason()}, N: e.N}
}
