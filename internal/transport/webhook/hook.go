// Package webhook calls an application's webhooks.
//
// In: a declared app.Webhook, an idempotency key and a JSON body. Out: the body
// of the answer. Requests are signed as Standard Webhooks describes
// (webhook-id, webhook-timestamp, webhook-signature); webhook-id is the key, so
// a receiver that knows it has done the work already. Redirects are not
// followed, answers are bounded, and a status other than 2xx is an error. Only
// public addresses are called, and those the operator allows: see guard.go. A
// request is sent at most once; one that may have arrived and has no answer is
// agent.CodeEffectUnknown.
//
// Caller: session, through the function that cmd/limn injects.
package webhook

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/sendonce"
	"github.com/limn-ui/limn/ui"
)

// Config of a Client. The zero value is complete.
type Config struct {
	MaxAnswer int64             // bytes of an answer: 1 MiB
	Timeout   time.Duration     // of one call: 10 s
	Now       func() time.Time  // default time.Now
	Allow     Allowed           // targets that may be called though they are not public; default: none
	Transport http.RoundTripper // default: one that calls nothing else; yours is trusted with that
}

// Client posts calls. Safe for concurrent use.
type Client struct {
	cfg  Config
	http *http.Client
}

// New returns a Client.
func New(cfg Config) *Client {
	if cfg.MaxAnswer == 0 {
		cfg.MaxAnswer = 1 << 20
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 10 * time.Second
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Transport == nil {
		cfg.Transport = guarded(cfg.Allow)
	}
	return &Client{cfg, &http.Client{Transport: sendonce.Transport{Base: cfg.Transport}, Timeout: cfg.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// Post sends one call and returns the body of a 2xx answer.
func (c *Client) Post(ctx context.Context, h app.Webhook, key string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("webhook request: %w", err)
	}
	if err := c.cfg.Allow.checkURL(req.URL); err != nil {
		return nil, fmt.Errorf("call webhook: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key)
	if err := c.sign(req, h.Secret, key, body); err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	switch {
	case err == nil:
	case sendonce.Unsent(err), errors.Is(err, ErrTarget):
		return nil, fmt.Errorf("call webhook: %w", err)
	default:
		return nil, unknown("the connection to the webhook broke before its answer", err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, c.cfg.MaxAnswer+1))
	switch {
	case err != nil:
		return nil, unknown("the connection to the webhook broke inside its answer", err)
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return nil, statusError(resp, c.cfg.Now())
	case int64(len(answer)) > c.cfg.MaxAnswer:
		return nil, sizeError(c.cfg.MaxAnswer)
	}
	return answer, nil
}

// unknown is the error of a call that may have been carried out.
func unknown(message string, err error) error {
	return &ui.Error{Code: agent.CodeEffectUnknown, Message: message + "; whether it was carried out is unknown",
		Err: err}
}

// sign adds the three headers. Without a secret the call goes out unsigned.
func (c *Client) sign(req *http.Request, secret, key string, body []byte) error {
	if secret == "" {
		return nil
	}
	if !strings.HasPrefix(secret, "whsec_") {
		secret = base64.StdEncoding.EncodeToString([]byte(secret))
	}
	wh, err := webhooks.NewWebhook(secret)
	if err != nil {
		return fmt.Errorf("webhook secret: %w", err)
	}
	now := c.cfg.Now()
	sig, err := wh.Sign(key, now, body)
	if err != nil {
		return fmt.Errorf("sign webhook: %w", err)
	}
	req.Header.Set(webhooks.HeaderWebhookID, key)
	req.Header.Set(webhooks.HeaderWebhookTimestamp, fmt.Sprint(now.Unix()))
	req.Header.Set(webhooks.HeaderWebhookSignature, sig)
	return nil
}
