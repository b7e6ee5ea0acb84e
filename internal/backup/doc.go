// Package backup writes all that a store keeps to a file, and reads it back.
//
// In: a [store.Store]. Out: one stream, the same for every kind of store, so that a backup
// of one kind can be restored into another. lines.go has the format.
//
//	store ──Export──▶ Write ──▶ gzip of JSON lines ──▶ Read ──▶ Sink ──Import──▶ store
//
// Invariants:
//   - A file that was cut off, damaged or edited is refused: the closing line counts the
//     lines before it and has the SHA-256 of their bytes.
//   - A program refuses a version above its own, and whatever it does not know. It reads the
//     versions below its own.
//   - Both directions hold one conversation at a time, with its files, or the versions of one
//     record.
//
// Callers: the commands "limn backup" and "limn restore".
package backup
