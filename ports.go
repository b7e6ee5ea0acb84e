package limn

import (
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/modelrun"
	"github.com/limn-ui/limn/internal/outbox"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/transport/webhook"
)

// Service holds the conversations of a Server.
type Service = session.Service

// Listing says which conversations [Service.Find] lists.
type Listing = conversation.Listing

// Drawing is one of the languages that clients ask for, such as html or v0.9.
type Drawing = deliver.Target

// MCP calls the tools of MCP servers; package mcp has an implementation.
type MCP = modelrun.MCP

// WebhookFunc posts a call to an application's endpoint; [Webhooks] has one.
type WebhookFunc = outbox.PostFunc

// Codes that an MCP or a WebhookFunc returns in a *ui.Error for a call that
// gave no answer.
const (
	CodeEffectUnknown = agent.CodeEffectUnknown // the call may have been carried out
	CodeToolAway      = agent.CodeToolAway      // the call was not sent
)

// TooLarge is the error of MCP.Call for a result of more than max bytes.
func TooLarge(max int) error { return agent.TooLarge(max) }

// WebhookConfig configures [Webhooks]. The zero value is complete.
type WebhookConfig = webhook.Config

// AllowedTargets are addresses that webhooks may call though they are not public.
type AllowedTargets = webhook.Allowed

// AllowTargets reads targets for WebhookConfig.Allow: an address, a network as
// CIDR, or a host name, the first and the last perhaps with a port.
func AllowTargets(list ...string) (AllowedTargets, error) { return webhook.ParseAllowed(list...) }

// Webhooks returns a function for Config.Webhook that signs each call as Standard
// Webhooks describes, sends it at most once, and only to public addresses and
// those of WebhookConfig.Allow.
func Webhooks(cfg WebhookConfig) WebhookFunc { return webhook.New(cfg).Post }

// Recovery has an action, an HTTP status and a message for each code.
type Recovery = recovery.Table

// RecoveryEntry is one entry of a Recovery.
type RecoveryEntry = recovery.Entry

// RecoveryAction is the reaction to a failure.
type RecoveryAction = recovery.Action

// The actions, mildest first.
const (
	Soft        = recovery.Soft        // text only; surfaces stay
	Rebuild     = recovery.Rebuild     // one client is rebuilt; the state stays
	SurfaceFail = recovery.SurfaceFail // the surface is removed
	Reset       = recovery.Reset       // the surface starts a new epoch
)

// DefaultRecovery returns the built-in table; its With replaces entries.
func DefaultRecovery() Recovery { return recovery.Default() }
