package desk

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/outside"
)

// The formats, as manifests name them, and the newest version that this program reads. A file has
// the lowest version that says all of it, so that older programs read what they can. Version 2 is
// written for a round package whose round lists the fields of the record that it shows: an older
// program would show all. Version 3 is written for a round that has what came later, such as own
// words and known answers, and for labels with plans of the order. Version 4 is written for a round
// whose known answers are sealed.
const (
	roundFormat  = "variscope round package"
	labelsFormat = "variscope labels"
	planned      = 3
	version      = 4
)

// versionOf is the version of the package of a round.
func versionOf(r label.Round) int {
	switch {
	case !r.HasAnswers():
		return 4
	case r.Curves != nil || r.Pinned != nil || r.Words != nil || r.Order != "" || r.Overlap != 0 || r.Known != nil ||
		r.KnownFirst || r.Closings != nil || r.ByRule:
		return 3
	case r.Fields != nil:
		return 2
	}
	return 1
}

// Version is the newest version of round packages and files of labels that this program reads.
const Version = version

// kinds are the formats in words for people.
var kinds = map[string]string{roundFormat: "round package", labelsFormat: "file of labels"}

// manifestName is the first member of every archive.
const manifestName = "manifest.json"

// member is a file inside an archive.
type member struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// manifest says what an archive is and holds.
type manifest struct {
	Format    string `json:"format"`
	Version   int    `json:"version"`
	Round     string `json:"round"`      // id
	RoundName string `json:"round_name"` // for people
	Desk      string `json:"desk"`       // that wrote it
	Full      bool   `json:"full,omitempty"`
	// Annotators are those whose labels a labels file holds; Names are the names of the round's
	// annotators in a package.
	Annotators []string          `json:"annotators,omitempty"`
	Names      map[string]string `json:"names,omitempty"`
	Events     int               `json:"events,omitempty"`
	Members    []member          `json:"members"`
}

// source is a member to be written: its content is read twice, to hash and to write it.
type source struct {
	path string
	open func() (io.ReadCloser, error)
	// packed members are deflated; pictures and models are stored as they are.
	packed bool
}

// text is a source from memory.
func text(path string, content []byte) source {
	return source{path: path, packed: true, open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}}
}

// writeArchive writes the manifest and the members in the order of their paths. Times are left
// out, so that equal content gives equal bytes. Added is called after each member. It ends with
// ctx, also inside of a member.
func writeArchive(ctx context.Context, w io.Writer, m manifest, sources []source, added func()) error {
	slices.SortFunc(sources, func(a, b source) int { return strings.Compare(a.path, b.path) })
	m.Members = nil
	for _, s := range sources {
		sum := sha256.New()
		size, err := s.copy(ctx, sum)
		if err != nil {
			return fmt.Errorf("read %s: %w", s.path, err)
		}
		m.Members = append(m.Members, member{s.path, size, hex.EncodeToString(sum.Sum(nil))})
	}
	listed, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	out := zip.NewWriter(w)
	out.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestSpeed)
	})
	for _, s := range append([]source{text(manifestName, listed)}, sources...) {
		method := zip.Store
		if s.packed {
			method = zip.Deflate
		}
		into, err := out.CreateHeader(&zip.FileHeader{Name: s.path, Method: method})
		if err != nil {
			return err
		}
		if _, err := s.copy(ctx, into); err != nil {
			return fmt.Errorf("write %s: %w", s.path, err)
		}
		added()
	}
	return out.Close()
}

func (s source) copy(ctx context.Context, w io.Writer) (n int64, err error) {
	in, err := s.open()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return io.Copy(w, outside.Until(ctx, in))
}

// The limits on what is read from others.
const (
	mebi = 1 << 20
	// maxMembers and maxManifest bound the list of members.
	maxMembers, maxManifest = 1 << 20, 256 * mebi
	// maxMember bounds a member that is read into memory, maxMemory all of them together.
	maxMember, maxMemory = 64 * mebi, 2048 * mebi
	// maxFile bounds a member that is copied to a file: the largest model file that can be
	// imported is smaller.
	maxFile = 4096 * mebi
)

// archive is an opened archive whose members are those of its manifest.
type archive struct {
	manifest
	files map[string]*zip.File
	lists map[string]member // by path
	read  int64             // bytes read into memory so far
}

// openArchive reads the manifest and checks that the members are exactly those that it lists, with
// their sizes and with paths that stay inside. The content is checked when it is read.
func openArchive(r io.ReaderAt, size int64, format string) (*archive, error) {
	in, err := zip.NewReader(r, size)
	if err != nil {
		return nil, errors.New("it is no zip archive, or it is cut off")
	}
	if len(in.File) == 0 || len(in.File) > maxMembers || in.File[0].Name != manifestName {
		return nil, fmt.Errorf("it is no %s: its first member must be %s", kinds[format], manifestName)
	}
	a := &archive{files: make(map[string]*zip.File, len(in.File)), lists: make(map[string]member, len(in.File))}
	if err := a.readManifest(in.File[0], format); err != nil {
		return nil, err
	}
	for _, f := range in.File[1:] {
		if _, twice := a.files[f.Name]; twice {
			return nil, fmt.Errorf("member %q stands in it twice", f.Name)
		}
		a.files[f.Name] = f
	}
	for _, m := range a.Members {
		f := a.files[m.Path]
		switch {
		case !safe(m.Path):
			return nil, fmt.Errorf("member %q has a path that is not allowed", m.Path)
		case f == nil:
			return nil, fmt.Errorf("member %s is missing", m.Path)
		case m.Size < 0 || m.Size > maxFile || f.UncompressedSize64 != uint64(m.Size):
			return nil, fmt.Errorf("member %s has not the size that is listed", m.Path)
		}
		a.lists[m.Path] = m
	}
	if len(a.files) != len(a.lists) || len(a.lists) != len(a.Members) {
		return nil, errors.New("it holds members that are not listed, or one is listed twice")
	}
	return a, nil
}

func (a *archive) readManifest(f *zip.File, format string) error {
	data, err := slurp(f, maxManifest)
	if err != nil {
		return fmt.Errorf("%s: %w", manifestName, err)
	}
	if err := outside.JSON(data, &a.manifest, false); err != nil {
		return fmt.Errorf("%s is damaged: %w", manifestName, err)
	}
	switch {
	case a.Format != format:
		return fmt.Errorf("it is no %s", kinds[format])
	case a.Version > version:
		return fmt.Errorf("a newer Variscope wrote it (version %d, this program reads up to %d); "+
			"update Variscope to open it", a.Version, version)
	}
	return nil
}

// safe tells whether a member's path stays inside a folder on every system.
func safe(path string) bool {
	return fs.ValidPath(path) && path != "." && filepath.IsLocal(filepath.FromSlash(path)) &&
		!strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || strings.ContainsRune(`\:*?"<>|`, r) })
}

// slurp reads a member into memory, at most limit bytes whatever it says of itself.
func slurp(f *zip.File, limit int64) ([]byte, error) {
	in, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	defer func() { _ = in.Close() }()
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("it is larger than %d MiB", limit/mebi)
	}
	return data, nil
}

// listed is the manifest's entry of a member.
func (a *archive) listed(path string) (member, error) {
	m, ok := a.lists[path]
	if !ok {
		return m, fmt.Errorf("member %s is missing", path)
	}
	return m, nil
}

// bytes reads a member and checks its hash.
func (a *archive) bytes(path string) ([]byte, error) {
	m, err := a.listed(path)
	if err != nil {
		return nil, err
	}
	if a.read += m.Size; m.Size > maxMember || a.read > maxMemory {
		return nil, fmt.Errorf("member %s is too large", path)
	}
	data, err := slurp(a.files[path], m.Size)
	if err != nil {
		return nil, fmt.Errorf("member %s: %w", path, err)
	}
	if sum := sha256.Sum256(data); int64(len(data)) != m.Size || hex.EncodeToString(sum[:]) != m.SHA256 {
		return nil, fmt.Errorf("member %s is damaged: its content is not what the manifest says", path)
	}
	return data, nil
}

// decode reads a member as JSON without fields that this program does not know.
func (a *archive) decode(path string, into any) error {
	data, err := a.bytes(path)
	if err != nil {
		return err
	}
	if err := outside.JSON(data, into, true); err != nil {
		return fmt.Errorf("member %s cannot be read, or a newer Variscope wrote it: %w", path, err)
	}
	return nil
}

// copy writes a member and checks its hash at the end.
func (a *archive) copy(ctx context.Context, path string, w io.Writer) error {
	m, err := a.listed(path)
	if err != nil {
		return err
	}
	in, err := a.files[path].Open()
	if err != nil {
		return fmt.Errorf("member %s is damaged: %w", path, err)
	}
	defer func() { _ = in.Close() }()
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum), io.LimitReader(outside.Until(ctx, in), m.Size+1))
	if err != nil {
		return fmt.Errorf("member %s: %w", path, err)
	}
	if n != m.Size || hex.EncodeToString(sum.Sum(nil)) != m.SHA256 {
		return fmt.Errorf("member %s is damaged: its content is not what the manifest says", path)
	}
	return nil
}
