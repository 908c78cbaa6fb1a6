import { bodyTextForPeople } from '../../../kernel/exchanges/body.ts';
import type { Answer, Exchange, HeaderLine, NoResponseCause } from '../../../kernel/exchanges/exchange.ts';
import { RATE_HEADERS } from '../../../kernel/exchanges/judged-headers.ts';
import type { Verdict } from '../../../kernel/findings/record.ts';
import type { JudgedId } from '../../../suites/service/evidence/evidence.ts';
import type { JournalLine, PublishedDocument, RunLine } from '../../../suites/service/model/journal.ts';
import type { StepName } from '../../../suites/service/probes/index.ts';
import { body, excerptOf, Synthesis } from './synthetic.ts';

/** A change of one exchange. */
export type Edit = (exchange: Exchange) => Exchange;

/** A change of a journal. */
export type Change = (lines: readonly JournalLine[]) => readonly JournalLine[];

/** Selects the exchanges of a change. */
export type Where = (exchange: Exchange) => boolean;

export const unchanged: Change = (lines) => lines;

/** Several changes, one after another. */
export const all =
  (...changes: readonly Change[]): Change =>
  (lines) =>
    changes.reduce((changed, change) => change(changed), lines);

/** Edits the exchanges that `where` selects. @throws {Error} when it selects none, because the test would then test nothing. */
export const at =
  (where: Where, ...edits: readonly Edit[]): Change =>
  (lines) => {
    let found = false;
    const changed = lines.map((line) => {
      if (line.kind !== 'exchange' || !where(line)) return line;
      found = true;
      return edited(line, edits);
    });
    if (!found) throw new Error('The journal has no such exchange.');
    return changed;
  };

const edited = (exchange: Exchange, edits: readonly Edit[]): Exchange =>
  edits.reduce((before, edit) => edit(before), exchange);

/** Removes the exchanges that `where` selects, as if they had never been sent. */
export const without =
  (where: Where): Change =>
  (lines) =>
    renumbered(lines.filter((line) => line.kind !== 'exchange' || !where(line)));

/** Renumbers the exchanges, because a missing number counts as damage. */
function renumbered(lines: readonly JournalLine[]): readonly JournalLine[] {
  let n = 0;
  return lines.map((line) => {
    if (line.kind !== 'exchange') return line;
    n += 1;
    return { ...line, n };
  });
}

/** The exchanges of a journal that `where` selects. */
export const exchangesIn = (lines: readonly JournalLine[], where: Where = () => true): readonly Exchange[] =>
  lines.filter((line) => line.kind === 'exchange').filter(where);

/** Changes the first line of the journal. */
export const run =
  (change: (run: RunLine) => RunLine): Change =>
  (lines) =>
    lines.map((line) => (line.kind === 'run' ? change(line) : line));

/** A journal of a run that was given these documents, the description itself first. */
export const documents =
  (...given: readonly PublishedDocument[]): Change =>
  (before) =>
    run((line) => ({
      ...line,
      inputs: { ...line.inputs, openapi: true },
      probes: [...line.probes, { id: 'openapi-document', requests: 0 }],
    }))([
      ...before.slice(0, 1),
      ...given.map((one) => ({ kind: 'document' as const, at: 0, ...one })),
      ...before.slice(1),
    ]);

/** What was given to the run. */
export const inputs = (given: Partial<RunLine['inputs']>): Change =>
  run((line) => ({ ...line, inputs: { ...line.inputs, ...given } }));

/** Cuts the journal after the last exchange of this probe, as a crash would. */
export const cutAfter =
  (probe: string): Change =>
  (lines) =>
    lines.slice(0, lines.findLastIndex((line) => line.kind === 'exchange' && line.probe === probe) + 1);

/** Selects exchanges of this probe and, if given, of this step. */
export const asked =
  (probe: string, step?: StepName): Where =>
  (exchange) =>
    exchange.probe === probe && (step === undefined || exchange.step === step);

/** Selects exchanges with one of these status codes. */
export const answered =
  (...statuses: readonly number[]): Where =>
  ({ outcome }) =>
    outcome.kind === 'answer' && statuses.includes(outcome.status);

export const both =
  (...wheres: readonly Where[]): Where =>
  (exchange) =>
    wheres.every((where) => where(exchange));

/** Selects the first exchange that `where` selects. */
export const first = (where: Where): Where => {
  let n: number | undefined;
  return (exchange) => {
    if (n === undefined && where(exchange)) n = exchange.n;
    return exchange.n === n;
  };
};

const answerEdit =
  (change: (answer: Answer) => Answer): Edit =>
  (exchange) => {
    if (exchange.outcome.kind !== 'answer') throw new Error('Only an answer can be edited.');
    return { ...exchange, outcome: change(exchange.outcome) };
  };

export const status = (code: number): Edit => answerEdit((answer) => ({ ...answer, status: code }));

/** Replaces the response body; a value other than a string is written as JSON. */
export const responseBody = (value: unknown): Edit =>
  answerEdit((answer) => ({
    ...answer,
    body: body(typeof value === 'string' ? value : JSON.stringify(value)),
  }));

/** Replaces the request body, written as JSON. */
export const requestBody =
  (value: unknown): Edit =>
  (exchange) => ({ ...exchange, request: { ...exchange.request, body: body(JSON.stringify(value)) } });

/** Changes the text of the response body. */
export const rewrite = (change: (text: string) => string): Edit =>
  answerEdit((answer) => ({ ...answer, body: body(change(bodyTextForPeople(answer.body))) }));

/** Changes the text of the response body of the exchanges that `where` selects. */
export const rewriteAt = (where: Where, change: (text: string) => string): Change =>
  at(where, rewrite(change));

/** The journal has only an excerpt of the response body. */
export const cut: Edit = answerEdit((answer) => ({
  ...answer,
  body: excerptOf(bodyTextForPeople(answer.body).slice(0, 1), answer.body.bytes),
}));

/** The response body was incomplete. */
export const broken: Edit = answerEdit((answer) => ({
  ...answer,
  body: excerptOf('', 0),
  broken: 'other side closed',
}));

/** How the bytes of the response were read. */
export const reading = (how: Pick<Answer, 'decoded' | 'irregular' | 'unreadable'>): Edit =>
  answerEdit((answer) => ({ ...answer, ...how }));

/** The response body is bytes that are no text. */
export const binary: Edit = answerEdit((answer) => ({
  ...answer,
  body: { text: 'H4sIAAAAAAAAA4uOBQApu0wNAgAAAA==', encoding: 'base64', bytes: 22, cut: false },
}));

/** Sets a response header to these values, one line each; without values, it removes the header. */
export const header = (name: string, ...values: readonly string[]): Edit =>
  answerEdit((answer) => ({
    ...answer,
    headers: [
      ...answer.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase()),
      ...values.map((value): HeaderLine => [name, value]),
    ],
  }));

/** The response says nothing about rate limits. */
export const withoutRateHeaders: Edit = (exchange) =>
  edited(
    exchange,
    RATE_HEADERS.map((name) => header(name)),
  );

/** Changes the value of a response header. */
export const turn = (name: string, change: (value: string) => string): Edit =>
  answerEdit((answer) => ({
    ...answer,
    headers: answer.headers.map(([one, value]) => [one, one === name ? change(value) : value]),
  }));

/** Changes the value of a response header of the exchanges that `where` selects. */
export const turnAt = (where: Where, name: string, change: (value: string) => string): Change =>
  at(where, turn(name, change));

/** There was no response, for this reason. */
export const silent =
  (cause: NoResponseCause): Edit =>
  (exchange) => ({ ...exchange, outcome: { kind: 'no-response', cause, detail: `no response: ${cause}` } });

/** Repeats each selected exchange this many times. */
export const repeatedly =
  (where: Where, times: number): Change =>
  (lines) =>
    renumbered(
      lines.flatMap((line) =>
        line.kind === 'exchange' && where(line) ? Array.from({ length: times }, () => line) : [line],
      ),
    );

/** Inserts a copy before each selected exchange, with these edits. @throws {Error} when none is selected, as `at` does. */
export const precededBy =
  (where: Where, ...edits: readonly Edit[]): Change =>
  (lines) =>
    renumbered(
      at(where)(lines).flatMap((line) =>
        line.kind === 'exchange' && where(line) ? [edited(line, edits), line] : [line],
      ),
    );

/** Inserts an exchange before each selected one, on an open connection that the target had just closed. */
export const closedBefore = (where: Where): Change =>
  precededBy(where, (exchange) =>
    silent('reset')({ ...exchange, connection: { ...exchange.connection, fresh: false } }),
  );

/** Inserts a 503 before each selected exchange, as from a gateway without its service. */
export const unavailableBefore = (where: Where): Change => precededBy(where, status(503), responseBody(''));

/** The response is a 429 instead. */
export const limited: Edit = (exchange) =>
  edited(exchange, [status(429), responseBody(''), header('Retry-After', '1')]);

/** One row of a table of verdicts: what a journal shows, and what the judge has to say of it. */
export interface VerdictRow {
  readonly id: JudgedId;
  readonly description: string;
  /** What is different from the journal of a conforming target. */
  readonly journal: Change;
  readonly verdict: Verdict;
  /** What the finding says; anything where absent. */
  readonly because?: RegExp | undefined;
}

/** A row without its requirement and its description. */
type Judged = Pick<VerdictRow, 'journal' | 'verdict' | 'because'>;

type Run = readonly JournalLine[] | Synthesis;

/** A run that is made of nothing else, or the change of a conforming journal. */
type Shown = Run | ((conforming: readonly JournalLine[]) => Run);

const judgedAs =
  (verdict: Verdict) =>
  (shown: Shown, because?: RegExp): Judged => ({
    journal(conforming) {
      const journal = typeof shown === 'function' ? shown(conforming) : shown;
      return journal instanceof Synthesis ? journal.lines() : journal;
    },
    verdict,
    because,
  });
export const pass = judgedAs('pass');
export const fail = judgedAs('fail');
export const warn = judgedAs('warn');
export const inconclusive = judgedAs('inconclusive');
export const notTested = judgedAs('not-tested');

/** A row for each of these. */
export const each = <const T>(
  all: readonly T[],
  row: (one: T) => readonly [description: string, row: Judged],
): Readonly<Record<string, Judged>> => Object.fromEntries(all.map(row));

/** The rows of one requirement, by their descriptions. */
export const rowsOf = (id: JudgedId, rows: Readonly<Record<string, Judged>>): readonly VerdictRow[] =>
  Object.entries(rows).map(([description, judged]) => ({ id, description, ...judged }));
