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

// secretsName is the file that keeps what workers know of a coordinator, so that they find it again after it was closed.
const secretsName = "cluster.json"

// secrets are kept in the folder of the coordinator, which no copy, package or export of a workspace takes along.
type secrets struct {
	Space string `json:"space"`
	Token string `json:"token"` // of the workers
	Port  int    `json:"port"`  // the last one that was listened on
	Cert  string `json:"cert"`  // PEM
	Key   string `json:"key"`   // PEM
}

// loadSecrets reads or makes the secrets of a coordinator's folder.
func loadSecrets(dir string) (secrets, error) {
	path := filepath.Join(dir, secretsName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		s, err := newSecrets()
		if err != nil {
			return s, fmt.Errorf("make the secrets of %s: %w", dir, err)
		}
		return s, s.save(dir)
	}
	var s secrets
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil {
		_, err = s.certificate()
	}
	if err == nil {
		err = checkSpace(s.Space)
	}
	if err == nil && s.Token == "" {
		err = errors.New("it has no token")
	}
	if err != nil {
		return s, fmt.Errorf("%s cannot be read: %w; remove it, and let workers join anew", path, err)
	}
	return s, nil
}

func (s secrets) save(dir string) error {
	return durable.WritePrivateJSON(filepath.Join(dir, secretsName), s)
}

func newSecrets() (s secrets, err error) {
	s.Space, s.Token = strings.ToLower(rand.Text())[:12], rand.Text()
	s.Cert, s.Key, err = newCertificate()
	return s, err
}

// certificateYears is long: workers trust the certificate itself and nothing that it says.
const certificateYears = 20

func newCertificate() (cert, key string, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", "", err
	}
	now := time.Now()
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: "variscope"}, NotBefore: now.Add(-24 * time.Hour), NotAfter: now.AddDate(certificateYears, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		return "", "", err
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return "", "", err
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})), nil
}

func (s secrets) certificate() (tls.Certificate, error) {
	return tls.X509KeyPair([]byte(s.Cert), []byte(s.Key))
}
