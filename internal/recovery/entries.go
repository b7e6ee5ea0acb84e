package recovery

import (
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/ui"
)

// Codes of HTTP itself; every other code is declared where it is born.
const (
	CodeNotFound     = conversation.CodeNotFound
	CodeUnauthorized = "HTTP_UNAUTHORIZED"
	CodeForbidden    = "HTTP_FORBIDDEN"
	CodeAuthDown     = "HTTP_AUTH_UNAVAILABLE"
	CodeMethod       = "HTTP_METHOD_NOT_ALLOWED"
	CodeTarget       = "HTTP_TARGET_NOT_ENABLED"
	CodeFormat       = "HTTP_FORMAT"
	CodeCatalog      = "A2UI_C2S_CAPABILITY_CATALOG"
	CodeExtension    = "A2UI_C2S_EXTENSION_UNKNOWN"
	CodeMediaType    = "HTTP_MEDIA_TYPE"
	CodeCrossOrigin  = "HTTP_CROSS_ORIGIN"
	CodeKeyReused    = "HTTP_KEY_REUSED"
	CodeKeyInvalid   = "HTTP_KEY_INVALID"
	CodeBodyTooLarge = "HTTP_BODY_TOO_LARGE"
	CodeBusy         = "HTTP_BUSY"
	CodeInUse        = "CONVERSATION_IN_USE"
	CodeHost         = "HTTP_HOST"
	CodeRate         = "HTTP_RATE_LIMITED"
	CodeQuota        = "HTTP_QUOTA"
	CodeDraining     = "HTTP_DRAINING"
	CodeStreams      = "HTTP_STREAMS"
	CodeUploads      = "HTTP_UPLOADS"
	CodeRuns         = "HTTP_MODEL_RUNS"
	CodeRunsFull     = "HTTP_MODEL_BUSY"
	CodeTokens       = "HTTP_MODEL_TOKENS"
	CodeStored       = "HTTP_STORED"
	CodeUpgrade      = "HTTP_UPGRADE_REQUIRED"
	CodeGone         = "HTTP_GONE"
)

// What programs can do about failures of ours, where who raised one does not say.
const (
	again  = "send it again after a second or more (Retry-After), under the same Idempotency-Key"
	anew   = "load the surfaces again: a stream without a cursor begins with a snapshot"
	draw   = "POST …/surfaces/{name}/regenerate opens a surface again" + helpless
	report = "send it again, under the same Idempotency-Key" + helpless

	helpless = "; if that does not help, report the X-Request-Id of this answer"
)

// entries have a hint from status 500 on. Below, the refusal itself names the fault.
// The title of each is in ui.Words, under "problem." and the code.
var entries = []struct {
	code   ui.Code
	status int
	do     Action
	hint   string
}{
	{CodeNotFound, 404, Soft, ""},
	{CodeUnauthorized, 401, Soft, ""},
	{CodeForbidden, 403, Soft, ""},
	{CodeAuthDown, 503, Soft, again},
	{CodeMethod, 405, Soft, ""},
	{CodeTarget, 406, Soft, ""},
	{CodeFormat, 406, Soft, ""},
	{CodeMediaType, 415, Soft, ""},
	{CodeCrossOrigin, 403, Soft, ""},
	{CodeKeyReused, 422, Soft, ""},
	{CodeKeyInvalid, 400, Soft, ""},
	{CodeBodyTooLarge, 413, Soft, ""},
	{CodeBusy, 429, Soft, ""},
	{CodeInUse, 409, Soft, ""},
	{CodeHost, 421, Soft, ""},
	{CodeRate, 429, Soft, ""},
	{CodeQuota, 403, Soft, ""},
	{CodeDraining, 503, Soft, again + "; another node takes it, or this one after its start"},
	{CodeUpgrade, 426, Soft, ""},
	{CodeStreams, 503, Soft,
		"close a stream, or let one serve several tabs; " +
			"come back after a second or more (Retry-After), with your cursor"},
	{CodeUploads, 503, Soft, again},
	{CodeRuns, 429, Soft, ""},
	{CodeRunsFull, 503, Soft, again},
	{CodeTokens, 429, Soft, ""},
	{CodeStored, 429, Soft, ""},

	{"CONVERSATION_ENDED", 410, Soft, ""},
	{CodeGone, 410, Soft, ""},
	{conversation.CodeReadOnly, 403, Soft, ""},
	{conversation.CodeOwnerOnly, 403, Soft, ""},
	{conversation.CodeShareGone, 404, Soft, ""},
	{"OPERATOR_BUSY", 409, Soft, ""},
	{"OPERATOR_AWAY", 409, Soft, ""},
	{"OPERATOR_DENIED", 403, Soft, ""},

	{"A2UI_C2S_ENVELOPE_INVALID", 400, Soft, ""},
	{"A2UI_C2S_ACTION_FORBIDDEN", 403, Soft, ""},
	{"A2UI_C2S_SURFACE_STALE", 409, Soft, ""},
	{"A2UI_C2S_SURFACE_SUBMITTED", 409, Soft, ""},
	{"A2UI_C2S_CONTEXT_TOO_LARGE", 413, Soft, ""},
	{CodeCatalog, 406, Soft, ""},
	{CodeExtension, 406, Soft, ""},
	{"A2UI_C2S_CLIENT_ERROR", 202, Soft, ""},
	{"A2UI_C2S_CLIENT_UNSHOWN", 200, SurfaceFail, ""},
	{"A2UI_C2S_*", 400, Soft, ""},

	{"A2UI_S2C_ENVELOPE_*", 500, Soft, report},
	{"A2UI_S2C_BEGIN_*", 500, SurfaceFail, draw},
	{"A2UI_S2C_STREAM_DIFFERS", 500, Reset, anew},
	{"A2UI_S2C_COMPONENT_TYPE_CHANGED", 500, Reset, anew},
	{"A2UI_S2C_COMPONENT_*", 500, SurfaceFail, draw},
	{"A2UI_S2C_DATA_*", 500, SurfaceFail, draw},
	{"A2UI_S2C_URL_*", 500, SurfaceFail, draw},
	{"A2UI_S2C_LIMIT_*", 500, SurfaceFail, draw},
	{"A2UI_S2C_*", 500, SurfaceFail, draw},
	{"COMPILE_*", 500, SurfaceFail, draw},

	{"FUNCTION_CALL_EXPIRED", 200, Soft, ""},
	{"GATEWAY_SURFACE_INVALID", 500, SurfaceFail, draw},
	{"GATEWAY_FOREIGN", 403, Soft, ""},
	{"GATEWAY_GONE", 410, Soft, ""},
	{"GATEWAY_*", 200, Soft, ""},

	{"FIELD_*", 200, Soft, ""},
	{"RECORD_NOT_FOUND", 404, Soft, ""},
	{"DATA_INVALID", 422, Soft, ""},
	{"TOPIC_UNKNOWN", 404, Soft, ""},
	{"DATA_NAME", 422, Soft, ""},
	{"RECORD_CHANGED", 409, Soft, ""},
	{"RECORD_QUERY_INVALID", 400, Soft, ""},
	{"RECORD_DENIED", 403, Soft, ""},
	{"RECORD_INVALID", 422, Soft, ""},
	{"UPLOAD_TYPE_MISMATCH", 415, Soft, ""},
	{"SHEET_TOO_LARGE", 413, Soft, ""},
	{"SHEET_*", 422, Soft, ""},
	{"GATE_CLOSED", 200, Soft, ""},
	{"DIRECTIVE_*", 200, Soft, ""},
	{"DIRECTIVE_PAYLOAD_INVALID", 200, Soft, ""},
	{"DIRECTIVE_TOO_MANY", 200, Soft, ""},
	{"DIRECTIVE_UNKNOWN_TYPE", 200, Soft, ""},
	{"EXECUTE_NOT_ASKED", 200, Soft, ""},
	{"EXECUTE_NOT_NOW", 200, Soft, ""},
	{"EXECUTE_ONE_ACTION", 200, Soft, ""},
	{"EXECUTE_UNSEEN", 200, Soft, ""},
	{"EXECUTE_OUTDATED", 200, Soft, ""},
	{"EXECUTE_VIEW_INVALID", 200, Soft, ""},
	{"EXECUTE_*", 200, Soft, ""},
	{"ACTION_FAILED", 200, Soft, ""},
	{"WEBHOOK_TARGET_FORBIDDEN", 200, Soft, ""},
	{"WEBHOOK_GIVEN_UP", 200, Soft, ""},
	{"EFFECT_UNKNOWN", 200, Soft, ""},
	{"TURN_FAILED", 200, Soft, ""},
	{"TURN_POISON", 200, Soft, ""},
	{"TURN_CANCELED", 200, Soft, ""},

	{"LLM_UNAVAILABLE", 200, Soft, ""},
	{"LLM_TIMEOUT", 200, Soft, ""},
	{"LLM_RATE_LIMITED", 200, Soft, ""},
	{"LLM_REFUSED", 200, Soft, ""},
	{"LLM_REQUEST_TOO_LONG", 200, Soft, ""},
	{"LLM_AUTH", 200, Soft, ""},
	{"LLM_CONFIG_INVALID", 200, Soft, ""},
	{"LLM_UNSUPPORTED", 200, Soft, ""},
	{"LLM_*", 200, Soft, ""},
	{"TOOL_*", 200, Soft, ""},

	{"ROUTE_GUARDRAIL_INVALID", 400, Soft, ""},
	{"ROUTE_GUARDRAIL_UNKNOWN", 404, Soft, ""},
	{"PREFERENCE_INVALID", 400, Soft, ""},
	{"ROUTE_*", 500, Soft, report},
	{"APP_*", 500, Soft,
		"tell whoever runs the server: the log has the place in the application, by the X-Request-Id of this answer"},

	{"UI_LIMIT", 413, Soft, ""},
	{"UI_*", 500, Soft, report},
	{"STORE_TRIMMED", 410, Soft, ""},
	{"STORE_*", 503, Soft, again + "; what was saved all the same is then answered, not done twice"},
	{"SYNC_*", 400, Soft, ""},
}
