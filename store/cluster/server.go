package cluster

import (
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/variscope/variscope/store/durable"
)

// userCoordinator is the coordinator at the embedded server. Its password never leaves the process.
const userCoordinator = "coordinator"

// startTime is how long the server may take to be ready.
const startTime = 15 * time.Second

// embedded is a running server of our own.
type embedded struct {
	server  *server.Server
	secrets secrets
	cert    tls.Certificate
	join    []string
	inside  string // the coordinator's password
	moved   bool   // the port of last time was wanted, and somebody else has it
}

// startServer serves, with the secrets of the folder dir, on an address HOST:PORT; an empty host is every address of this machine, port 0 or none the
// one of last time, so that workers find the coordinator again.
func startServer(dir, address string, log *slog.Logger) (*embedded, error) {
	host, port, err := splitAddress(address)
	if err != nil {
		return nil, err
	}
	if err := makePrivate(dir); err != nil {
		return nil, err
	}
	_ = durable.DeleteAll(filepath.Join(dir, "jetstream")) // the queue of earlier versions
	s, err := loadSecrets(dir)
	if err != nil {
		return nil, err
	}
	e := &embedded{secrets: s, inside: rand.Text()}
	if e.cert, err = s.certificate(); err != nil {
		return nil, fmt.Errorf("the certificate in %s: %w", dir, err)
	}
	wanted := port
	if port == 0 {
		port = s.Port
	}
	if err = e.listen(dir, host, port, log); err != nil && port != wanted && e.listen(dir, host, 0, log) == nil {
		e.moved, err = true, nil // somebody else has the port of last time
	}
	if err != nil {
		return nil, err
	}
	if err := e.announce(dir, host); err != nil {
		e.stop()
		return nil, err
	}
	return e, nil
}

// makePrivate makes a folder that nobody else may look into.
func makePrivate(dir string) error {
	if err := durable.Folders(dir); err != nil {
		return err
	}
	return durable.Private(dir)
}

func splitAddress(address string) (host string, port int, err error) {
	if address == "" {
		return "", 0, nil
	}
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		host, text = address, "0"
		if net.ParseIP(host) == nil {
			return "", 0, fmt.Errorf("%q is no address to listen on; use HOST:PORT, or :PORT for all of this machine's addresses", address)
		}
	}
	if port, err = strconv.Atoi(text); err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q has no port between 0 and 65535", address)
	}
	return host, port, nil
}

func (e *embedded) listen(dir, host string, port int, log *slog.Logger) error {
	shown := net.JoinHostPort(host, strconv.Itoa(port))
	free, err := net.Listen("tcp", shown)
	if port == 0 {
		shown, port = host, server.RANDOM_PORT
	}
	if err == nil {
		err = free.Close() // the server takes it
	}
	if err != nil {
		why := err.Error() // the system's reason stands at the end
		return fmt.Errorf("listen on %s:%s; choose another address or port", shown, why[strings.LastIndex(why, ": ")+1:])
	}
	if host == "" {
		host = server.DEFAULT_HOST
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "variscope-" + e.secrets.Space, Host: host, Port: port, NoSigs: true, NoLog: false, MaxPayload: maxMessage,
		TLS: true, TLSHandshakeFirst: true, TLSTimeout: 5, AuthTimeout: 5,
		TLSConfig:                  &tls.Config{Certificates: []tls.Certificate{e.cert}, MinVersion: tls.VersionTLS13},
		CustomClientAuthentication: gate{space: names(e.secrets.Space), inside: e.inside, token: e.secrets.Token},
	})
	if err != nil {
		return fmt.Errorf("serve other machines in %s: %w", dir, err)
	}
	s.SetLoggerV2(serverLog{log}, false, false, false)
	s.Start()
	if !s.ReadyForConnections(startTime) {
		s.Shutdown()
		s.WaitForShutdown()
		return fmt.Errorf("listen on %s: it is not ready after %v; choose another address or port", shown, startTime)
	}
	e.server = s
	return nil
}

// announce makes the join lines, and remembers the port.
func (e *embedded) announce(dir, host string) error {
	_, text, err := net.SplitHostPort(e.server.Addr().String())
	if err != nil {
		return err
	}
	for _, h := range hosts(host) {
		e.join = append(e.join, Join{
			Scheme: schemeOwn, Host: net.JoinHostPort(h, text), User: url.User(e.secrets.Token), Space: e.secrets.Space, Cert: certHash(e.cert.Certificate[0]),
		}.String())
	}
	port, err := strconv.Atoi(text)
	if err != nil || port == e.secrets.Port {
		return err
	}
	e.secrets.Port = port
	return e.secrets.save(dir)
}

// Addresses are those of this machine under which others may reach it, the likeliest first; the last one is for this machine alone.
func Addresses() []string { return hosts("") }

// hosts are the addresses under which other machines reach one that listens on host, the likeliest first.
func hosts(host string) []string {
	if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
		return []string{host}
	}
	var list []string
	addresses, err := net.InterfaceAddrs()
	for _, a := range addresses {
		if network, ok := a.(*net.IPNet); err == nil && ok && network.IP.IsGlobalUnicast() {
			if network.IP.To4() != nil {
				list = append([]string{network.IP.String()}, list...)
			} else {
				list = append(list, network.IP.String())
			}
		}
	}
	return append(list, "127.0.0.1")
}

// connect is the coordinator's own connection, which crosses no network.
func (e *embedded) connect() (*nats.Conn, error) {
	return nats.Connect("", nats.InProcessServer(e.server), nats.UserInfo(userCoordinator, e.inside), nats.Name("coordinator"))
}

// stop ends the server.
func (e *embedded) stop() {
	e.server.Shutdown()
	e.server.WaitForShutdown()
}
