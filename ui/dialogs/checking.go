package dialogs

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

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
func CheckDialog(host *kit.Host, ws *store.Workspace, toClipboard func(string)) {
	sheet := host.NewDialog(CheckTitle(), fyne.NewSize(760, 520))
	var c Checking
	sheet.Work(CheckTitle(), func(ctx context.Context, p *jobs.Progress) (err error) {
		c.Examination, c.Changed, err = doctor.ExamineOpen(ctx, ws, p)
		return err
	}, func(err error) {
		switch {
		case cancelled(err):
			sheet.Close()
			host.Say("The check was cancelled.")
		case err != nil:
			sheet.Close()
			host.Fail(err)
		default:
			c.show(sheet, toClipboard)
		}
	})
	sheet.Present(nil)
}

// show shows what was found in the sheet, or that something was found where the sheet was closed.
func (c Checking) show(s *kit.Dialog, toClipboard func(string)) {
	s.Host.Say(c.Headline())
	if s.Closed() {
		switch {
		case len(c.Examination.Problems()) == 0:
		case c.Changed: // what came or went meanwhile is told as a problem
			s.Host.Say(fmt.Sprintf("%s was written to during its check; check it again", c.name()))
		default:
			s.Host.Fail(fmt.Errorf("%s; File > Check workspace… lists them", c.Headline()))
		}
		return
	}
	copying := widget.NewButton("Copy", func() {
		toClipboard(c.Headline() + "\n" + c.Text())
		s.Host.Say("What was found is on the clipboard.")
	})
	s.Show(headed(c.Headline(), scrolledText(c.Text(), 340)), copying, s.CloseButton("Close"))
}

// Headline says in one sentence whether anything is wrong.
func (c Checking) Headline() string {
	name := c.name()
	if n := len(c.Examination.Problems()); n > 0 {
		return present.ByCount(n, "%d problem in workspace %s", "%d problems in workspace %s", n, name)
	}
	return fmt.Sprintf("Workspace %s is healthy", name)
}

func (c Checking) name() string { return Recent{Path: c.Examination.Path}.Title() }

// mostFindings is how many findings of one group are listed.
const mostFindings = 200

// Text is what was found, what does no harm, how to mend it, and what was checked.
func (c Checking) Text() string {
	var harmless []doctor.Finding
	repairable := false
	for _, f := range c.Examination.Findings {
		repairable = repairable || f.Repairable
		if f.Litter {
			harmless = append(harmless, f)
		}
	}
	parts := []string{c.group("What is wrong:", c.Examination.Problems()), c.group("What does no harm:", harmless)}
	if c.Changed && len(c.Examination.Findings) > 0 {
		parts = append(parts,
			"The workspace was written to during the check, so some of this may be about what came or went "+
				"meanwhile. Check again to be sure.")
	}
	if repairable {
		parts = append(parts,
			fmt.Sprintf("To mend it, close Variscope and run this command. It keeps the database as it was, sets "+
				"aside what it takes out, and only ever adds labels:\n\n%s",
				c.doctor("--repair")))
	}
	parts = append(parts, c.checked())
	return strings.Join(withoutEmpty(parts), "\n\n")
}

func withoutEmpty(parts []string) (list []string) {
	for _, part := range parts {
		if part != "" {
			list = append(list, part)
		}
	}
	return list
}

// group lists findings under a heading, "" where there are none.
func (c Checking) group(heading string, list []doctor.Finding) string {
	if len(list) == 0 {
		return ""
	}
	lines := []string{heading}
	for _, f := range list[:min(mostFindings, len(list))] {
		lines = append(lines, "- "+f.Sentence())
	}
	if more := len(list) - mostFindings; more > 0 {
		lines = append(lines, fmt.Sprintf("- and %s more; with Variscope closed, %s lists them all", result.Whole(more),
			c.doctor("--json")))
	}
	return strings.Join(lines, "\n")
}

// checked says what was looked at: a line for each kind of thing that there is.
func (c Checking) checked() string {
	lines := []string{"What was checked:"}
	for _, one := range c.Examination.Checked {
		if one.Count > 0 {
			lines = append(lines, one.What+": "+result.Whole(one.Count))
		}
	}
	return strings.Join(lines, "\n")
}

// doctor is the command that does this check.
func (c Checking) doctor(flag string) string {
	return option.Command([]string{"variscope", "doctor", c.Examination.Path, flag}, &struct{}{})
}
