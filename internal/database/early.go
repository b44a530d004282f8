package database

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"go.etcd.io/bbolt"
)

// WithoutMeanAbs makes the signals of a workspace that nobody has open those of a program that
// did not keep mean_abs.
func WithoutMeanAbs(workspace string) error {
	return open(workspace, func(db *bbolt.DB) error {
		return db.Update(func(tx *bbolt.Tx) error {
			units := tx.Bucket([]byte("units"))
			early := map[string][]byte{}
			err := units.ForEach(func(key, value []byte) error {
				content, err := withoutMeanAbs(filepath.Join(workspace, "signals", string(key[:2]), string(key)+".npz"))
				record := map[string]any{}
				if err := errors.Join(err, json.Unmarshal(value, &record)); err != nil {
					return err
				}
				sum := sha256.Sum256(content)
				delete(record, "reducers")
				delete(record, "xxh3")
				record["sha256"], record["size"] = hex.EncodeToString(sum[:]), len(content)
				early[string(key)], err = json.Marshal(record)
				return err
			})
			for key, record := range early {
				err = errors.Join(err, units.Put([]byte(key), record))
			}
			return err
		})
	})
}

// withoutMeanAbs takes the arrays of mean_abs out of a signal file and returns what it holds then.
func withoutMeanAbs(path string) ([]byte, error) {
	in, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	var content bytes.Buffer
	out := zip.NewWriter(&content)
	for _, member := range in.File {
		if !strings.HasPrefix(member.Name, "mean_abs@") {
			err = errors.Join(err, out.Copy(member))
		}
	}
	err = errors.Join(err, out.Close(), in.Close())
	if err != nil {
		return nil, err
	}
	return content.Bytes(), os.WriteFile(path, content.Bytes(), 0o644)
}
