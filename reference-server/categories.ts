/** What a client sends to create a category. */
export interface NewCategory {
  readonly name: string;
  readonly description?: string;
}

/** A category as the service returns it. `id` is an int64, hence a bigint. */
export interface Category extends NewCategory {
  readonly id: bigint;
}

/** Where categories are kept: one list, shared by all callers. */
export interface CategoryStore {
  /** Keeps a category and gives it an id; null when the store is full. */
  create(category: NewCategory): Category | null;
  /** The list as JSON text. */
  listJson(): string;
}

/** The store's bounds: it refuses more rather than forget what it has promised to keep. */
export const MAX_CATEGORIES = 100_000;
/** The longest list, in UTF-16 code units of JSON text (64 Mi). */
export const MAX_LIST_LENGTH = 67_108_864;

/** An empty store in memory. Ids count up from 1; the specification gives no delete, so they are never free again. */
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

/** A category as JSON text: the id digit by digit, since a number loses int64 values beyond 2^53. */
export function categoryJson({ id, name, description }: Category): string {
  const rest = JSON.stringify(description === undefined ? { name } : { name, description });
  return `{"id":${id},${rest.slice(1)}`;
}
