package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
)

// digest is the SHA-256 of a file's bytes.
type digest [sha256.Size]byte

// contentHash is a suite's identity: SHA-256 over the class names, the labels and the digests of
// the image files, hex. Paths and times are no part of it: a suite that was moved or renamed stays
// the same suite.
func contentHash(classes []string, labels []int, digests []digest) string {
	h := sha256.New()
	fmt.Fprintf(h, "variscope suite 1\n%d classes\n", len(classes))
	for _, c := range classes {
		fmt.Fprintf(h, "%q\n", c)
	}
	fmt.Fprintf(h, "%d labels\n", len(labels))
	for _, l := range labels {
		fmt.Fprintf(h, "%d\n", l)
	}
	for _, d := range digests {
		h.Write(d[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashing passes a stream on and digests every byte of it.
type hashing struct {
	io.Reader
	sum hash.Hash
}

func newHashing(from io.Reader) *hashing {
	sum := sha256.New()
	return &hashing{io.TeeReader(from, sum), sum}
}

// finish reads what is left and returns the digest of the whole stream.
func (h *hashing) finish() (digest, error) {
	if _, err := io.Copy(io.Discard, h); err != nil {
		return digest{}, err
	}
	return digest(h.sum.Sum(nil)), nil
}
