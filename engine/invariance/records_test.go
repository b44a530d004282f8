package invariance

import (
	"fmt"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/internal/testdata"
)

func TestPointsOfSuitesAreGroupedByCorruption(t *testing.T) {
	for change, want := range map[string]string{
		"": "", "posterise:3": "posterise:3", "corruption:shot_noise:3;seed=1": "shot noise",
		"shift:n=3;t=5;region=7": "shifted 3x3 t5",
	} {
		testdata.Is(t, fmt.Sprintf("%q is in the group", change),
			Points([]Measured{{Change: change}}, ScoreEI, "", true)[0].Group, want)
	}
}

func TestLackingJoinsModelsByReason(t *testing.T) {
	none := result.Because(signal.NoSignals, "no signals")
	left := []LeftOut{
		{ID: "a", Hash: "1", Suite: "s", SuiteName: "pets", Family: "rot90", FamilyName: "rot90", Reason: none},
		{
			ID: "b", Hash: "2", Suite: "s", SuiteName: "pets", Family: "grayscale", FamilyName: "grayscale",
			Reason: OneChannel,
		},
		{ID: "c", Hash: "3", Suite: "s", SuiteName: "pets", Family: "rot90", FamilyName: "rot90", Reason: none},
	}
	got := Lacking(left)
	if len(got) != 2 || !slices.Equal(got[0].Hashes, []string{"1", "3"}) ||
		got[0].String() != "a, c on pets, rot90: no signals" {
		t.Errorf("%+v", got)
	}
	for code, want := range map[string]bool{
		signal.NoSignals: true, signal.Stale: true, signal.Incomplete: true, signal.PackageOnly: false,
		signal.NotHere: false, signal.DamagedFile: true, signal.Damaged: false, NotApplicable: false,
	} {
		testdata.Is(t, fmt.Sprintf("%s: a run helps", code),
			(Lack{LeftOut: LeftOut{Suite: "s", Reason: result.Reason{Code: code}}}).Runnable(), want)
	}
}
