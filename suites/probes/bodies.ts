import type { Question } from '../wire/session.ts';

/** A question to `POST /categories` with the examined key and this body, an object or raw text. */
export function create(body: unknown, more: Partial<Question> = {}): Question {
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
export function list(more: Partial<Question> = {}): Question {
  return { method: 'GET', path: '/categories', credential: { kind: 'bearer', caller: 'key' }, ...more };
}
