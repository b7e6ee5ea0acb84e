// Package prose reads what people write in a chat: tokens, quantities, pasted
// lines and process descriptions. Package route decides with it, package
// capture fills tables and maps with it, so both see the same numbers and the
// same steps.
//
// In: a message, any bytes. Out: a Text (tokens in one pass, each with the
// classes its word has in the language of the message), and from it
// Quantities, a Flow of steps, a Block of pasted lines.
//
// Invariants: pure, linear in the input, never panics. At most MaxRead bytes
// are turned into tokens; invalid UTF-8 becomes U+FFFD, text is brought to NFC,
// control characters count as spaces. Quoted text, code and quoted lines are
// one token each and match no rule (facts R-56).
//
// A language is one Lexicon: words with classes and numbers. English has
// grammar beside it (verbs, clauses); the other languages have numerals,
// markers, core nouns, units and the words for tools, and rules that need no
// grammar. Chinese and Japanese, written without spaces, are matched on the text
// itself. In a language without a lexicon, a number and the word after it are a
// quantity.
//
// Called by: route, capture.
package prose
