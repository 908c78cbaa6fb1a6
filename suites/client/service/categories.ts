import { jsonFields, parsedJson } from '../../../kernel/basics/json.ts';
import type { ReceivedBody } from './request-body.ts';

/** A category as the service returns it. */
export interface Category {
  readonly id: number;
  readonly name: string;
  readonly description?: string;
}

/** The categories of one scripted service, in memory. */
export class Categories {
  readonly #stored: Category[] = [];

  list(): readonly Category[] {
    return this.#stored;
  }

  /** Stores a NewCategory; undefined where the body is none ("missing required fields or holds invalid values"). */
  create(body: ReceivedBody, contentType: string | undefined): Category | undefined {
    const sent = isJson(contentType) && body.complete ? newCategoryOf(body.bytes) : undefined;
    if (sent === undefined) return undefined;
    const category = { id: this.#stored.length + 1, ...sent };
    this.#stored.push(category);
    return category;
  }
}

/** "All requests and responses that carry a body use `application/json`"; parameters such as a charset may follow. */
const isJson = (contentType: string | undefined): boolean =>
  /^application\/json\s*(;|$)/i.test(contentType ?? '');

function newCategoryOf(bytes: Buffer): Omit<Category, 'id'> | undefined {
  const { name, description } = jsonFields(parsedJson(bytes.toString('utf8')));
  if (typeof name !== 'string') return undefined;
  if (description === undefined) return { name };
  return typeof description === 'string' ? { name, description } : undefined;
}
