// Package modelcmd has the commands of limn about models: List, what is known
// of them and which entry says so, and Probe, which asks an endpoint and writes
// what it finds out. Both read the application's capabilities file (package
// internal/models) before the built-in table; so does limn serve, by Table.
package modelcmd
