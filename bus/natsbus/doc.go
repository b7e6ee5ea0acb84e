// Package natsbus carries wake-ups between nodes over NATS core: one subject for
// each conversation, subscribed only while it has a subscriber on this node.
//
// # What comes in, what goes out
//
// Notify wakes the subscribers of this node at once, through the bus it is given,
// and leaves the conversation for a goroutine that publishes; what changes again
// before it gets there is published once. Nothing waits for the network but the
// first Subscribe of a conversation, which waits, for a moment, until the server
// has the subscription.
//
//	Notify ──▶ local bus ──▶ subscribers of this node
//	   └────▶ dirty (a set) ──▶ goroutine ──▶ limn.<conversation> ──▶ other nodes
//	other nodes ──▶ channel (8192) ──▶ goroutine ──▶ local bus
//
// # What may be lost
//
// NATS core delivers at most once, so a hint to another node may be lost: while
// the server is away, or if this node cannot keep up. Readers that look now and
// then lose time, nothing else. Without a server the bus goes on for this node,
// tries to reconnect for ever, and wakes everybody once it has. Nobody of this
// node ever misses what this node notifies.
//
// Called by package cmd/limn, or a program that embeds Limn and runs several nodes.
package natsbus
