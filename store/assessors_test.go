package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

func mustSave(t *testing.T, w *Workspace, name, content string) {
	t.Helper()
	must(t, w.SaveAssessor(name, []byte(content)))
}

// savedIn is what the workspace has of assessors: NAME=CONTENT, in their order.
func savedIn(t *testing.T, w *Workspace) string {
	t.Helper()
	list, err := w.Assessors()
	must(t, err)
	var texts []string
	for _, a := range list {
		data, err := w.AssessorData(a.Name)
		if err != nil || int64(len(data)) != a.Size || a.Saved.IsZero() {
			t.Errorf("%+v: %d bytes, %v", a, len(data), err)
		}
		texts = append(texts, a.Name+"="+string(data))
	}
	return strings.Join(texts, " ")
}

func TestAssessors(t *testing.T) {
	w := fresh(t)
	var heard []string
	defer w.Subscribe(func(c Change) {
		if c.Kind == AssessorChanged {
			heard = append(heard, c.ID)
		}
	})()
	testdata.Is(t, "a new workspace has", savedIn(t, w), "")
	mustSave(t, w, "forest 10", "ten")
	mustSave(t, w, "forest 2", "two")
	mustSave(t, w, "Wald ü", "w")
	mustSave(t, w, "forest 10", "TEN")
	testdata.Is(t, "saved", savedIn(t, w), "forest 2=two forest 10=TEN Wald ü=w")
	must(t, w.RenameAssessor("Wald ü", "forest 3"))
	must(t, w.RenameAssessor("forest 3", "Forest 3")) // other capitals of its own name
	testdata.Is(t, "removed", string(testdata.Must(w.RemoveAssessor("forest 2"))(t)), "two")
	testdata.Is(t, "renamed and removed", savedIn(t, w), "Forest 3=w forest 10=TEN")
	testdata.Equal(t, "heard", heard, []string{
		"forest 10", "forest 2", "Wald ü", "forest 10", "Wald ü", "forest 3", "forest 3", "Forest 3", "forest 2",
	})
}

func TestAssessorsOutliveTheProcess(t *testing.T) {
	w := fresh(t)
	mustSave(t, w, "a", "one")
	part := database.AssessorsFolder + "/b.vassessor" + database.PartSuffix
	for _, name := range []string{part, database.AssessorsFolder + "/notes.txt", "assessors/.hidden.vassessor"} {
		leave(t, w, name, 9)
	}
	w = reopened(t, w)
	testdata.Is(t, "saved", savedIn(t, w), "a=one")
	testdata.ErrorIs(t, "what a crash has left", testdata.Err(os.Stat(filepath.Join(w.Path(), part))), os.ErrNotExist)
}

func TestAssessorNames(t *testing.T) {
	w := fresh(t)
	mustSave(t, w, "a", "one")
	for _, name := range []string{
		"", " ", " a", "a ", ".a", "a.", "../a", "a/b", `a\b`, "C:a", "a*", "a?", `"a"`, "a<b", "a|b", "a\nb", "a\x00",
		"\xff", "nul", "Com1.x", strings.Repeat("x", maxAssessorName+1),
	} {
		for what, err := range map[string]error{
			"save": w.SaveAssessor(name, nil), "rename to": w.RenameAssessor("a", name),
			"read": testdata.Err(w.AssessorData(name)), "remove": testdata.Err(w.RemoveAssessor(name)),
			"rename": w.RenameAssessor(name, "b"),
		} {
			testdata.Refused(t, what+" "+name, err, "name")
		}
	}
	for _, name := range []string{"a.b", "console", "rotation -15..15", strings.Repeat("ü", maxAssessorName/2)} {
		mustSave(t, w, name, name)
	}
	testdata.Is(t, "assessors", len(testdata.Must(w.Assessors())(t)), 5)
}

func TestAssessorErrors(t *testing.T) {
	w := fresh(t)
	mustSave(t, w, "Forest", "one")
	mustSave(t, w, "tree", "two")
	for what, err := range map[string]error{
		"read": testdata.Err(w.AssessorData("wood")), "remove": testdata.Err(w.RemoveAssessor("wood")),
		"rename": w.RenameAssessor("wood", "x"),
	} {
		testdata.ErrorIs(t, what, err, database.ErrNotFound)
		testdata.Refused(t, what, err, "assessor wood")
	}
	testdata.Refused(t, "other capitals", w.SaveAssessor("forest", nil), "assessor Forest exists already")
	for _, to := range []string{"Forest", "FOREST"} {
		testdata.ErrorIs(t, to, w.RenameAssessor("tree", to), ErrExists)
	}
	testdata.Is(t, "saved", savedIn(t, w), "Forest=one tree=two")
}

func TestAssessorTooLarge(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads and writes much
	}
	w := fresh(t)
	mustSave(t, w, "a", "")
	must(t, os.Truncate(assessorPath(w.path, "a"), maxAssessorSize+1))
	testdata.Refused(t, "AssessorData", testdata.Err(w.AssessorData("a")),
		"read assessor a: its file is larger than 268.4 MB")
	testdata.Refused(t, "SaveAssessor", w.SaveAssessor("b", make([]byte, maxAssessorSize+1)), "at most 268.4 MB")
}
