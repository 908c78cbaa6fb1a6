/** A category as these apps store it. */
export interface StoredCategory {
  readonly id: number;
  readonly name: string;
  readonly description?: string;
}

/** The body of every error of these apps. */
export const errorBody = (status: number, code: string, message: string) => ({ code, message, status });

/** The part that all third-party apps share: categories in memory, and the validation of a new one. */
export class CategoryStore {
  readonly #all: StoredCategory[] = [];

  list(): readonly StoredCategory[] {
    return this.#all;
  }

  /** Stores a category and returns it, or returns why the body is invalid. */
  create(body: unknown): StoredCategory | string {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'The body is not an object.';
    const { name, description }: { name?: unknown; description?: unknown } = body;
    if (typeof name !== 'string') return 'name must be a string.';
    if (description !== undefined && typeof description !== 'string') return 'description must be a string.';
    const category = {
      id: this.#all.length + 1,
      name,
      ...(description === undefined ? {} : { description }),
    };
    this.#all.push(category);
    return category;
  }
}
