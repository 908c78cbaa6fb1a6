import type { Question } from '../wire/session.ts';

/** Every name that a run creates begins with this, so that people can find what stayed on a target. */
export const NAME_PREFIX = 'pc-';

/**
 * Makes names that no other run makes. Only `[a-z0-9-]` and at most 40
 * characters: length bounds and uniqueness of names are not shown, so nothing
 * here may depend on them.
 */
export function namer(tag: string): (what: string) => string {
  return (what) => `${NAME_PREFIX}${tag}-${what}`;
}

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
