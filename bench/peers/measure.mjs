// Times what bench/datasync.go times, with other libraries for shared documents:
//
//   node measure.mjs COUNT CLIENTS PREPENDS
//
// It prints {library: {shape: milliseconds, shape_updates: bytes, shape_doc: bytes}}.
//
// The shapes are those of crdt-benchmarks. A time is the median of COUNT runs after one
// that warms up: the changes of all clients, their updates, and one document that takes them.
import * as Y from 'yjs'
import { LoroDoc } from 'loro-crdt'
import * as Automerge from '@automerge/automerge'

const [count, clients, prepends] = process.argv.slice(2).map(Number)
const long = 'x'.repeat(770)

const libraries = {
  yjs: {
    many(value) {
      const updates = []
      for (let i = 0; i < clients; i++) {
        const doc = new Y.Doc()
        doc.on('update', u => updates.push(u))
        doc.getMap('map').set('v', value(i))
      }
      const doc = new Y.Doc()
      for (const u of updates) Y.applyUpdate(doc, u)
      return [updates, () => Y.encodeStateAsUpdate(doc)]
    },
    prepend() {
      const updates = []
      const doc = new Y.Doc()
      doc.on('update', u => updates.push(u))
      for (let i = 0; i < prepends; i++) doc.getArray('list').insert(0, [i])
      const other = new Y.Doc()
      for (const u of updates) Y.applyUpdate(other, u)
      return [updates, () => Y.encodeStateAsUpdate(other)]
    }
  },
  loro: {
    many(value) {
      const updates = []
      for (let i = 0; i < clients; i++) {
        const doc = new LoroDoc()
        doc.getMap('map').set('v', value(i))
        updates.push(doc.export({ mode: 'update' }))
      }
      const doc = new LoroDoc()
      for (const u of updates) doc.import(u)
      return [updates, () => doc.export({ mode: 'snapshot' })]
    },
    prepend() {
      const updates = []
      const doc = new LoroDoc()
      let version = doc.version()
      for (let i = 0; i < prepends; i++) {
        doc.getList('list').insert(0, i)
        doc.commit()
        updates.push(doc.export({ mode: 'update', from: version }))
        version = doc.version()
      }
      const other = new LoroDoc()
      for (const u of updates) other.import(u)
      return [updates, () => other.export({ mode: 'snapshot' })]
    }
  },
  automerge: {
    many(value) {
      const updates = []
      for (let i = 0; i < clients; i++) {
        const doc = Automerge.change(Automerge.init(), d => { d.v = value(i) })
        updates.push(Automerge.getLastLocalChange(doc))
      }
      let doc = Automerge.init()
      for (const u of updates) [doc] = Automerge.applyChanges(doc, [u])
      return [updates, () => Automerge.save(doc)]
    }
  }
}

const shapes = {
  b31: lib => lib.many(i => i),
  b33: lib => lib.many(i => i + long),
  b110: lib => lib.prepend && lib.prepend()
}

const report = {}
for (const [name, lib] of Object.entries(libraries)) {
  report[name] = {}
  for (const [shape, run] of Object.entries(shapes)) {
    const times = []
    let made
    for (let i = 0; i <= count; i++) {
      const from = performance.now()
      made = run(lib)
      if (i > 0) times.push(performance.now() - from)
    }
    if (!made) continue
    times.sort((a, b) => a - b)
    const [updates, save] = made
    report[name][shape] = times[Math.floor(times.length / 2)]
    report[name][shape + '_updates'] = updates.reduce((sum, u) => sum + u.length, 0)
    report[name][shape + '_doc'] = save().length
  }
}
console.log(JSON.stringify(report))
process.exit(0)
