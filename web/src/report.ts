// Errors of this page go to the server, which can mend or rebuild the surface:
// at most five a minute, each only once in that time.

import { note, page, type Problem } from '../page/page.js';
import { post } from '../page/post.js';

const perMinute = 5;
const sentAt: number[] = [];
const recent = new Map<string, number>();

/** After a reset the same error is news: the server counts how often it comes. */
export function forget(): void {
  recent.clear();
}

/** What an error envelope carries; the drawing puts its version around it. */
export interface ReportBody {
  code: string;
  message: string;
  surfaceId: string;
  path?: string;
}

/** Remembers a problem and posts it, unless it is one too many. */
export async function report(body: ReportBody, envelope: (body: ReportBody) => unknown): Promise<void> {
  const problem: Problem = { code: body.code, message: body.message, surface: body.surfaceId };
  note(problem);
  const now = Date.now();
  while (sentAt.length && now - sentAt[0]! > 60_000) sentAt.shift();
  const id = JSON.stringify(body);
  if (sentAt.length >= perMinute || now - (recent.get(id) ?? -Infinity) < 60_000) return;
  sentAt.push(now);
  recent.set(id, now);
  if (recent.size > 50) recent.clear();
  const answer = await post(`${page.api}/events`, envelope(body), { 'Limn-Client': page.client });
  if (!answer.ok) note(answer);
}

/** Turns whatever a renderer threw into a body. */
export function bodyOf(thrown: unknown, surfaceId: string): ReportBody {
  const e = thrown as { code?: unknown; message?: unknown; issues?: Issue[]; details?: unknown };
  const issues = Array.isArray(e?.issues) ? e.issues : Array.isArray(e?.details) ? (e.details as Issue[]) : undefined;
  const first = issues?.[0];
  const message = first && !(typeof e.code === 'string') ? `${(first.path ?? []).join('.')}: ${first.message ?? 'invalid'}` : String(e?.message ?? thrown);
  const invalid = first !== undefined || e?.code === 'VALIDATION_ERROR';
  const body: ReportBody = {
    code: invalid ? 'VALIDATION_FAILED' : typeof e?.code === 'string' ? e.code : 'RENDER_ERROR',
    message: message.slice(0, 1000),
    surfaceId,
  };
  if (invalid) body.path = '/' + (first?.path ?? []).map((p) => String(p).replace(/~/g, '~0').replace(/\//g, '~1')).join('/');
  return body;
}

interface Issue {
  path?: (string | number)[];
  message?: string;
}
