import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientRecord, Finding, Verdict } from '../../../kernel/findings/record.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import type { JudgedClientId } from '../../../suites/client/judging/evidence.ts';
import { judgeClient } from '../../../suites/client/judging/judge-client.ts';
import type {
  ArrivalLine,
  ClientDescription,
  ClientJournalLine,
  ResetLine,
  ResponseLine,
} from '../../../suites/client/model/journal.ts';
import type { Scenario, Script } from '../../../suites/client/model/scenario.ts';
import { waitCreation, waitDate, waitSeconds } from '../../../suites/client/scenarios/index.ts';
import type { ArrivalBounds } from '../../../suites/client/service/request-body.ts';
import { startScriptedService } from '../../../suites/client/service/scripted-service.ts';
import type { StatedRequest, StatedStart } from './synthetic-client.ts';
import { COMMAND, clientJournal } from './synthetic-client.ts';

/** The key of the services that tests start. */
export const KEY = 'pk-Zx81_aQm4-Lw0vT9sRe3';

/** A list with that key, byte for byte. */
export const HEAD = `GET /v1/categories HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\n\r\n`;

type RecordedLine = ArrivalLine | ResponseLine | ResetLine;

/** Waits until something is true, or for ten seconds: a busy machine needs more than an idle one. */
export async function untilTrue(condition: () => boolean): Promise<void> {
  for (const from = performance.now(); !condition() && performance.now() - from < 10_000; ) await delay(10);
}

/** Starts a service that plays this script, and sends it requests with the key; it is closed when the test ends. */
export async function scripted(
  t: TestContext,
  script: Script,
  {
    operation = 'any',
    headerNames,
    bounds,
    prefix,
    onRecord = () => undefined,
  }: Partial<Pick<Scenario, 'operation' | 'headerNames'>> & {
    readonly bounds?: ArrivalBounds;
    readonly prefix?: string;
    /** Called with each line before the service goes on. */
    readonly onRecord?: (line: RecordedLine) => void;
  } = {},
) {
  const lines: RecordedLine[] = [];
  let requests = 0;
  let excesses = 0;
  const service = await startScriptedService({
    scenario: { operation, script, ...(headerNames === undefined ? {} : { headerNames }) },
    start: 1,
    key: KEY,
    prefix,
    host: '127.0.0.1',
    port: 0,
    ...(bounds === undefined ? {} : { bounds }),
    nextNumber: () => {
      requests += 1;
      return requests;
    },
    record: (line) => {
      lines.push(line);
      onRecord(line);
    },
    onExcess: () => {
      excesses += 1;
    },
  });
  t.after(() => service.close());
  const origin = `http://127.0.0.1:${service.port}`;
  return {
    origin,
    port: service.port,
    lines,
    /** How often the client exceeded the bounds. */
    excesses: () => excesses,
    send: (
      method: 'GET' | 'POST',
      { headers = {}, body = undefined as string | undefined, path = '/v1/categories' } = {},
    ) =>
      fetch(`${origin}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${KEY}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      }),
    close: () => service.close(),
  };
}

/** A scripted service of a test, and what it has recorded. */
export type Scripted = Awaited<ReturnType<typeof scripted>>;

/** With the digest of synthetic journals, which no change of the register changes. */
const specification = { ...(await loadSpecification()), digest: `sha256:${'0'.repeat(64)}` };

/** The record of these lines. */
export const judgedClient = (lines: readonly ClientJournalLine[], strict = false): ClientRecord =>
  judgeClient({ lines, damage: [] }, specification, { strict });

/** What these lines show about one requirement. */
export function clientFinding(lines: readonly ClientJournalLine[], id: JudgedClientId): Finding {
  const found = judgedClient(lines).requirements.find((one) => one.id === id);
  assert.ok(found !== undefined);
  return found;
}

/** What clients send, by what is special about them; a row may have a pattern of the reason. */
type ClientRows = Readonly<
  Record<string, readonly StatedStart[] | readonly [readonly StatedStart[], RegExp]>
>;

/** An attached client. */
export const ATTACHED: ClientDescription = { kind: 'attached', where: 'this host' };

/** Tests a requirement on clients with these rows, by the verdict that each gets. */
export function testClients(
  id: JudgedClientId,
  byVerdict: { readonly [V in Verdict]?: ClientRows },
  client: ClientDescription = COMMAND,
): void {
  const where = client === COMMAND ? '' : ` (${client.kind}, ${client.where})`;
  for (const [verdict, rows] of Object.entries(byVerdict)) {
    for (const [what, row] of Object.entries(rows)) {
      test(`${id}: a client that ${what}${where}: ${verdict}`, () => {
        const [starts, because] = hasReason(row) ? row : [row, /(?:)/];
        const finding = clientFinding(clientJournal(starts, client), id);
        assert.equal(finding.verdict, verdict, finding.because);
        assert.match(finding.because, because);
      });
    }
  }
}

const hasReason = (row: ClientRows[string]): row is readonly [readonly StatedStart[], RegExp] =>
  row[1] instanceof RegExp;

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
/** The same where these requests follow the 429 of the first list. */
export const after429 = (...requests: readonly StatedRequest[]): readonly StatedStart[] =>
  waits({ seconds: [limited(0, '3'), ...requests] });
/** The same where they follow the 429 with a date, four seconds ahead. */
export const afterDate = (...requests: readonly StatedRequest[]): readonly StatedStart[] =>
  waits({ date: [limited(0, 4000), ...requests] });
