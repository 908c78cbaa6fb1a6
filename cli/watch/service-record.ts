import type { ClientJournalLine, ResponseLine } from '../../clients/model/journal.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { headerValue } from '../../exchanges/headers.ts';
import { limitsOf, loadPlans } from '../../spec/plans.ts';
import type { RequirementId } from '../../spec/register.ts';
import type { Specification } from '../../spec/specification.ts';
import { judge } from '../../suites/index.ts';
import type { Finding, ServiceRecord } from '../../suites/model/record.ts';

/**
 * The requirements that each response shows by itself, whatever it responds to. Everything about counts and windows
 * takes requests that are made for it.
 */
const SHOWN_BY_TRAFFIC: ReadonlySet<RequirementId> = new Set<RequirementId>([
  'MEDIA-1',
  'CAT-1',
  'CAT-2',
  'CAT-3',
  'ERR-1',
  'ERR-2',
  'RATE-1',
  'RATE-2',
  'RATE-3',
  'RATE-4',
  'RATE-6',
  'RETRY-1',
  'RETRY-2',
]);

const PLAN = 'free';

/** What the traffic of a watched client shows of the service behind it; undefined where there is no journal of such a client. */
export function watchedServiceRecord(
  lines: readonly ClientJournalLine[],
  specification: Specification,
  strict: boolean,
): ServiceRecord | undefined {
  const [run] = lines;
  if (run?.kind !== 'client-run' || run.client.kind !== 'watched') return undefined;
  const { suite, spec, client, startedAt } = run;
  const head = {
    kind: 'run',
    journalVersion: 3,
    suite,
    spec,
    target: { baseUrl: client.target, plan: PLAN },
    limits: limitsOf(loadPlans(), PLAN),
    furtherPlans: {},
    inputs: {
      otherKey: false,
      exhaustedKey: false,
      disposableKey: false,
      exclusiveKey: false,
      thorough: false,
      openapi: false,
    },
    probes: [],
    startedAt,
  } as const;
  const end = lines.findLast((line) => line.kind === 'end');
  const exchanges = exchangesOf(lines, client.target);
  const all = [head, ...exchanges.readable, ...(end === undefined ? [] : [end])];
  return passive(judge({ lines: all, damage: [] }, specification, { strict }), exchanges.coded);
}

/** A record that says no more than traffic shows, and never that the service conforms. */
function passive(record: ServiceRecord, coded: number): ServiceRecord {
  const requirements = record.requirements.map((finding) => (isShown(finding) ? finding : unshown(finding)));
  const violates = requirements.some(({ verdict }) => verdict === 'fail');
  // The plan of the key is unknown, so a headline about it says nothing.
  const { headline: _, ...headless } = record;
  return {
    ...headless,
    outcome: violates ? 'violates' : 'incomplete',
    requirements,
    remarks: [
      'The service was watched while a client worked with it. Nothing was sent for this report, so it covers only what each response shows by itself; certify tests the rest.',
      ...(coded === 0
        ? []
        : [
            `${coded} of the responses had a content coding (gzip, br), because the client accepts it; they were not judged.`,
          ]),
      ...record.remarks,
    ],
    observations: [],
  };
}

const isShown = ({ id, verdict }: Finding): boolean =>
  SHOWN_BY_TRAFFIC.has(id) && verdict !== 'inconclusive' && verdict !== 'not-tested';

function unshown({ id, level, chapter, sentence, from }: Finding): Finding {
  const reason = SHOWN_BY_TRAFFIC.has(id)
    ? 'No response of the watched traffic shows it.'
    : 'Watched traffic does not show it: it takes requests that are made for it. Run certify.';
  return {
    id,
    level,
    chapter,
    sentence,
    from,
    verdict: 'not-tested',
    reason,
    because: reason,
    exchanges: [],
  };
}

interface WatchedExchanges {
  readonly readable: readonly Exchange[];
  /** Responses with a content coding: their bodies cannot be read here. */
  readonly coded: number;
}

function exchangesOf(lines: readonly ClientJournalLine[], target: string): WatchedExchanges {
  const responses = new Map(
    lines.flatMap((line) => (line.kind === 'response' ? [[line.n, line] as const] : [])),
  );
  const base = new URL(target).pathname.replace(/\/+$/, '');
  const all = lines.flatMap((line): readonly Exchange[] => {
    const response = line.kind === 'arrival' ? responses.get(line.n) : undefined;
    // Another path belongs to another service.
    if (line.kind !== 'arrival' || response === undefined || !line.target.startsWith(`${base}/`)) return [];
    const keyed = line.headers.some(([, value]) => value.includes('[key]'));
    const body = response.requestBody;
    return [
      {
        kind: 'exchange',
        n: line.n,
        probe: 'watched',
        step: `key ${line.start}`,
        caller: keyed ? 'key' : 'unauthenticated',
        connection: line.connection,
        request: {
          method: line.method,
          target: line.target,
          headers: line.headers,
          body: body === null || body.cut ? null : body,
        },
        sent: line.at,
        received: response.at,
        outcome: { kind: 'answer', ...answerOf(response) },
      },
    ];
  });
  const readable = all.filter((exchange) => !isCoded(exchange));
  return { readable, coded: all.length - readable.length };
}

const answerOf = ({ status, headers, body }: ResponseLine) =>
  body.cut ? { status, headers, body, broken: 'more than was kept' } : { status, headers, body };

const isCoded = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'answer' && !/^(identity)?$/i.test(headerValue(outcome.headers, 'Content-Encoding') ?? '');
