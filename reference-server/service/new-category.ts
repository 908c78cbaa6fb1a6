import type { NewCategory } from './categories.ts';
import type { Request } from './message.ts';
import { headerValues, MAX_BODY_BYTES } from './message.ts';

/** Why a body is not a NewCategory: the `code` and `message` of the Error. */
export interface Problem {
  readonly code: string;
  readonly message: string;
}

/** The category that a request wants to create, or why its body is invalid. */
export type ParsedCategory =
  | { readonly ok: true; readonly category: NewCategory }
  | { readonly ok: false; readonly problem: Problem };

const JSON_TYPE = /^application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** Strict: throws on invalid UTF-8, and keeps a byte order mark, at which JSON.parse then throws (RFC 8259 §8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the NewCategory of a request. Unknown fields are ignored, the id
 * included: the service assigns it.
 */
export function parseNewCategory(request: Request): ParsedCategory {
  const { body } = request;
  if (body === null || body.length === 0) {
    return invalid('body_required', 'The request has no body; send a JSON object with a name.');
  }
  if (!isJson(headerValues(request, 'Content-Type'))) {
    return invalid('unsupported_content_type', 'The body must be application/json in UTF-8.');
  }
  if (body.length > MAX_BODY_BYTES) {
    return invalid('body_too_large', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  }
  const value = parseJson(body);
  if (value === undefined) return invalid('malformed_json', 'The body is not JSON text in UTF-8.');
  return checkFields(value);
}

/** `application/json`; a charset must be UTF-8, other parameters are ignored. */
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

function checkFields(value: unknown): ParsedCategory {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('invalid_body', 'The body must be a JSON object.');
  }
  const { name, description } = value as { readonly name?: unknown; readonly description?: unknown };
  if (name === undefined) return invalid('name_required', 'The field name is required.');
  if (typeof name !== 'string') return invalid('invalid_name', 'The field name must be a string.');
  if (description === undefined) return { ok: true, category: { name } };
  if (typeof description !== 'string') {
    return invalid('invalid_description', 'The field description must be a string, or be left out.');
  }
  return { ok: true, category: { name, description } };
}

function invalid(code: string, message: string): ParsedCategory {
  return { ok: false, problem: { code, message } };
}
