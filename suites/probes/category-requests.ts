import type { ProbeRequest } from '../wire/session.ts';

/** `GET /categories` with the key under test. */
export function listRequest(more: Partial<ProbeRequest> = {}): ProbeRequest {
  return { method: 'GET', path: '/categories', credential: { kind: 'bearer', caller: 'key' }, ...more };
}

/** `POST /categories` with the key under test and this body: a value to be written as JSON, or raw text. */
export function createRequest(body: unknown, more: Partial<ProbeRequest> = {}): ProbeRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method: 'POST',
    path: '/categories',
    credential: { kind: 'bearer', caller: 'key' },
    body: text,
    ...more,
  };
}
