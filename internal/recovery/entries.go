package recovery

// Codes of HTTP itself; every other code is declared where it is born.
const (
	CodeNotFound     = "HTTP_NOT_FOUND"
	CodeUnauthorized = "HTTP_UNAUTHORIZED"
	CodeForbidden    = "HTTP_FORBIDDEN"
	CodeAuthDown     = "HTTP_AUTH_UNAVAILABLE"
	CodeMethod       = "HTTP_METHOD_NOT_ALLOWED"
	CodeTarget       = "HTTP_TARGET_NOT_ENABLED"
	CodeFormat       = "HTTP_FORMAT"
	CodeCatalog      = "A2UI_C2S_CAPABILITY_CATALOG"
	CodeMediaType    = "HTTP_MEDIA_TYPE"
	CodeCrossOrigin  = "HTTP_CROSS_ORIGIN"
	CodeKeyReused    = "HTTP_KEY_REUSED"
	CodeKeyInvalid   = "HTTP_KEY_INVALID"
	CodeBodyTooLarge = "HTTP_BODY_TOO_LARGE"
	CodeBusy         = "HTTP_BUSY"
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

const notOurs = "Something went wrong on our side. Nothing is lost; please try again."

// What programs can do about failures of ours, where who raised one does not say.
const (
	again  = "send it again after a second or more (Retry-After), under the same Idempotency-Key"
	anew   = "load the drawing anew: a stream without a cursor begins with a snapshot"
	draw   = "POST …/surfaces/{name}/regenerate draws a surface anew" + helpless
	report = "send it again, under the same Idempotency-Key" + helpless

	helpless = "; if that does not help, report the X-Request-Id of this answer"
)

// entries have a Hint from status 500 on. Below, the refusing code gives the reason.
var entries = []Entry{
	{CodeNotFound, 404, Soft, "There is nothing at this address.", ""},
	{CodeUnauthorized, 401, Soft, "This needs the conversation's cookie or token.", ""},
	{CodeForbidden, 403, Soft, "You may not do this here.", ""},
	{CodeAuthDown, 503, Soft, "The server cannot look up who you are right now. Please try again in a moment.", again},
	{CodeMethod, 405, Soft, "This address does not take that method.", ""},
	{CodeTarget, 406, Soft, "This drawing is not enabled on this server.", ""},
	{CodeFormat, 406, Soft, "This address does not answer in that form.", ""},
	{CodeMediaType, 415, Soft, "This address does not take that kind of body.", ""},
	{CodeCrossOrigin, 403, Soft, "A page of another site may not post here.", ""},
	{CodeKeyReused, 422, Soft, "This Idempotency-Key was used with another body.", ""},
	{CodeKeyInvalid, 400, Soft, "An Idempotency-Key has 1 to 128 printable ASCII characters.", ""},
	{CodeBodyTooLarge, 413, Soft, "Submission is too large. Please submit less at once.", ""},
	{CodeBusy, 429, Soft, "This conversation is busy. Please try again in a moment.", ""},
	{CodeHost, 421, Soft, "This server does not answer for that host.", ""},
	{CodeRate, 429, Soft, "That was too much at once. Please try again in a moment.", ""},
	{CodeQuota, 403, Soft, "You have used up what you may keep here.", ""},
	{CodeDraining, 503, Soft, "The server is stopping. Please try again in a moment.",
		again + "; another node takes it, or this one after its start"},
	{CodeUpgrade, 426, Soft, "This address is for WebSockets.", ""},
	{CodeStreams, 503, Soft, "Too many streams are open. Please close a tab, or try again in a moment.",
		"close a stream, or let one serve several tabs; come back after a second or more (Retry-After), with your cursor"},
	{CodeUploads, 503, Soft, "Too many files are being read at once. Please send it again in a moment.", again},
	{CodeRuns, 429, Soft, "Several answers are still being written. Please wait for one to finish.", ""},
	{CodeRunsFull, 503, Soft, "The assistant is answering many people right now. Please send it again in a moment.",
		again},
	{CodeTokens, 429, Soft, "Today's share of the model is used up. Forms and tables still work.", ""},
	{CodeStored, 429, Soft, "You have sent as much as the server takes in a day. Please come back tomorrow.", ""},

	{"CONVERSATION_ENDED", 410, Soft, "This conversation has ended. You can begin a new one.", ""},
	{CodeGone, 410, Soft, "This picture is out of date. There is a newer one in the conversation.", ""},

	{"A2UI_C2S_ENVELOPE_INVALID", 400, Soft, "Invalid submission. Please refresh and retry.", ""},
	{"A2UI_C2S_ACTION_FORBIDDEN", 403, Soft, "This action is not available.", ""},
	{"A2UI_C2S_SURFACE_STALE", 409, Soft, "This form is out of date. Please check it as it is now and send it again.",
		""},
	{"A2UI_C2S_SURFACE_SUBMITTED", 409, Soft,
		"This form was answered already, and the first answer counts. What you sent just now was not taken.", ""},
	{"A2UI_C2S_CONTEXT_TOO_LARGE", 413, Soft, "Submission is too large. Please submit less at once.", ""},
	{CodeCatalog, 406, Soft, "Your app cannot draw this. It can be opened in a browser.", ""},
	{"A2UI_C2S_CLIENT_ERROR", 202, Soft, "The page could not draw something. It was reported.", ""},
	{"A2UI_C2S_CLIENT_UNSHOWN", 200, SurfaceFail, "Your screen could not show this, so it was closed.", ""},
	{"A2UI_C2S_*", 400, Soft, "Invalid submission. Please refresh and retry.", ""},

	{"A2UI_S2C_ENVELOPE_*", 500, Soft, "The answer could not be drawn. Please ask again.", report},
	{"A2UI_S2C_BEGIN_*", 500, SurfaceFail, "The form could not be drawn. You can ask to regenerate it.", draw},
	{"A2UI_S2C_STREAM_DIFFERS", 500, Reset, "The form was drawn anew.", anew},
	{"A2UI_S2C_COMPONENT_TYPE_CHANGED", 500, Reset, "The form was drawn anew.", anew},
	{"A2UI_S2C_COMPONENT_*", 500, SurfaceFail, "The form could not be drawn. You can ask to regenerate it.", draw},
	{"A2UI_S2C_DATA_*", 500, SurfaceFail, "The form could not be drawn. You can ask to regenerate it.", draw},
	{"A2UI_S2C_URL_*", 500, SurfaceFail, "The form held an address that is not allowed. You can ask to regenerate it.",
		draw},
	{"A2UI_S2C_LIMIT_*", 500, SurfaceFail, "The form is too large to draw. You can ask to regenerate it.", draw},
	{"A2UI_S2C_*", 500, SurfaceFail, "The form could not be drawn. You can ask to regenerate it.", draw},
	{"COMPILE_*", 500, SurfaceFail, "The form could not be drawn. You can ask to regenerate it.", draw},

	{"FIELD_*", 200, Soft, "Something needs to be mended.", ""},
	{"UPLOAD_TYPE_MISMATCH", 415, Soft,
		"This file is not what its name says. Save it in the right format and try again.", ""},
	{"SHEET_TOO_LARGE", 413, Soft, "This file is too large. Split it, or paste the part you need.", ""},
	{"SHEET_*", 422, Soft, "This file could not be read. Save it as .xlsx or .csv and try again.", ""},
	{"GATE_CLOSED", 200, Soft, "That was not opened, as you asked.", ""},
	{"DIRECTIVE_*", 200, Soft, "The assistant's answer could not be read. Please ask again.", ""},
	{"EXECUTE_*", 200, Soft, "The assistant asked for something that is not there.", ""},
	{"ACTION_FAILED", 200, Soft, "That did not work. What you typed is kept; please try again.", ""},
	{"WEBHOOK_TARGET_FORBIDDEN", 200, Soft, "That did not work. What you typed is kept; please try again.", ""},
	{"WEBHOOK_GIVEN_UP", 200, Soft,
		"What you sent is saved, but it could not be passed on. Please tell whoever runs this service.", ""},
	{"EFFECT_UNKNOWN", 200, Soft, "We do not know whether that was carried out. Please check before you try again.",
		""},
	{"TURN_FAILED", 200, Soft, notOurs, ""},
	{"TURN_POISON", 200, Soft, "This could not be handled, and we stopped trying. Please put it another way.", ""},
	{"TURN_CANCELED", 200, Soft, "Stopped.", ""},

	{"LLM_UNAVAILABLE", 200, Soft, "The assistant cannot be reached right now. Forms and tables still work.", ""},
	{"LLM_TIMEOUT", 200, Soft, "The assistant took too long to answer. Please try again.", ""},
	{"LLM_RATE_LIMITED", 200, Soft, "The assistant is busy. Please try again in a minute.", ""},
	{"LLM_REFUSED", 200, Soft, "The assistant declined to answer that.", ""},
	{"LLM_REQUEST_TOO_LONG", 200, Soft,
		"That is more than the assistant can read at once. Please say less, or start a new conversation.", ""},
	{"LLM_AUTH", 200, Soft, "The assistant is not set up correctly. Forms and tables still work.", ""},
	{"LLM_CONFIG_INVALID", 200, Soft, "The assistant is not set up correctly. Forms and tables still work.", ""},
	{"LLM_UNSUPPORTED", 200, Soft, "The assistant is not set up correctly. Forms and tables still work.", ""},
	{"LLM_*", 200, Soft, "The assistant's answer could not be used. Please try again.", ""},
	{"TOOL_*", 200, Soft, "What was needed to answer could not be done. Please try again.", ""},

	{"ROUTE_GUARDRAIL_INVALID", 400, Soft, "That rule cannot be used as it is.", ""},
	{"ROUTE_GUARDRAIL_UNKNOWN", 404, Soft, "There is no such rule.", ""},
	{"PREFERENCE_INVALID", 400, Soft, "That preference cannot be kept as it is.", ""},
	{"ROUTE_*", 500, Soft, notOurs, report},
	{"APP_*", 500, Soft, "The application is not well declared. Its makers know where.",
		"tell whoever runs the server: the log has the place in the application, by the X-Request-Id of this answer"},

	{"UI_LIMIT", 413, Soft, "That is more than this conversation can hold.", ""},
	{"UI_*", 500, Soft, notOurs, report},
	{"STORE_TRIMMED", 410, Soft, "What happened that long ago is no longer kept. The conversation is as it was.", ""},
	{"STORE_*", 503, Soft, "The server cannot save right now. Please try again in a moment.",
		again + "; what was saved all the same is then answered, not done twice"},
}
