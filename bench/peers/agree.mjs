// Plays histories with Yjs and Automerge, and prints the maps that they end with:
//
//   node agree.mjs < histories.json    [[[{actor, key, value}, …] a round, …], …]
//
// Within a round the actors write at once, each to other keys; after it, all have seen all.
import * as Y from 'yjs'
import * as Automerge from '@automerge/automerge'
import { readFileSync } from 'node:fs'

const actors = 3

function yjs(history) {
  const docs = Array.from({ length: actors }, () => new Y.Doc())
  for (const round of history) {
    for (const w of round) docs[w.actor].getMap('map').set(w.key, w.value)
    const updates = docs.map(d => Y.encodeStateAsUpdate(d))
    for (const d of docs) for (const u of updates) Y.applyUpdate(d, u)
  }
  return docs.map(d => d.getMap('map').toJSON())
}

function automerge(history) {
  let docs = Array.from({ length: actors }, () => Automerge.init())
  for (const round of history) {
    for (const w of round) docs[w.actor] = Automerge.change(docs[w.actor], d => { d[w.key] = w.value })
    const others = docs.map(d => Automerge.clone(d))
    docs = docs.map((d, i) => others.reduce((all, o, j) => (i === j ? all : Automerge.merge(all, Automerge.clone(o))), d))
  }
  return docs.map(d => ({ ...d }))
}

const histories = JSON.parse(readFileSync(0, 'utf8'))
console.log(JSON.stringify(histories.map(h => [...yjs(h), ...automerge(h)])))
process.exit(0)
