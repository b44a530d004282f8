package durable

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// PartSuffix ends the names of files and folders that are being written.
const PartSuffix = ".part"

// DraftOf is a hidden name beside a place under which it is put together,
// .NAME-COMPUTER-PROCESS-RANDOM.part; every call gives another one, which nobody can guess, nor
// another computer of the same name come upon. Only the process that is named there touches it
// while it lives.
func DraftOf(place string) string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	name := fmt.Sprintf("%s%d-%x%s", draftPrefix(place), os.Getpid(), random, PartSuffix)
	return filepath.Join(filepath.Dir(place), name)
}

// draftPrefix is what the drafts of this computer for one place begin with. The folder may lie on
// a disk that several computers share; a host's name is hashed because it may have any character
// in it.
func draftPrefix(place string) string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	sum := sha256.Sum256([]byte(host))
	return fmt.Sprintf(".%s-%s-", filepath.Base(place), hex.EncodeToString(sum[:4]))
}

// RemoveDrafts removes the drafts of a place that processes of this computer have left which are
// gone. What cannot be removed does no harm.
func RemoveDrafts(place string) {
	entries, err := os.ReadDir(filepath.Dir(place))
	if err != nil {
		return
	}
	prefix := draftPrefix(place)
	for _, e := range entries {
		if process := drafter(e.Name(), prefix); process > 0 && process != os.Getpid() && !isAlive(process) {
			_ = DeleteAll(filepath.Join(filepath.Dir(place), e.Name()))
		}
	}
}

// IsDraft tells whether a name in the folder of a place is that of a draft of it.
func IsDraft(name, place string) bool { return drafter(name, draftPrefix(place)) > 0 }

// drafter is the process that a draft's name tells, 0 for other names.
func drafter(name, prefix string) int {
	rest, begins := strings.CutPrefix(name, prefix)
	rest, ends := strings.CutSuffix(rest, PartSuffix)
	number, random, more := strings.Cut(rest, "-")
	process, err := strconv.Atoi(number)
	if !begins || !ends || err != nil || process < 0 {
		return 0
	}
	if _, err := strconv.ParseUint(random, 16, 64); more && err != nil {
		return 0
	}
	return process
}
