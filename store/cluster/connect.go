package cluster

import (
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// ErrRefused says that a coordinator or its server will not have this worker, whatever it tries.
var ErrRefused = errors.New("refused")

// connectTime bounds one attempt to connect.
const connectTime = 10 * time.Second

// connect connects once; later interruptions are bridged. The error wraps ErrRefused where another attempt would not help: a wrong token, another
// certificate, no TLS.
func (j Join) connect(name string, more ...nats.Option) (*nats.Conn, error) {
	options := append([]nats.Option{
		nats.Name(name), nats.Timeout(connectTime), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second), nats.ReconnectJitter(time.Second, time.Second),
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
	}, more...)
	switch {
	case j.Scheme == schemeOwn:
		options = append(options, nats.Secure(j.trust()), nats.TLSHandshakeFirst())
	case j.Scheme == schemeTLS:
		options = append(options, nats.Secure(j.trust()))
	}
	if j.Scheme != schemeOwn && j.User != nil {
		if password, both := j.User.Password(); both {
			options = append(options, nats.UserInfo(j.User.Username(), password))
		} else {
			options = append(options, nats.Token(j.User.Username()))
		}
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
	switch text := err.Error(); {
	case errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || strings.Contains(strings.ToLower(text), "authorization violation"):
		return fmt.Errorf("%s does not know this token; copy the join line anew from the coordinator: %w", j.Host, ErrRefused)
	case strings.Contains(text, errOtherCert.Error()):
		return fmt.Errorf("%s shows another certificate than the join line names; copy the join line anew, and if it stays so, "+
			"somebody is between the machines: %w", j.Host, ErrRefused)
	case errors.As(err, &notTLS):
		return fmt.Errorf("%s does not speak TLS; is that the coordinator's port? %w", j.Host, ErrRefused)
	}
	return fmt.Errorf("cannot reach %s: %w", j.Host, err)
}
