import { orNone } from '../../kernel/basics/errors.ts';
import { isJsonObject } from '../../kernel/basics/json.ts';
import type { Malformed, Request } from './message.ts';
import { headerValues, MAX_BODY_BYTES } from './message.ts';

/** What a client sends to create a category. */
export interface NewCategory {
  readonly name: string;
  readonly description?: string;
}

/** A category as the service returns it. `id` is an int64, hence a bigint. */
export interface Category extends NewCategory {
  readonly id: bigint;
}

/** The store of categories: one list, shared by all callers. */
export interface CategoryStore {
  /** Stores a category under a new id; null when the store is full. */
  create(category: NewCategory): Category | null;
  /** The list as JSON text. */
  listJson(): string;
}

/** The most categories that the store keeps. A full store creates no more; it never drops a category. */
export const MAX_CATEGORIES = 100_000;
/** The longest list, in UTF-16 code units of JSON text (64 Mi). */
export const MAX_LIST_LENGTH = 67_108_864;

/** An empty store in memory. Ids count up from 1 and are never reused: the specification has no delete. */
export function createCategoryStore(): CategoryStore {
  const texts: string[] = [];
  let length = 0;
  let list: string | undefined;
  return {
    create({ name, description }) {
      const id = BigInt(texts.length + 1);
      const category = description === undefined ? { id, name } : { id, name, description };
      const text = categoryJson(category);
      if (texts.length >= MAX_CATEGORIES || length + text.length > MAX_LIST_LENGTH) return null;
      texts.push(text);
      length += text.length;
      list = undefined;
      return category;
    },
    listJson() {
      list ??= `[${texts.join(',')}]`;
      return list;
    },
  };
}

/** A category as JSON text: the id digit by digit, since a JavaScript number is not exact beyond 2^53. */
export function categoryJson({ id, name, description }: Category): string {
  const rest = JSON.stringify(description === undefined ? { name } : { name, description });
  return `{"id":${id},${rest.slice(1)}`;
}

/** The category that a request wants to create, or why its body is invalid. */
type ParsedCategory =
  | { readonly ok: true; readonly category: NewCategory }
  | { readonly ok: false; readonly problem: Omit<Malformed, 'status'> };

const JSON_TYPE = /^application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** Strict: throws on invalid UTF-8, and keeps a byte order mark, at which JSON.parse then throws (RFC 8259 §8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the NewCategory of a request. Unknown fields are ignored, the id included: the service assigns it. */
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
  const value: unknown = orNone(() => JSON.parse(utf8.decode(body)));
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

function checkFields(value: unknown): ParsedCategory {
  if (!isJsonObject(value)) return invalid('invalid_body', 'The body must be a JSON object.');
  const { name, description } = value;
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
