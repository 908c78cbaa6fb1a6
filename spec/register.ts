import { authentication } from './register/authentication.ts';
import { clientSide } from './register/client-side.ts';
import { createCategory } from './register/create-category.ts';
import { limitEnforcement } from './register/limit-enforcement.ts';
import { listCategories } from './register/list-categories.ts';
import { mediaAndHttp } from './register/media-and-http.ts';
import { rateLimitHeaders } from './register/rate-limit-headers.ts';
import { retryAfterAndBan } from './register/retry-after-and-ban.ts';
import { schemas } from './register/schemas.ts';
import type { Level, Statement } from './register/statement.ts';
import { versionAndDeprecation } from './register/version-and-deprecation.ts';

export type { Level };

const statements = [
  ...mediaAndHttp,
  ...listCategories,
  ...createCategory,
  ...schemas,
  ...authentication,
  ...rateLimitHeaders,
  ...limitEnforcement,
  ...retryAfterAndBan,
  ...versionAndDeprecation,
  ...clientSide,
] as const;

/** An id of the register. Ids are permanent, so that old reports keep their meaning. */
export type RequirementId = (typeof statements)[number]['id'];

/** One requirement: its sentence, its level, and the words of the specification that it is based on. */
export interface Entry extends Statement {
  readonly id: RequirementId;
}

/**
 * Every requirement, in the order in which tables, tests and reports show it.
 * The literal types are kept, so that `Extract<(typeof register)[number], { level: 'OBSERVE' }>['id']`
 * names exactly the ids that a table in code has to cover.
 */
export const register: readonly ((typeof statements)[number] & Entry)[] = statements;

const byId: ReadonlyMap<string, Entry> = new Map(register.map((one) => [one.id, one]));

/**
 * The requirement with this id.
 * @throws {RangeError} when there is none, which the compiler rules out for ids written in code.
 */
export function entry(id: RequirementId): Entry {
  const found = byId.get(id);
  if (found === undefined) throw new RangeError(`The register has no requirement ${id}.`);
  return found;
}
