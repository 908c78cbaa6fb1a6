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
