package suite

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Passed are files that lie where a suite's images lie and are none of them, or rows of a manifest
// that were left out: all that have one reason.
type Passed struct {
	Reason string   `json:"reason"` // in few words: "ending .xml", "beside the class folders"
	Count  int      `json:"count"`
	Paths  []string `json:"paths"` // the first ones, at most 100
}

// The most reasons and paths that are kept by name.
const (
	maxReasons = 50
	maxPaths   = 100
)

const deadLink = "a link that leads nowhere"

// besideClasses are files that say something of the classes and are no surprise in a folder of
// images.
var besideClasses = append([]string{classList}, synsetFiles...)

// systemFolders hold thumbnails, deleted files and the like: copies of images that are no images
// of the suite.
var systemFolders = []string{
	"__MACOSX", "@eaDir", "#recycle", "$RECYCLE.BIN", "System Volume Information", "lost+found", "__pycache__",
}

// systemFiles are what file managers leave beside images. They are nobody's data: they are passed
// over and not counted.
var systemFiles = []string{
	".ds_store", ".localized", "icon\r", // macOS
	"thumbs.db", "ehthumbs.db", "ehthumbs_vista.db", "desktop.ini", // Windows
	".directory", ".picasa.ini", "picasa.ini",
}

// isSystemFile tells whether a file of this name is one of them, or holds what macOS keeps of
// another file on disks of other systems.
func isSystemFile(name string) bool {
	return slices.Contains(systemFiles, strings.ToLower(name)) || strings.HasPrefix(name, "._")
}

// notTaken says why a file or folder of this name is passed over; "" where it is not.
func notTaken(name string, folder bool) string {
	switch {
	case folder && slices.Contains(systemFolders, name):
		return "a folder of the system"
	case strings.HasPrefix(name, ".") && folder:
		return "a hidden folder"
	case strings.HasPrefix(name, "."):
		return "hidden"
	case folder, isImageName(name):
		return ""
	case filepath.Ext(name) == "":
		return "no ending"
	}
	return "ending " + strings.ToLower(filepath.Ext(name))
}

// passing collects what is passed over, by reason in the order in which they come up.
type passing []Passed

func (p *passing) add(reason, path string) {
	same := func(r string) int { return slices.IndexFunc(*p, func(q Passed) bool { return q.Reason == r }) }
	i := same(reason)
	if i < 0 && len(*p) >= maxReasons {
		reason = "other endings"
		i = same(reason)
	}
	if i < 0 {
		*p = append(*p, Passed{Reason: reason})
		i = len(*p) - 1
	}
	q := &(*p)[i]
	if q.Count++; len(q.Paths) < maxPaths {
		q.Paths = append(q.Paths, path)
	}
}

// String is the sum for people: each reason with its count and one example.
func (p passing) String() string {
	texts := make([]string, len(p))
	for i, q := range p {
		texts[i] = q.String()
	}
	return strings.Join(texts, ", ")
}

// String is the reason with the count and the first path: "ending .xml 12 (cat/1.xml, ...)".
func (p Passed) String() string {
	more := ""
	if p.Count > 1 {
		more = ", …"
	}
	return fmt.Sprintf("%s %d (%s%s)", p.Reason, p.Count, p.Paths[0], more)
}
