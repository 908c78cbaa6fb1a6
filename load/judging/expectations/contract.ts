import { countOf, quoted } from '../../../kernel/basics/text.ts';
import { firstFound } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf, headerValue, statusOf } from '../../../kernel/exchanges/headers.ts';
import { RATE_HEADERS } from '../../../kernel/exchanges/judged-headers.ts';
import { isKeyRejected } from '../../../kernel/exchanges/outcome-kinds.ts';
import { readRateHeaders } from '../../../kernel/exchanges/rate-headers.ts';
import type { Fact } from '../../../kernel/findings/finding-text.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import { fail, inconclusive, pass } from '../../../kernel/findings/judgement.ts';
import type { BodyReading, Sample } from '../../model/sample.ts';
import { whyIncomplete } from '../completeness.ts';
import type { LoadEvidence, ScenarioEvidence } from '../evidence.ts';

type WrongBody = BodyReading & { readonly kind: 'wrong' };

const EXPECTED: Readonly<Record<Sample['operation'], string>> = {
  list: 'a JSON list of categories',
  create: 'the created category',
};

const FOUND: Readonly<Record<WrongBody['problem'], string>> = {
  'not JSON': 'a text that is not JSON',
  'no list of categories': 'something that is no list of items with an id and a name',
  'no category': 'something that is no category with an id and a name',
  'category of another request': 'the category of another request, sent at the same time or earlier',
};

const wrongBody = (samples: readonly Sample[]): Fact | undefined =>
  firstFound(samples, (sample) => {
    const body = bodyOf(sample);
    return body?.kind === 'wrong' ? wrongFact(sample, body) : undefined;
  });

/** The first id that two creations received, in two sentences; undefined where there is none. */
function repeatedId(samples: readonly Sample[]): string | undefined {
  const created = new Map<string, Sample>();
  for (const sample of samples) {
    const body = bodyOf(sample);
    if (body?.kind !== 'category' || body.id === undefined) continue;
    const before = created.get(body.id);
    if (before !== undefined && before.n !== sample.n)
      return `Requests ${before.n} and ${sample.n} both created a category with the id ${quoted(body.id)}. The specification does not say that ids differ, so this is a doubt (CREATE-11).`;
    created.set(body.id, sample);
  }
  return undefined;
}

const wrongFact = ({ n, operation }: Sample, { problem, excerpt }: WrongBody): Fact => ({
  expected: `${EXPECTED[operation]} in the body of request ${n}`,
  received: FOUND[problem],
  reasoning: excerpt === '' ? 'It is empty.' : `It begins with ${quoted(excerpt)}.`,
});

function readOf(samples: readonly Sample[]): string {
  const read = samples.filter((sample) => bodyOf(sample) !== undefined).length;
  return read === 0 ? ' No body was read.' : ` Of these, ${countOf(read, 'body was', 'bodies were')} read.`;
}

const bodyOf = ({ outcome }: Sample): BodyReading | undefined =>
  outcome.kind === 'answer' ? outcome.body : undefined;

/** A 5xx or no response is judged by NO-5XX, a ban by the expectations about bans. */
export function respondsAsSpecified(scenario: ScenarioEvidence): Judgement | undefined {
  const { stopped } = scenario;
  if (stopped?.because === 'wrong target') {
    return inconclusive(
      `The run stopped: ${stopped.detail}. Check the address and the key; certify says more about the target.`,
    );
  }
  if (stopped?.because === 'wrong plan' && !isOfStatedPlan(scenario)) {
    return inconclusive(`The run stopped: ${stopped.detail}. Use a key of the plan "${scenario.plan}".`);
  }
  const answers = scenario.exchanges.filter((exchange) => (statusOf(exchange) ?? 500) < 500);
  const ban = answers.find(isKeyRejected);
  const judged = answers.filter((one) => !isKeyRejected(one) && !isTimedOut(one));
  const wrong = firstFound(judged, (one) => problemOf(one, scenario)) ?? wrongBody(scenario.samples);
  if (wrong !== undefined) return fail(wrong);
  if (ban !== undefined && scenario.key !== 'disposable') {
    return inconclusive(
      `Request ${ban.n} returned ${statusOf(ban)} although the key was accepted before: it may have been banned or revoked.`,
    );
  }
  const repeated = repeatedId(scenario.samples);
  if (repeated !== undefined) return inconclusive(repeated);
  const late = answers.find(isTimedOut);
  if (late !== undefined)
    return inconclusive(
      `Request ${late.n} returned 408: it did not reach the target in time, which a busy machine or the network may cause.`,
    );
  return judged.length === 0
    ? undefined
    : pass(
        `Each of ${countOf(judged.length, 'response')} is as specified.${readOf(scenario.samples)}${rejectedOf(answers)}`,
      );
}

/** The user states the plan of the key under test and of a fleet; another caller or a disposable key may have another one. */
const isOfStatedPlan = ({ key }: ScenarioEvidence): boolean => key !== 'other' && key !== 'disposable';

/** RFC 9110 §15.5.9: the server did not receive a complete request within the time that it was prepared to wait. */
const isTimedOut = (exchange: Exchange): boolean => statusOf(exchange) === 408;

/** How a service rejects a creation whose name it does not accept: the specification does not show the bounds of names. */
const REJECTED: ReadonlySet<number | undefined> = new Set([400, 409, 422]);

const isRejected = (exchange: Exchange): boolean =>
  exchange.request.method === 'POST' && REJECTED.has(statusOf(exchange));

function rejectedOf(answers: readonly Exchange[]): string {
  const rejected = answers.filter(isRejected);
  const [first] = rejected;
  return first === undefined
    ? ''
    : ` ${countOf(rejected.length, 'creation')} got ${statusOf(first)}, which a bound on names would explain; certify judges creations.`;
}

function problemOf(exchange: Exchange, { limits, plan }: ScenarioEvidence): Fact | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined) return undefined;
  const wanted = exchange.request.method === 'GET' ? 200 : 201;
  if (answer.status !== wanted && answer.status !== 429 && !isRejected(exchange)) {
    return {
      expected: `${wanted} or 429`,
      received: `${answer.status} for request ${exchange.n} (${exchange.request.method})`,
    };
  }
  const reading = readRateHeaders(answer.headers);
  const values = [reading.limit, reading.remaining, reading.reset];
  const unusable = RATE_HEADERS.find((_, i) => values[i] === undefined);
  if (unusable !== undefined) {
    const text = headerValue(answer.headers, unusable);
    const what = text === undefined ? `no ${unusable}` : `${unusable} ${quoted(text)}`;
    return {
      expected: 'a number in each of the three rate-limit headers',
      received: `${what} for request ${exchange.n} (${answer.status})`,
    };
  }
  if (reading.limit === limits.perMinute || reading.limit === limits.perDay) return undefined;
  return {
    expected: `the Limit of the plan "${plan}", ${limits.perMinute} (minute) or ${limits.perDay} (day)`,
    received: `${reading.limit} for request ${exchange.n}`,
    reasoning:
      'If the key has another plan, state it with --plan; if it has this plan, the target applies the wrong limit.',
  };
}

/** Strict clients reject what lenient ones read; only certify records the bytes. */
const CERTIFY_FIRST =
  'Certify says what is wrong with it and whether other clients read it (HTTP-4, MEDIA-1).';

/** A 5xx comes from the target or its gateway; a connection may also be lost on the way. */
export function noServerErrors({ scenarios }: LoadEvidence): Judgement {
  const tallies = scenarios.map(({ tally }) => tally);
  const requests = tallies.reduce((sum, tally) => sum + tally.requests, 0);
  const all = countOf(requests, 'request');
  const failed = (kind: 'serverErrors' | 'malformed' | 'lost') => {
    const first = firstFound(tallies, (tally) => tally[kind].first);
    const count = tallies.reduce((sum, tally) => sum + tally[kind].count, 0);
    const detail = first?.outcome.kind === 'no-response' ? quoted(first.outcome.detail) : '';
    return first && { first, many: `${count} of ${all}`, example: `the first (request ${first.n})`, detail };
  };
  const error = failed('serverErrors');
  if (error !== undefined)
    return fail({
      expected: 'no 5xx',
      received: `a 5xx for ${error.many}, ${error.example} ${statusOf(error.first)}`,
    });
  const malformed = failed('malformed');
  if (malformed !== undefined)
    return inconclusive(
      `${malformed.many} got a malformed response, which k6 cannot read, ${malformed.example}: ${malformed.detail}. ${CERTIFY_FIRST}`,
    );
  const lost = failed('lost');
  if (lost !== undefined)
    return inconclusive(
      `${lost.many} got no response, ${lost.example}: ${lost.detail}. The network may have lost them; where they followed a pause, a NAT, a load balancer or the target may have dropped the idle connection.`,
    );
  if (requests === 0) return inconclusive('No request was sent.');
  return pass(`Each of ${all} was answered, none with a 5xx.`);
}

/** Never fails: requests that were not sent, or were late, are caused by the load generator. */
export function sentOnSchedule(evidence: LoadEvidence): Judgement {
  const requests = evidence.scenarios.reduce((sum, { tally }) => sum + tally.requests, 0);
  if (requests === 0) return inconclusive(whyIncomplete(evidence) ?? 'No request was sent.');
  return pass(`Each of ${countOf(requests, 'planned request')} was sent on schedule.`);
}
