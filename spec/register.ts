import { client } from './register/client.ts';
import { load } from './register/load.ts';
import { service } from './register/service.ts';
import type { Level, Source, Statement } from './register/statement.ts';

export type { Level };

const statements = [...service, ...client] as const;

/** An id of the register. Ids are permanent, so that old reports keep their meaning. */
export type RequirementId = (typeof statements)[number]['id'];

export type ExpectationId = (typeof load)[number]['id'];

export type EntryId = RequirementId | ExpectationId;

/** One requirement: its sentence, its level, and the words of the specification that it is based on. */
export interface Entry extends Statement {
  readonly id: RequirementId;
  readonly from: Source;
  readonly judged: 'by certify' | 'by certify-client';
}

export interface LoadEntry extends Statement {
  readonly id: ExpectationId;
  readonly level: 'MUST';
  readonly judged: 'by load';
}

/**
 * Every requirement on services and clients, in the order in which tables, tests and reports show it.
 * The literal types are kept, so that `Extract<(typeof register)[number], { level: 'OBSERVE' }>['id']`
 * names exactly the ids that a table in code has to cover.
 */
export const register: readonly ((typeof statements)[number] & Entry)[] = statements;

export const loadRegister: readonly LoadEntry[] = load;

export const isThreshold = (id: string): boolean => id === 'LATENCY' || /^THRESHOLD-[1-9][0-9]*$/.test(id);

const byId: ReadonlyMap<string, Entry | LoadEntry> = new Map(
  [...register, ...loadRegister].map((one) => [one.id, one]),
);

/**
 * The entry with this id.
 * @throws {RangeError} when there is none, which the compiler rules out for ids written in code.
 */
export function entry(id: RequirementId): Entry;
export function entry(id: ExpectationId): LoadEntry;
export function entry(id: EntryId): Entry | LoadEntry;
export function entry(id: EntryId): Entry | LoadEntry {
  const found = byId.get(id);
  if (found === undefined) throw new RangeError(`The register has no requirement ${id}.`);
  return found;
}
