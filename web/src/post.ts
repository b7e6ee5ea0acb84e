// Requests to the server: retried with the same key or the same body when the
// network fails, never when the server answered.

/** What came back: an answer, or a sentence for the user. */
export type Answer =
  | { ok: true; status: number; body: Record<string, unknown> }
  | { ok: false; status: number; message: string; code: string };

const waits = [500, 1500, 4000]; // ms between tries

/**
 * Posts JSON, or the fields of a form. A request that got no answer is repeated
 * unchanged: the server knows a repeated Idempotency-Key, or derives one from
 * the action itself.
 */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const form = body instanceof URLSearchParams;
  const init: RequestInit = {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': form ? 'application/x-www-form-urlencoded' : 'application/json', Accept: 'application/json', ...headers },
    body: form ? body.toString() : JSON.stringify(body),
  };
  for (let attempt = 0; ; attempt++) {
    let response: Response;
    try {
      response = await fetch(url, init);
    } catch {
      const wait = waits[attempt];
      if (wait !== undefined) {
        await new Promise((done) => setTimeout(done, wait));
        continue;
      }
      return { ok: false, status: 0, code: 'OFFLINE', message: 'The server could not be reached. Nothing you typed is lost; please try again.' };
    }
    if (response.ok) return { ok: true, status: response.status, body: await jsonOf(response) };
    return { ok: false, status: response.status, ...(await problemOf(response)) };
  }
}

/** The sentence of an application/problem+json answer (or of any other refusal). */
export async function problemOf(response: Response): Promise<{ message: string; code: string }> {
  const body = await jsonOf(response);
  const text = (key: string): string => (typeof body[key] === 'string' ? (body[key] as string) : '');
  const message = text('detail') || text('title') || `The server answered ${response.status}. Please try again.`;
  return { message, code: text('code') || `HTTP_${response.status}` };
}

async function jsonOf(response: Response): Promise<Record<string, unknown>> {
  if (!/json/.test(response.headers.get('Content-Type') ?? '')) return {};
  try {
    const body: unknown = await response.json();
    return body && typeof body === 'object' ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** A random UUID; pages that are not served over HTTPS have no randomUUID. */
export function uuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = (b[6]! & 0x0f) | 0x40;
  b[8] = (b[8]! & 0x3f) | 0x80;
  const hex = [...b].map((n) => n.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
