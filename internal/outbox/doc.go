// Package outbox calls the webhooks that frames put off, until each is answered or
// given up, and reads what webhooks say.
//
// It also ends the calls of clients' functions that have no answer in time.
//
// In: the jobs that frames leave in the store. Out: one frame for each, by
// [Config.Settle]. A call is made at least once, under a key that stays the same.
//
// Callers: session opens it; appcall and modelrun use [Call] and [Answer].
package outbox
