package cluster

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// errRefused says that a coordinator or its server will not have this worker, whatever it tries.
var errRefused = errors.New("refused")

// errAway says that nobody listens where a coordinator should: it may come.
var errAway = errors.New("nobody answers there")

// connectTime bounds one attempt to connect.
const connectTime = 10 * time.Second

// connect connects once; later interruptions are bridged. The error, in our words, wraps
// errRefused where another attempt would not help, and errAway where nobody listens there.
func (j Join) connect(name string, more ...nats.Option) (*nats.Conn, error) {
	options := append([]nats.Option{
		nats.Name(name), nats.Timeout(connectTime), nats.MaxReconnects(-1),
		nats.ReconnectWait(time.Second), nats.ReconnectJitter(time.Second, time.Second),
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
	}, more...)
	if j.Scheme != schemePlain {
		options = append(options, nats.Secure(j.trust()))
	}
	if j.Scheme == schemeOwn { // its workers have an identity besides
		options = append(options, nats.TLSHandshakeFirst())
	} else if password, both := j.User.Password(); both {
		options = append(options, nats.UserInfo(j.token(), password))
	} else {
		options = append(options, nats.Token(j.token()))
	}
	nc, err := nats.Connect("nats://"+j.Host, options...)
	if err != nil {
		return nil, j.explain(err)
	}
	return nc, nil
}

// explain words why there is no connection.
func (j Join) explain(err error) error {
	var notTLS tls.RecordHeaderError
	var trust *tls.CertificateVerificationError
	var dial *net.OpError
	switch text := strings.ToLower(err.Error()); {
	case errors.Is(err, nats.ErrAuthExpired), strings.Contains(text, "authorization violation"):
		return fmt.Errorf("%s does not know this token; copy the join line anew from the coordinator: %w",
			j.Host, errRefused)
	case strings.Contains(text, errOtherCert.Error()):
		return fmt.Errorf("%s shows another certificate than the join line names; copy the join line anew, and if it "+
			"stays so, somebody is between the machines: %w", j.Host, errRefused)
	case errors.As(err, &notTLS), errors.Is(err, nats.ErrSecureConnWanted):
		return fmt.Errorf("%s does not speak TLS; is that the coordinator's port? %w", j.Host, errRefused)
	case errors.As(err, &trust):
		return fmt.Errorf("%s shows a certificate that this computer does not trust; "+
			"is that the coordinator's line? %w", j.Host, errRefused)
	case errors.Is(err, nats.ErrNoServers), errors.As(err, &dial) && dial.Op == "dial":
		return fmt.Errorf("cannot reach %s: %w", j.Host, errAway)
	}
	return fmt.Errorf("%s does not answer as a coordinator does; copy the join line anew", j.Host)
}
