import type { ProbeRequest } from '../wire/session.ts';

/** A question to `POST /categories` with the examined key and this body, an object or raw text. */
export function create(body: unknown, more: Partial<ProbeRequest> = {}): ProbeRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method: 'POST',
    path: '/categories',
    credential: { kind: 'bearer', caller: 'key' },
    body: text,
    ...more,
  };
}

/** A question to `GET /categories` with the examined key. */
export function list(more: Partial<ProbeRequest> = {}): ProbeRequest {
  return { method: 'GET', path: '/categories', credential: { kind: 'bearer', caller: 'key' }, ...more };
}
