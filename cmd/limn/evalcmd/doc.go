// Package evalcmd has the command limn eval: Route and Capture score on
// labelled lines (package decidecmd), Directives measures models on scenarios
// (package internal/eval/directives).
package evalcmd
