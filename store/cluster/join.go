package cluster

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// Join is what a worker needs to find and trust a coordinator. Its text is one line:
//
//	variscope://TOKEN@HOST:PORT/SPACE?cert=SHA256  its own server: TLS with this certificate alone
//	tls://USER:PASSWORD@HOST:PORT/SPACE            a server of an authority that is known here
//	nats://HOST:PORT/SPACE                         the same without TLS; on this machine only
type Join struct {
	Scheme string // variscope, tls or nats
	Host   string // HOST:PORT
	User   *url.Userinfo
	Space  string
	Cert   string // SHA-256 of the certificate, hex; only and always with variscope
}

// The schemes of a join line.
const (
	schemeOwn   = "variscope"
	schemeTLS   = "tls"
	schemePlain = "nats"
)

// ParseJoin reads a join line. Other machines are joined by TLS, with a token or password, alone.
func ParseJoin(text string) (Join, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return Join{}, errors.New("the join line cannot be read; " +
			"copy the whole line from the Runs screen, without quotes or line breaks")
	}
	j := Join{
		Scheme: u.Scheme, Host: u.Host, User: u.User, Space: strings.TrimPrefix(u.Path, "/"),
		Cert: u.Query().Get("cert"),
	}
	return j, j.check()
}

func (j Join) check() error {
	host, port, err := net.SplitHostPort(j.Host)
	if err != nil || host == "" || port == "" {
		err = fmt.Errorf("the join line names no machine and port (%q); it needs HOST:PORT", j.Host)
	}
	sum, noHash := hex.DecodeString(j.Cert)
	off := !isLoopback(j.Host)
	switch own, space := j.Scheme == schemeOwn, checkSpace(j.Space); {
	case !own && j.Scheme != schemeTLS && j.Scheme != schemePlain:
		return fmt.Errorf("a join line begins with variscope://, tls:// or nats://, not with %q", j.Scheme)
	case err != nil:
		return err
	case space != nil:
		return fmt.Errorf("the join line: %w", space)
	case own && (noHash != nil || len(sum) != sha256.Size || j.token() == ""):
		return errors.New("the join line is cut off: it needs a token and the certificate's hash; copy the whole line")
	case !own && j.Cert != "":
		return fmt.Errorf("a certificate's hash goes with variscope://, not with %s://", j.Scheme)
	case j.Scheme == schemePlain && off:
		return fmt.Errorf("%s is another machine, and nats:// is not encrypted; use tls://", j.Host)
	case !own && off && j.token() == "":
		return fmt.Errorf("%s is another machine; joining it needs a token or a user and password: tls://TOKEN@%s",
			j.Host, j.Host)
	}
	return nil
}

// isLoopback tells whether HOST:PORT can only be this machine.
func isLoopback(hostPort string) bool {
	host, _, err := net.SplitHostPort(hostPort)
	return err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback())
}

func (j Join) token() string { return j.User.Username() }

// String is the line.
func (j Join) String() string {
	u := url.URL{Scheme: j.Scheme, Host: j.Host, User: j.User, Path: "/" + j.Space}
	if j.Cert != "" {
		u.RawQuery = "cert=" + j.Cert
	}
	return u.String()
}

// certHash names a certificate (DER).
func certHash(der []byte) string {
	sum := sha256.Sum256(der)
	return hex.EncodeToString(sum[:])
}

// errOtherCert says that somebody else answers than the one who made the join line.
var errOtherCert = errors.New("another certificate than the join line names")

// trust is the TLS configuration of a worker: of a coordinator's own server it takes exactly the
// certificate of the join line, whatever its names and dates.
func (j Join) trust() *tls.Config {
	config := &tls.Config{MinVersion: tls.VersionTLS13}
	if j.Scheme != schemeOwn {
		return config
	}
	config.InsecureSkipVerify = true // what is verified instead is the whole certificate
	config.VerifyPeerCertificate = func(raw [][]byte, _ [][]*x509.Certificate) error {
		if len(raw) == 0 || certHash(raw[0]) != j.Cert {
			return errOtherCert
		}
		return nil
	}
	return config
}
