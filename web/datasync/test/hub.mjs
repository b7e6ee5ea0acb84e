// A server for tests: it has the document, passes on what comes, and answers questions.

export class Hub {
  /** @param datasync the package @param say(name, message) sends to one place */
  constructor({ Doc, parseBatch, parseStamp, writeBatch }, say) {
    Object.assign(this, { parseBatch, parseStamp, writeBatch, say, doc: new Doc(), places: new Set(), count: 0 });
  }

  join(name) {
    this.places.add(name);
    this.say(name, `{"updateDataModel":${this.#batch([], this.doc.seen)}}`);
  }

  leave(name) {
    this.places.delete(name);
  }

  #batch(updates, versions) {
    return this.writeBatch({ surface: 's', actor: 'agent', updates, versions });
  }

  /** Takes a message of a place. */
  take(name, message) {
    const body = JSON.stringify(JSON.parse(message).dataModelChanged);
    const batch = this.parseBatch(body);
    const { gap } = this.doc.apply(batch);
    let ask = gap;
    if (batch.updates.length) {
      for (const other of this.places) if (other !== name) this.say(other, `{"updateDataModel":${body}}`);
    } else {
      const answer = this.doc.delta('s', 'agent', batch.versions);
      if (answer.updates.length) this.say(name, `{"updateDataModel":${this.writeBatch(answer)}}`);
      ask = [...batch.versions].some(([actor, s]) => s > (this.doc.seen.get(actor) ?? ''));
    }
    if (ask) this.say(name, `{"updateDataModel":${this.#batch([], this.doc.seen)}}`);
  }

  /** Writes as an agent: paths and values, a position third. */
  write(...list) {
    const versions = new Map(this.doc.seen);
    const updates = list.map(([path, value, pos]) => ({
      path, value: value === undefined ? 'null' : JSON.stringify(value), pos,
      stamp: this.parseStamp(`${new Date().toISOString()}:${String(++this.count % 10000).padStart(4, '0')}:agent`),
    }));
    this.doc.apply({ updates, versions });
    for (const name of this.places) this.say(name, `{"updateDataModel":${this.#batch(updates, versions)}}`);
  }
}
