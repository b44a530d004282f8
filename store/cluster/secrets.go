package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/variscope/variscope/store/durable"
)

// secretsName is the file of what workers know of a coordinator: they find it again by that.
const secretsName = "cluster.json"

// secrets are kept in a folder that no copy, package or export of a workspace takes along.
type secrets struct {
	Space string `json:"space"`
	Token string `json:"token"` // of the workers
	Port  int    `json:"port"`  // the last one that was listened on
	Cert  string `json:"cert"`  // PEM
	Key   string `json:"key"`   // PEM
}

// loadSecrets reads or makes the secrets in a folder, which it makes for nobody else to look into.
func loadSecrets(dir string) (s secrets, own tls.Certificate, err error) {
	if err := durable.Folders(dir); err != nil {
		return s, own, err
	}
	if err := durable.Private(dir); err != nil {
		return s, own, err
	}
	path := filepath.Join(dir, secretsName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if s, err = newSecrets(); err == nil {
			err = s.save(dir)
		}
		if err != nil {
			return s, own, fmt.Errorf("make the secrets of %s: %w", dir, err)
		}
	} else if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil {
		own, err = tls.X509KeyPair([]byte(s.Cert), []byte(s.Key))
	}
	if err == nil {
		err = checkSpace(s.Space)
	}
	if err == nil && s.Token == "" {
		err = errors.New("it has no token")
	}
	if err != nil {
		return s, own, fmt.Errorf("%s cannot be read: %w; remove it, and let workers join anew", path, err)
	}
	return s, own, nil
}

func (s secrets) save(dir string) error {
	return durable.WritePrivateJSON(filepath.Join(dir, secretsName), s)
}

// certificateYears is long: workers trust the certificate itself and nothing that it says.
const certificateYears = 20

func newSecrets() (s secrets, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return s, err
	}
	now := time.Now()
	template := &x509.Certificate{
		Subject:   pkix.Name{CommonName: "variscope"},
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.AddDate(certificateYears, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		return s, err
	}
	key, err := x509.MarshalPKCS8PrivateKey(private)
	return secrets{
		Space: strings.ToLower(rand.Text())[:12], Token: rand.Text(),
		Cert: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})),
		Key:  string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})),
	}, err
}
