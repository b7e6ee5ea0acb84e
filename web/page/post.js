// Requests to the server: retried with the same key or the same body when the
// network fails, never when the server answered.

import { word } from './words.js';

/**
 * What came back: an answer, or a sentence for the user.
 * @typedef {{ ok: true; status: number; body: Record<string, unknown> } |
 *   { ok: false; status: number; message: string; code: string }} Answer
 */

const waits = [500, 1500, 4000]; // ms between tries

/**
 * Posts JSON, or the fields of a form. A request that got no answer is repeated
 * unchanged: the server knows a repeated Idempotency-Key, or derives one from
 * the action itself.
 * @param {string} url
 * @param {unknown} body
 * @param {Record<string, string>} [headers]
 * @returns {Promise<Answer>}
 */
export async function post(url, body, headers = {}) {
  const form = body instanceof URLSearchParams;
  /** @type {RequestInit} */
  const init = {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': form ? 'application/x-www-form-urlencoded' : 'application/json', Accept: 'application/json', ...headers },
    body: form ? body.toString() : JSON.stringify(body),
  };
  /** @type {Response} */
  let response;
  try {
    response = await send(url, init);
  } catch {
    return { ok: false, status: 0, code: 'OFFLINE', message: word('offline') };
  }
  if (response.ok && /html/.test(response.headers.get('Content-Type') ?? '')) { // of a sign-in or a network in between
    return { ok: false, status: 0, code: 'NOT_OURS', message: word('offline') };
  }
  if (response.ok) return { ok: true, status: response.status, body: await jsonOf(response) };
  return { ok: false, status: response.status, ...(await problemOf(response)) };
}

/**
 * Sends a request, the same again while the network fails; it throws what the
 * last try threw.
 * @param {string} url
 * @param {RequestInit} init
 * @returns {Promise<Response>}
 */
export async function send(url, init) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await fetch(url, init);
    } catch (error) {
      const wait = waits[attempt];
      if (wait === undefined) throw error;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

/** The code of an action that is refused because others have changed its surface meanwhile. */
export const staleCode = 'A2UI_C2S_SURFACE_STALE';

/**
 * The sentence of an application/problem+json answer (or of any other refusal).
 * @param {Response} response
 * @returns {Promise<{ message: string; code: string }>}
 */
export async function problemOf(response) {
  const body = await jsonOf(response);
  /** @param {string} key */
  const text = (key) => (typeof body[key] === 'string' ? body[key] : '');
  const message = text('message') || text('detail') || text('title') || word('status', { n: response.status });
  return { message, code: text('code') || `HTTP_${response.status}` };
}

/**
 * @param {Response} response
 * @returns {Promise<Record<string, unknown>>}
 */
async function jsonOf(response) {
  if (!/json/.test(response.headers.get('Content-Type') ?? '')) return {};
  try {
    /** @type {unknown} */
    const body = await response.json();
    return body && typeof body === 'object' ? (/** @type {Record<string, unknown>} */ (body)) : {};
  } catch {
    return {};
  }
}

/**
 * A random UUID; pages that are not served over HTTPS have no randomUUID.
 * @returns {string}
 */
export function uuid() {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6] & 0x0f) | 0x40;
  b[8] = (b[8] & 0x3f) | 0x80;
  const hex = [...b].map((n) => n.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
