import { codingProblem } from '../../../kernel/exchanges/body.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { answerOf } from '../../../kernel/exchanges/headers.ts';
import type { Finding, ServiceRecord } from '../../../kernel/findings/record.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { RequirementId } from '../../../spec/register.ts';
import type { JournalLine } from '../../service/model/journal.ts';
import type { ClientJournalLine } from '../model/journal.ts';
import { KEY } from '../model/sender.ts';
import { watchedClient } from '../scenarios/index.ts';
import { requestsOf } from './client-request.ts';

/** Shown by each response itself. Everything about counts and windows takes requests that are made for it. */
const SHOWN_BY_TRAFFIC: ReadonlySet<string> = new Set<RequirementId>([
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

/** The traffic of a watched client as the journal of a test of the service behind it; undefined where the client was not watched. @param plan the one assumed for the client's key. @param limits those of this plan. */
export function serviceTraffic(lines: readonly ClientJournalLine[], plan: string, limits: Limits) {
  const [run] = lines;
  if (run?.kind !== 'client-run' || run.client.kind !== 'watched') return undefined;
  const { suite, spec, client, startedAt } = run;
  const inputs = {
    otherKey: false,
    exhaustedKey: false,
    disposableKey: false,
    exclusiveKey: false,
    thorough: false,
    openapi: false,
  };
  const head = {
    kind: 'run',
    journalVersion: 3,
    suite,
    spec,
    target: { baseUrl: client.target, plan },
    limits,
    furtherPlans: {},
    inputs,
    probes: [],
    startedAt,
  } as const;
  const exchanges = exchangesOf(lines, client.target);
  const readable = exchanges.filter(
    ({ outcome }) => outcome.kind === 'answer' && codingProblem(outcome)?.kind !== 'coded',
  );
  const end = lines.findLast((line) => line.kind === 'end');
  const journal: readonly JournalLine[] = [head, ...readable, ...(end === undefined ? [] : [end])];
  return {
    lines: journal,
    /** Responses with a content coding, which are left out: their bodies cannot be read here. */
    coded: exchanges.length - readable.length,
  };
}

/** What was responded below the base address of the service. */
function exchangesOf(lines: readonly ClientJournalLine[], target: string): readonly Exchange[] {
  const base = new URL(target).pathname.replace(/\/+$/, '');
  return requestsOf(lines, new Map()).flatMap(({ arrival, exchange }): readonly Exchange[] => {
    // Another path belongs to another service.
    if (answerOf(exchange) === undefined || !arrival.target.startsWith(`${base}/`)) return [];
    const keyed = arrival.headers.some(([, value]) => value.includes(KEY));
    const caller = keyed ? 'key' : 'unauthenticated';
    return [{ ...exchange, probe: watchedClient.id, step: `key ${arrival.start}`, caller }];
  });
}

/** The record of a service judged by such traffic: it says no more than traffic shows, and never that the service conforms. */
export function shownByTraffic(record: ServiceRecord, { coded }: { readonly coded: number }): ServiceRecord {
  const requirements = record.requirements.map((finding) => (isShown(finding) ? finding : unshown(finding)));
  const violates = requirements.some(({ verdict }) => verdict === 'fail');
  // The plan of the key is unknown, so a headline about it says nothing.
  const { headline: _, ...headless } = record;
  const codedRemark = `${coded} of the responses had a content coding (gzip, br), because the client accepts it; they were not judged.`;
  const remarks = [
    'The service was watched while a client worked with it. Nothing was sent for this report, so it covers only what each response shows by itself; certify tests the rest.',
    ...(coded === 0 ? [] : [codedRemark]),
    ...record.remarks,
  ];
  return {
    ...headless,
    outcome: violates ? 'violates' : 'incomplete',
    requirements,
    remarks,
    observations: [],
  };
}

const isShown = ({ id, verdict }: Finding): boolean =>
  SHOWN_BY_TRAFFIC.has(id) && verdict !== 'inconclusive' && verdict !== 'not-tested';

function unshown({ id, level, chapter, sentence, from }: Finding): Finding {
  const reason = SHOWN_BY_TRAFFIC.has(id)
    ? 'No response of the watched traffic shows it.'
    : 'Watched traffic does not show it: it takes requests that are made for it. Run certify.';
  const undecided = { verdict: 'not-tested', reason, because: reason, exchanges: [] } as const;
  return { id, level, chapter, sentence, from, ...undecided };
}
