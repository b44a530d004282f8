package database

import (
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/variscope/variscope/internal/testdata"
)

func TestSuccessor(t *testing.T) {
	for in, want := range map[string]string{
		"00000000000000000000000000": "00000000000000000000000001",
		"0000000000000000000000000Z": "00000000000000000000000010",
		"01ZZZZZZZZZZZZZZZZZZZZZZZZ": "02000000000000000000000000",
	} {
		testdata.Is(t, in, successor(ulid.MustParseStrict(in)).String(), want)
	}
}
