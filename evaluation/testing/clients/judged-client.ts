import assert from 'node:assert/strict';
import type { ClientRecord, Finding } from '../../../kernel/findings/record.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judgeClient } from '../../../suites/client/judging/judge-client.ts';
import type { JudgedClientId } from '../../../suites/client/judging/requirement.ts';
import type { ClientJournalLine } from '../../../suites/client/model/journal.ts';
import { waitCreation, waitDate, waitSeconds } from '../../../suites/client/scenarios/waiting.ts';
import type { StatedRequest, StatedStart } from './synthetic-client.ts';

const specification = await loadSpecification();

/** The record of these lines. */
export const judgedClient = (lines: readonly ClientJournalLine[], strict = false): ClientRecord =>
  judgeClient({ lines, damage: [] }, specification, { strict });

/** What these lines show about one requirement. */
export function clientFinding(lines: readonly ClientJournalLine[], id: JudgedClientId): Finding {
  const found = judgedClient(lines).requirements.find((one) => one.id === id);
  assert.ok(found !== undefined);
  return found;
}

/** A request that gets 429. */
export const limited = (at: number, retryAfter: string | number, method = 'GET'): StatedRequest => ({
  at,
  method,
  status: 429,
  retryAfter,
});
/** A list that gets 200. */
export const list = (at: number): StatedRequest => ({ at });
/** A creation that gets 201. */
export const creation = (at: number): StatedRequest => ({ at, method: 'POST' });

/** What a client sends in each of the three waits. */
export interface Waits {
  readonly seconds?: readonly StatedRequest[];
  readonly creation?: readonly StatedRequest[];
  readonly date?: readonly StatedRequest[];
}
/** The three starts with one wait each, kept where the test states nothing else. */
export const waits = (given: Waits = {}): readonly StatedStart[] => [
  {
    scenario: waitSeconds,
    requests: given.seconds ?? [limited(0, '3'), list(3002), list(3004), creation(3006)],
  },
  {
    scenario: waitCreation,
    requests: given.creation ?? [limited(0, '2', 'POST'), creation(2002), creation(2010)],
  },
  { scenario: waitDate, requests: given.date ?? [limited(0, 4000), list(4000), list(4010), creation(4020)] },
];
