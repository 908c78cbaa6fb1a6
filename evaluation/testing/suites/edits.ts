import { bodyTextForPeople } from '../../../exchanges/body.ts';
import type { Answer, Exchange, HeaderLine, NoResponseCause } from '../../../exchanges/exchange.ts';
import type { JournalLine, RunLine } from '../../../suites/model/journal.ts';
import type { StepName } from '../../../suites/probes/index.ts';
import { body, excerptOf } from './synthetic.ts';

/** A change of one exchange. */
export type Edit = (exchange: Exchange) => Exchange;

/** A change of a journal. */
export type Change = (lines: readonly JournalLine[]) => readonly JournalLine[];

/** Which exchanges a change is about. */
export type Where = (exchange: Exchange) => boolean;

export const unchanged: Change = (lines) => lines;

/** Several changes, one after another. */
export const all =
  (...changes: readonly Change[]): Change =>
  (lines) =>
    changes.reduce((changed, change) => change(changed), lines);

/** Edits the exchanges that `where` names. Throws when there is none: a change of nothing would test nothing. */
export const at =
  (where: Where, ...edits: readonly Edit[]): Change =>
  (lines) => {
    let found = false;
    const changed = lines.map((line) => {
      if (line.kind !== 'exchange' || !where(line)) return line;
      found = true;
      return edits.reduce((exchange, edit) => edit(exchange), line);
    });
    if (!found) throw new Error('No exchange of the journal is meant.');
    return changed;
  };

/** Leaves out the exchanges that `where` names, as if they had never been asked. */
export const without =
  (where: Where): Change =>
  (lines) =>
    renumbered(lines.filter((line) => line.kind !== 'exchange' || !where(line)));

/** Numbers the exchanges anew: a number that is missing is damage. */
function renumbered(lines: readonly JournalLine[]): readonly JournalLine[] {
  let n = 0;
  return lines.map((line) => {
    if (line.kind !== 'exchange') return line;
    n += 1;
    return { ...line, n };
  });
}

/** Changes the head of the run. */
export const run =
  (change: (run: RunLine) => RunLine): Change =>
  (lines) =>
    lines.map((line) => (line.kind === 'run' ? change(line) : line));

/** Everything until the end of this probe, as a crash after it would leave it. */
export const cutAfter =
  (probe: string): Change =>
  (lines) =>
    lines.slice(0, lines.findLastIndex((line) => line.kind === 'exchange' && line.probe === probe) + 1);

/** Exchanges of this probe, and of this step where it is given. */
export const asked =
  (probe: string, step?: StepName): Where =>
  (exchange) =>
    exchange.probe === probe && (step === undefined || exchange.step === step);

/** Exchanges with this status. */
export const answered =
  (...statuses: readonly number[]): Where =>
  ({ outcome }) =>
    outcome.kind === 'answer' && statuses.includes(outcome.status);

export const both =
  (...wheres: readonly Where[]): Where =>
  (exchange) =>
    wheres.every((where) => where(exchange));

/** The first exchange that `where` names, in every journal that is changed. */
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

/** Replaces the body; an object is written as JSON. */
export const says = (value: unknown): Edit =>
  answerEdit((answer) => ({
    ...answer,
    body: body(typeof value === 'string' ? value : JSON.stringify(value)),
  }));

/** Sends another body, written as JSON. */
export const sends =
  (value: unknown): Edit =>
  (exchange) => ({ ...exchange, request: { ...exchange.request, body: body(JSON.stringify(value)) } });

/** Changes the text of the body. */
export const rewrite = (change: (text: string) => string): Edit =>
  answerEdit((answer) => ({ ...answer, body: body(change(bodyTextForPeople(answer.body))) }));

/** Only a part of the body was kept. */
export const cut: Edit = answerEdit((answer) => ({
  ...answer,
  body: excerptOf(bodyTextForPeople(answer.body).slice(0, 1), answer.body.bytes),
}));

/** The body broke off on its way. */
export const broken: Edit = answerEdit((answer) => ({
  ...answer,
  body: excerptOf('', 0),
  broken: 'other side closed',
}));

/** Sets a header to these values, one a line; none takes it away. */
export const header = (name: string, ...values: readonly string[]): Edit =>
  answerEdit((answer) => ({
    ...answer,
    headers: [
      ...answer.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase()),
      ...values.map((value): HeaderLine => [name, value]),
    ],
  }));

/** Changes the value of a header that is there. */
export const turn = (name: string, change: (value: string) => string): Edit =>
  answerEdit((answer) => ({
    ...answer,
    headers: answer.headers.map(([one, value]) => [one, one === name ? change(value) : value]),
  }));

export const lowerCase: Edit = answerEdit((answer) => ({
  ...answer,
  headers: answer.headers.map(([name, value]) => [name.toLowerCase(), value]),
}));

/** No answer came. */
export const silent =
  (cause: NoResponseCause): Edit =>
  (exchange) => ({ ...exchange, outcome: { kind: 'no-response', cause, detail: `it was ${cause}` } });

/** Each of these was asked so many times, and answered the same. */
export const repeatedly =
  (where: Where, times: number): Change =>
  (lines) =>
    renumbered(
      lines.flatMap((line) =>
        line.kind === 'exchange' && where(line) ? Array.from({ length: times }, () => line) : [line],
      ),
    );

/** Each of these was asked twice: first with the outcome that these edits give it. */
export const precededBy = (where: Where, ...edits: readonly Edit[]): Change => {
  return (lines) =>
    renumbered(
      lines.flatMap((line) =>
        line.kind === 'exchange' && where(line)
          ? [edits.reduce((exchange, edit) => edit(exchange), line), line]
          : [line],
      ),
    );
};

/** Each of these was asked twice: first on a kept connection that the target had just closed. */
export const closedBefore = (where: Where): Change =>
  precededBy(where, (exchange) =>
    silent('reset')({ ...exchange, connection: { ...exchange.connection, fresh: false } }),
  );

/** Each of these was asked twice: first while nobody was there to answer. */
export const unavailableBefore = (where: Where): Change => precededBy(where, status(503), says(''));

/** The answer is about the rate instead. */
export const limited: Edit = (exchange) =>
  [status(429), says(''), header('Retry-After', '1')].reduce((edited, edit) => edit(edited), exchange);
