import { countOf } from '../../../kernel/basics/text.ts';
import { groupedBy } from '../../../kernel/exchanges/collections.ts';
import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { isRateLimited, unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Headline } from '../../../kernel/findings/record.ts';
import type { Specification } from '../../../spec/specification.ts';
import { firewallRemarks } from '../evidence/circumstances.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { isMissing, lockoutText } from '../evidence/locked-out.ts';
import { endRemarks, numberRemarks, timeRemarks, versionRemarks } from '../evidence/run-remarks.ts';
import { testedWindows } from '../evidence/uses.ts';
import type { JournalContents } from '../model/journal.ts';
import type { ProbeId } from '../probes/index.ts';
import { MAY_BE_THE_KEY } from '../probes/other-spellings.ts';

/** A window shorter than this is for demonstrations and tests, in seconds. */
const SHORT_WINDOW = 30;

const THOROUGH_WINDOWS = 3;

/** What the journal of a run lacks, so that it cannot show that the target conforms: one sentence each. */
export function lackingOf(
  evidence: Evidence,
  { damage, lines }: JournalContents,
  { watched = false }: { readonly watched?: boolean },
): readonly string[] {
  const known = [...damage, ...endRemarks(lines.at(-1)?.kind === 'end' ? evidence.end : undefined)];
  // Traffic that was only watched follows no plan, and its responses in a content coding are left out.
  if (watched) return known;
  const recorded = evidence.exchanges.filter((exchange) => !isMissing(exchange));
  return [
    ...known,
    ...numberRemarks(recorded.map(({ n }) => n)),
    ...timeRemarks(recorded, ({ received }) => received),
    ...unstatedProbes(evidence),
    ...shortProbes(evidence, recorded),
  ];
}

/** What every complete run sends, whatever its inputs, and whatever version recorded it. */
const ALWAYS: readonly ProbeId[] = [
  'preflight',
  'first-creation',
  'creations',
  'list-after-creations',
  'rejections',
  'exhaust-quota',
  'recovery',
  'invalid-credentials',
  'other-spellings',
];

/** Probes that a complete run always has and this one does not state: they were removed together with what they sent. */
function unstatedProbes({ run }: Evidence): readonly string[] {
  if (run.selection !== undefined) return [];
  const stated = new Set(run.probes.flatMap(({ id, requests }) => (requests > 0 ? [id] : [])));
  const missing = ALWAYS.filter((id) => !stated.has(id));
  return missing.length === 0
    ? []
    : [`The journal states no requests of ${missing.join(', ')}, which belong to every complete run.`];
}

/** Although nothing says why: exchanges were removed and numbered anew. What is sent without a key does not depend on a 429. */
function shortProbes({ run, notes, end }: Evidence, recorded: readonly Exchange[]): readonly string[] {
  if (end?.how !== 'finished') return [];
  const sent = groupedBy(recorded, ({ probe }) => probe);
  const found: string[] = [];
  let isKeyLimited = false;
  for (const { id, requests } of run.probes) {
    const own = sent.get(id) ?? [];
    if (own.some(mayShorten)) break;
    isKeyLimited ||= own.some(isRateLimited);
    if (isKeyLimited ? !WITHOUT_KEY.has(id) : ADAPTS.has(id)) continue;
    if (own.length + unsent(id, own).length >= requests || notes.has(id)) continue;
    found.push(
      `The probe ${id} sends ${countOf(requests, 'request')}, and the journal has ${own.length} of it.`,
    );
  }
  return found;
}

/** These send what the service accepts, as far as the quota goes; the last one nothing where no 429 came. */
const ADAPTS: ReadonlySet<string> = new Set<ProbeId>([
  'first-batch',
  'second-batch',
  'exhaust-quota',
  'recovery',
]);

const WITHOUT_KEY: ReadonlySet<string> = new Set<ProbeId>(['invalid-credentials', 'other-spellings']);

/** What `other-spellings` does not send where it is the key itself, and the journal does not have. */
const unsent = (id: string, own: readonly Exchange[]): readonly string[] =>
  id === 'other-spellings' ? MAY_BE_THE_KEY.filter((form) => own.every(({ step }) => step !== form)) : [];

/** After this a probe may send less than it states, and so may the later ones. */
const mayShorten = (exchange: Exchange): boolean =>
  (isRateLimited(exchange) && exchange.caller === 'unauthenticated') ||
  unavailable(exchange) ||
  statusOf(exchange) === undefined;

/** Why a run says less than it could, one sentence each. */
export function remarksOf(
  evidence: Evidence,
  contents: Pick<JournalContents, 'damage'> & { readonly lacking: readonly string[] },
  specification: Specification,
  headline: Headline | undefined,
): readonly string[] {
  const { run } = evidence;
  if (headline?.kind === 'wrong-target') return contents.damage;
  const found = [...contents.lacking];
  found.push(...evidence.lockouts.map(lockoutText), ...firewallRemarks(evidence));
  const windows = testedWindows(evidence);
  if (run.inputs.thorough && windows < THOROUGH_WINDOWS) {
    found.push(
      `Of the three windows of --thorough this run tested ${windows}: a further one needs a 429 at the end of the first one, and a key that is accepted again after that.`,
    );
  }
  if (run.limits.minuteSeconds < SHORT_WINDOW) {
    found.push(
      `The minute of this run lasted ${run.limits.minuteSeconds} s. Such a short window weakens every proof about time: LIMIT-2, LIMIT-4, RATE-8, RATE-9 and RETRY-4 allow a second or two for clocks and rounding. For a certificate, run with the real window.`,
    );
  }
  return [...found, ...versionRemarks(run, specification)];
}
