// A surface that throws while React draws it takes no other one along.

import { Component, createElement } from 'react';

/** @type {Set<Boundary>} */
const all = new Set(); // on the page

/** Draws once more what has thrown: what it shows may have changed. */
export function again() {
  for (const one of all) if (one.state.thrown) one.setState({ thrown: undefined });
}

/**
 * Draws a surface; if it throws, what said says of the error, until another surface is in its
 * place or it is drawn again. fail is told of the error.
 */
export class Boundary extends Component {
  /** @param {{ surface: object; said: (error: unknown) => string; fail?: (error: unknown) => void; children?: unknown }} props */
  constructor(props) {
    super(props);
    this.state = /** @type {{ thrown?: { error: unknown } }} */ ({});
  }

  /** @param {unknown} error */
  static getDerivedStateFromError(error) {
    return { thrown: { error } };
  }

  /** @param {unknown} error */
  componentDidCatch(error) {
    this.props.fail?.(error);
  }

  componentDidMount() {
    all.add(this);
  }

  componentWillUnmount() {
    all.delete(this);
  }

  /** @param {{ surface: object }} before */
  componentDidUpdate(before) {
    if (this.state.thrown && before.surface !== this.props.surface) this.setState({ thrown: undefined });
  }

  render() {
    const { thrown } = this.state;
    return thrown ? createElement('p', { role: 'alert' }, this.props.said(thrown.error)) : this.props.children;
  }
}
