package dialogs

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/doctor"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// Checking is what a check of a workspace has found.
type Checking struct {
	Examination doctor.Examination
	// Changed says that the workspace was written to meanwhile.
	Changed bool
}

// CheckTitle names a check, as a dialog and as a job.
func CheckTitle() string { return "Check workspace" }

// CheckDialog checks everything of the open workspace that can be checked, in the background, and
// shows what was found. It changes nothing.
func CheckDialog(host *kit.Host, ws *store.Workspace) {
	sheet := host.NewDialog(CheckTitle(), fyne.NewSize(760, 520))
	sheet.Carry(CheckTitle(), "The check was cancelled.",
		func(ctx context.Context, p *jobs.Progress) (kit.Done, error) {
			examination, changed, err := doctor.ExamineOpen(ctx, ws, p)
			if err != nil {
				return kit.Done{}, err
			}
			return Checking{examination, changed}.done(), nil
		})
	sheet.Present(nil)
}

// done is what the dialog shows in the end.
func (c Checking) done() kit.Done {
	done := kit.Done{Said: c.Headline(), Title: c.Headline(), Text: c.Text()}
	switch {
	case len(c.Examination.Problems()) == 0:
	case c.Changed: // what came or went meanwhile is told as a problem
		done.Said += ", which was written to during its check; check it again"
	default:
		done.Failed = fmt.Errorf("%s; File > Check workspace… lists them", c.Headline())
	}
	return done
}

// Headline says in one sentence whether anything is wrong.
func (c Checking) Headline() string {
	name := Recent{Path: c.Examination.Path}.Title()
	if n := len(c.Examination.Problems()); n > 0 {
		return present.ByCount(n, "%d problem in workspace %s", "%d problems in workspace %s", n, name)
	}
	return fmt.Sprintf("Workspace %s is healthy", name)
}

// mostFindings is how many findings of one group are listed.
const mostFindings = 200

// Text is what was found, what does no harm, how to mend it, and what was checked.
func (c Checking) Text() string {
	var parts []string
	add := func(heading string, lines []string) {
		if len(lines) > 0 {
			parts = append(parts, heading+"\n"+strings.Join(lines, "\n"))
		}
	}
	var harmless []doctor.Finding
	repairable := false
	for _, f := range c.Examination.Findings {
		repairable = repairable || f.Repairable
		if f.Litter {
			harmless = append(harmless, f)
		}
	}
	add("What is wrong:", c.sentences(c.Examination.Problems()))
	add("What does no harm:", c.sentences(harmless))
	if c.Changed && len(c.Examination.Findings) > 0 {
		parts = append(parts,
			"The workspace was written to during the check, so some of this may be about what came or went "+
				"meanwhile. Check again to be sure.")
	}
	if repairable {
		parts = append(parts, "To mend it, close Variscope and run this command. It keeps the database as it was, "+
			"sets aside what it takes out, and only ever adds labels:", c.doctor("--repair"))
	}
	var checked []string
	for _, one := range c.Examination.Checked {
		if one.Count > 0 {
			checked = append(checked, one.What+": "+result.Whole(one.Count))
		}
	}
	add("What was checked:", checked)
	return strings.Join(parts, "\n\n")
}

// sentences are the first of some findings, a line each.
func (c Checking) sentences(list []doctor.Finding) (lines []string) {
	for _, f := range list[:min(mostFindings, len(list))] {
		lines = append(lines, "- "+f.Sentence())
	}
	if more := len(list) - mostFindings; more > 0 {
		lines = append(lines, fmt.Sprintf("- and %s more; with Variscope closed, %s lists them all", result.Whole(more),
			c.doctor("--json")))
	}
	return lines
}

// doctor is the command that does this check.
func (c Checking) doctor(flag string) string {
	return option.Command([]string{"variscope", "doctor", c.Examination.Path, flag}, &struct{}{})
}
