package docs

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// target is where a link or a picture of a Markdown text leads.
var target = regexp.MustCompile(`\]\(([^)]+)\)`)

// texts are the Markdown files of the repository that people read, by their path from its root.
func texts(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md", "*.md", "guide/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no %s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if name != "licences.md" { // texts of others
				all[path.Join("docs", filepath.ToSlash(name))] = string(text)
			}
		}
	}
	return all
}

func TestEveryLinkLeadsSomewhere(t *testing.T) {
	for name, text := range texts(t) {
		for _, found := range target.FindAllStringSubmatch(text, -1) {
			to, _, _ := strings.Cut(found[1], "#")
			if strings.Contains(to, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join("..", path.Dir(name), to)); err != nil {
				t.Errorf("%s leads to %s, which is not there", name, to)
			}
		}
	}
}

func TestEveryPictureIsShownAndNotTooLarge(t *testing.T) {
	whole := strings.Builder{}
	for _, text := range texts(t) {
		whole.WriteString(text)
	}
	files, err := os.ReadDir("pictures")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d pictures: %v", len(files), err)
	}
	total := int64(0)
	for _, f := range files {
		if !strings.Contains(whole.String(), "pictures/"+f.Name()+")") {
			t.Errorf("pictures/%s is on no page", f.Name())
		}
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > 6e6 {
		t.Errorf("the pictures take %d bytes", total)
	}
}

// figures are the pictures that the command line draws, with the page and the line on it that does.
var figures = map[string]struct{ page, line string }{
	"background-seeds": {
		"results.md",
		"variscope background matrix r.variscope s01 s05 s09 s11 s19 s25 $S --out out # draws out/runs.png",
	},
	"matrix": {"../README.md", "variscope matrix study.variscope --modalities max@CONF --format png --out matrices"},
}

// A picture that neither make pictures nor a line of a page draws would go stale without anybody
// noticing.
func TestEveryPictureIsDrawn(t *testing.T) {
	tour, err := os.ReadFile("../internal/e2e/tour_test.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir("pictures")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(f.Name(), ".png")
		if drawn, ok := figures[name]; ok {
			text, err := os.ReadFile(drawn.page)
			if err != nil || !strings.Contains(string(text), drawn.line) {
				t.Errorf("%s does not say how pictures/%s is drawn: %v", drawn.page, f.Name(), err)
			}
			continue
		}
		if !strings.Contains(string(tour), `"`+name+`"`) {
			t.Errorf("nothing draws pictures/%s", f.Name())
		}
	}
}

func TestTheIndexLinksEveryPageOnce(t *testing.T) {
	var linked []string
	for _, found := range link.FindAllStringSubmatch(page("guide.md"), -1) {
		linked = append(linked, found[1])
	}
	files, err := fs.Glob(pages, "guide/*.md")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d pages: %v", len(files), err)
	}
	slices.Sort(linked)
	if !slices.Equal(linked, files) {
		t.Errorf("guide.md links\n%q; the pages are\n%q", linked, files)
	}
	for _, name := range files {
		text := page(name)
		if !strings.HasPrefix(text, "# ") {
			t.Errorf("%s does not begin with its title", name)
		}
		if !strings.Contains(Guide, text) {
			t.Errorf("the guide lacks %s", name)
		}
	}
}

// The window shows one page per heading, so that no two may be the same.
func TestHeadingsAreDifferent(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(Guide) {
		title := strings.TrimSpace(line)
		if strings.HasPrefix(title, "#") {
			if title = strings.TrimLeft(title, "# "); seen[title] {
				t.Errorf("two headings %q", title)
			}
			seen[title] = true
		}
	}
}
