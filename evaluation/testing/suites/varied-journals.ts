import { groupedBy } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import type { JournalLine } from '../../../suites/service/model/journal.ts';
import type { Change, Edit } from './edits.ts';
import * as edit from './edits.ts';
import type { Random } from './limiters.ts';
import { pick, seededBy } from './limiters.ts';

const NUMBERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'] as const;

/** What may be different in a response; most are about counts and times, where the judges decide most. */
const EDITS: readonly ((random: Random) => Edit)[] = [
  (random) => edit.status(pick([200, 201, 202, 400, 401, 403, 404, 405, 415, 422, 429, 500, 503], random)),
  () => edit.limited,
  () => edit.silent('timeout'),
  () => edit.silent('reset'),
  () => edit.broken,
  () => edit.cut,
  (random) => edit.header(pick([...NUMBERS, 'Date', 'Content-Type', 'WWW-Authenticate'], random)),
  (random) =>
    edit.header(pick(NUMBERS, random), pick(['0', '1', '59', '60', '61', '3600', '86400', 'soon'], random)),
  (random) => moved(pick(NUMBERS, random), pick([-60, -2, -1, 1, 2, 60], random)),
  (random) => moved('X-RateLimit-Remaining', pick([-2, -1, 1, 2], random)),
  (random) =>
    edit.header(
      'Content-Type',
      pick(['text/html', 'application/problem+json', 'application/json; charset=latin1'], random),
    ),
  (random) =>
    edit.responseBody(
      pick<unknown>(
        [
          '',
          'null',
          '{}',
          '[]',
          { code: 'a', message: 'b', status: 400 },
          { id: 1, name: 'Dogs', description: 'd' },
        ],
        random,
      ),
    ),
  (random) => edit.rewrite((text) => text.replace(...pick(REPLACED, random))),
  (random) => taking(pick([0, 250, 999, 1000, 5000, 59_000, 61_000], random)),
  (random) => onConnection(pick([1, 2, 3, 900], random), random() < 0.5),
];

/** What a rewritten body has in place of another text, where it has that. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/"id":(\d+)/, '"id":"$1"'],
  [/"id":\d+/g, '"id":1'],
  [/"id":\d+,?/, ''],
  [/"name":"[^"]*",?/, ''],
  [/"name":"([^"]*)"/, '"name":" $1"'],
  [/"description":"[^"]*",?/g, ''],
  [/"description":"([^"]*)"/, '"description":null'],
  [/"(code|message|status)":/, '"x-$1":'],
  [/"status":\d+/, '"status":"400"'],
  [/\}$/, ',"more":true}'],
  [/^\[/, '{"items":['],
];

const moved = (name: string, by: number): Edit =>
  edited(edit.turn(name, (text) => (/^\d+$/.test(text) ? String(Math.max(0, Number(text) + by)) : text)));

/** An edit that leaves alone what has no response. */
const edited =
  (change: Edit): Edit =>
  (exchange) =>
    exchange.outcome.kind === 'answer' ? change(exchange) : exchange;

const taking =
  (milliseconds: number): Edit =>
  (exchange) => ({ ...exchange, received: later(exchange.sent, { wall: milliseconds, mono: milliseconds }) });

const later = ({ wall, mono }: Exchange['sent'], by: Exchange['sent']): Exchange['sent'] => ({
  wall: wall + by.wall,
  mono: mono + by.mono,
});

const onConnection =
  (id: number, fresh: boolean): Edit =>
  (exchange) => ({ ...exchange, connection: { id, fresh } });

/** The places of a varied journal: one exchange, those after it, its step, or a share of that. */
const PLACES: readonly ((chosen: Exchange, random: Random) => (one: Exchange) => boolean)[] = [
  (chosen) => (one) => one.n === chosen.n,
  (chosen) => (one) => one.n === chosen.n,
  (chosen) => (one) => one.probe === chosen.probe && one.n >= chosen.n,
  (chosen) => (one) => one.probe === chosen.probe && one.step === chosen.step,
  (chosen, random) => (one) => one.probe === chosen.probe && random() < 0.5,
];

/** What may be different in a journal. */
const CHANGES: readonly ((chosen: Exchange, random: Random) => Change)[] = [
  ...Array.from({ length: 8 }, () => changeSome),
  (chosen) => edit.without((one) => one.n === chosen.n),
  (chosen) => edit.without((one) => one.probe === chosen.probe && one.step === chosen.step),
  (chosen) => edit.repeatedly((one) => one.n === chosen.n, 2),
  (chosen, random) => pauseBefore(chosen, pick([900, 1100, 20_000, 59_500, 61_000], random)),
  (chosen, random) => suspendedBefore(chosen, pick([1500, 30_000, 90_000], random)),
  (chosen, random) => clockSet(chosen, pick([-61, -2, -1, 1, 2, 61], random)),
  (chosen) => (lines) => lines.filter((one) => one.kind !== 'exchange' || one.n <= chosen.n),
  () => edit.run((run) => ({ ...run, inputs: { ...run.inputs, exclusiveKey: !run.inputs.exclusiveKey } })),
];

function changeSome(chosen: Exchange, random: Random): Change {
  const isMeant = pick(PLACES, random)(chosen, random);
  const change = edited(pick(EDITS, random)(random));
  return edit.at((one) => one.n === chosen.n || isMeant(one), change);
}

/** Everything from an exchange on comes so much later by these clocks, but not by those in the responses. */
const delayed =
  (chosen: Exchange, by: Exchange['sent']): Change =>
  (lines) =>
    lines.map((line) =>
      line.kind === 'exchange' && line.n >= chosen.n
        ? { ...line, sent: later(line.sent, by), received: later(line.received, by) }
        : line,
    );

const pauseBefore = (chosen: Exchange, ms: number): Change => delayed(chosen, { wall: ms, mono: ms });

/** The machine of the run is suspended before an exchange: the wall clock goes on, the monotonic one does not. */
const suspendedBefore = (chosen: Exchange, ms: number): Change => delayed(chosen, { wall: ms, mono: 0 });

/** The service sets its clock by so many seconds: each Date from an exchange on. */
const clockSet = (chosen: Exchange, seconds: number): Change =>
  edit.at(
    ({ n }) => n >= chosen.n,
    edited(edit.turn('Date', (text) => new Date(Date.parse(text) + 1000 * seconds).toUTCString())),
  );

/**
 * The same journal with one or two things changed, which the name decides: where a requirement reads
 * @param reads whether the requirement reads a probe.
 */
export function variedJournal(
  lines: readonly JournalLine[],
  name: string,
  reads: (probe: string) => boolean,
): readonly JournalLine[] {
  const random = seededBy(name);
  const once = variedOnce(lines, random, reads);
  return random() < 0.5 ? once : variedOnce(once, random, reads);
}

/** The same journal with many things changed, as after an error of the disk or from a hostile target. */
export function damagedJournal(lines: readonly JournalLine[], name: string): readonly JournalLine[] {
  const random = seededBy(name);
  return Array.from({ length: 20 }).reduce<readonly JournalLine[]>(
    (damaged) => variedOnce(damaged, random, () => true),
    lines,
  );
}

function variedOnce(
  lines: readonly JournalLine[],
  random: Random,
  reads: (probe: string) => boolean,
): readonly JournalLine[] {
  const exchanges = lines.filter((line) => line.kind === 'exchange');
  const own = exchanges.filter(({ probe }) => reads(probe));
  const ofSteps = [
    ...groupedBy(own.length > 0 ? own : exchanges, ({ probe, step }) => `${probe} ${step}`).values(),
  ];
  if (ofSteps.length === 0) return lines;
  return pick(CHANGES, random)(pick(pick(ofSteps, random), random), random)(lines);
}
