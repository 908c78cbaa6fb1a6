/** A category as these apps keep it. */
export interface StoredCategory {
  readonly id: number;
  readonly name: string;
  readonly description?: string;
}

/** The body of every error of these apps. */
export const errorBody = (status: number, code: string, message: string) => ({ code, message, status });

/** What every app of a stranger needs besides its framework: categories in memory, and the check of a new one. */
export class Categories {
  readonly #all: StoredCategory[] = [];

  list(): readonly StoredCategory[] {
    return this.#all;
  }

  /** Keeps a category and returns it; a string says why the body is none. */
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
