package kit

import (
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/ui/jobs"
)

func TestProgressText(t *testing.T) {
	start := time.Now()
	now := jobs.Snapshot{Name: "Import", Done: 25, Total: 100, Started: start, Counting: start}
	if got := progressText(now, start.Add(time.Minute)); !strings.Contains(got, "25 of 100, about 3 min left") {
		t.Error(got)
	}
	if got := progressText(now, start.Add(time.Second)); got != "Import: 25 of 100" {
		t.Error(got)
	}
	now.Counting = start.Add(9 * time.Minute) // a later stage, with steps of its own
	if got := progressText(now, start.Add(10*time.Minute)); !strings.Contains(got, "25 of 100, about 3 min left") {
		t.Error(got)
	}
	now.Cancelling = true
	if got := progressText(now, start); !strings.Contains(got, "cancelling") {
		t.Error(got)
	}
	large := jobs.Snapshot{Name: "Check", Started: start, Done: 28701466, Total: 84033537}
	if got := progressText(large, start); got != "Check: 28,701,466 of 84,033,537" {
		t.Errorf("large numbers read %q", got)
	}
	if got := progressText(jobs.Snapshot{Name: "Import", Started: start}, start); got != "Import" {
		t.Error(got)
	}
}
