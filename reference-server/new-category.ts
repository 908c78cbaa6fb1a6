import type { NewCategory } from './categories.ts';
import type { Request } from './message.ts';
import { headerValues, MAX_BODY_BYTES } from './message.ts';

/** Why a body is no NewCategory: the `code` and `message` of the Error. */
export interface Problem {
  readonly code: string;
  readonly message: string;
}

/** What a request asks to create, or why it cannot be. */
export type Parsed =
  | { readonly ok: true; readonly category: NewCategory }
  | { readonly ok: false; readonly problem: Problem };

const JSON_TYPE = /^application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** Strict: invalid UTF-8 throws, and a byte order mark is kept, which JSON then refuses (RFC 8259 §8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the NewCategory out of a request. Unknown fields are ignored, the id
 * among them: the service assigns it.
 */
export function parseNewCategory(request: Request): Parsed {
  const { body } = request;
  if (body === null || body.length === 0) {
    return no('body_required', 'The request has no body; send a JSON object with a name.');
  }
  if (!isJson(headerValues(request, 'Content-Type'))) {
    return no('unsupported_content_type', 'The body must be application/json in UTF-8.');
  }
  if (body.length > MAX_BODY_BYTES) {
    return no('body_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  }
  const value = parseJson(body);
  if (value === undefined) return no('malformed_json', 'The body is not JSON text in UTF-8.');
  return checkFields(value);
}

/** Any parameter is let be but a charset, which must be the one that JSON is written in. */
function isJson(contentTypes: readonly string[]): boolean {
  const [type, ...further] = contentTypes;
  if (type === undefined || further.length > 0 || !JSON_TYPE.test(type)) return false;
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  return /^utf-?8$/i.test(charset);
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

function checkFields(value: unknown): Parsed {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return no('invalid_body', 'The body must be a JSON object.');
  }
  const { name, description } = value as { readonly name?: unknown; readonly description?: unknown };
  if (name === undefined) return no('name_required', 'The field name is required.');
  if (typeof name !== 'string') return no('invalid_name', 'The field name must be a string.');
  if (description === undefined) return { ok: true, category: { name } };
  if (typeof description !== 'string') {
    return no('invalid_description', 'The field description must be a string, or be left out.');
  }
  return { ok: true, category: { name, description } };
}

function no(code: string, message: string): Parsed {
  return { ok: false, problem: { code, message } };
}
