// Package eval scores the router and the capture parser on labelled lines, and
// reads those lines: shared/eval/router.jsonl, shared/eval/capture.jsonl and
// every other file of the same two forms.
//
//	Read          bytes → cases, one JSON object a line; bad lines are named and passed over
//	Decide        a RouteCase → Routed: the router's decision
//	Capture       a CaptureCase → Captured: the parser's result
//	ScoreRoute    cases and predictions → RouteScore
//	ScoreCapture  cases and predictions → CaptureScore
//
// The scores are those of score_router.py and score_capture.py beside the files;
// a test holds both equal. Predictions are plain data, so another program's can
// be scored as well.
//
// DecodeState reads a conversation's state, in the form of the API and
// in the form of the lines. Errors are *ui.Error with a code of this package.
//
// Called by: cmd/limn (eval, route, capture), the tests of route and capture.
package eval
