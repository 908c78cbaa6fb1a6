import { groupedBy } from '../../exchanges/collections.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { statusOf } from '../../exchanges/headers.ts';
import { isRateLimited, unavailable } from '../../exchanges/outcome-kinds.ts';
import type { Specification } from '../../spec/specification.ts';
import { countOf } from '../../words/text.ts';
import { isMissing } from '../evidence/accounted.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { firewallRemarks } from '../evidence/firewall.ts';
import { testedWindows } from '../evidence/further-windows.ts';
import { lockoutText } from '../evidence/locked-out.ts';
import { endRemarks, gapRemarks, versionRemarks } from '../evidence/run-remarks.ts';
import type { JournalContents } from '../model/journal.ts';
import type { Headline } from '../model/record.ts';
import { firstBatch, secondBatch } from '../probes/creations.ts';
import { exhaustQuota } from '../probes/exhaust-quota.ts';

/** A window shorter than this is for demonstrations and tests, in seconds. */
const SHORT_WINDOW = 30;

/** The windows of a thorough run. */
const THOROUGH_WINDOWS = 3;

/** What the journal of a run lacks, so that it cannot show that the target conforms: one sentence each. */
export function lackingOf(evidence: Evidence, { damage }: JournalContents): readonly string[] {
  const known = [...damage, ...endRemarks(evidence.end)];
  // Traffic that was only watched follows no plan, and its responses in a content coding are left out.
  if (evidence.run.probes.length === 0) return known;
  const recorded = evidence.exchanges.filter((exchange) => !isMissing(exchange));
  return [...known, ...gapRemarks(recorded.map(({ n }) => n)), ...shortProbes(evidence, recorded)];
}

/**
 * Probes that sent less than the run states, although neither a note nor a 429, an outage or a lost response up to then says why:
 * the exchanges were removed and the others numbered anew.
 */
function shortProbes({ run, notes, end }: Evidence, recorded: readonly Exchange[]): readonly string[] {
  if (end?.how !== 'finished') return [];
  const sent = groupedBy(recorded, ({ probe }) => probe);
  const found: string[] = [];
  for (const { id, requests } of run.probes) {
    const own = sent.get(id) ?? [];
    if (own.some(mayShorten)) break;
    if (ADAPTS.has(id) || own.length >= requests || notes.has(id)) continue;
    found.push(
      `The probe ${id} sends ${countOf(requests, 'request')}, and the journal has ${own.length} of it.`,
    );
  }
  return found;
}

/** These send what the service accepts, as far as the quota goes. */
const ADAPTS: ReadonlySet<string> = new Set([firstBatch.id, secondBatch.id, exhaustQuota.id]);

/** After this a probe may send less than it states, and so may the later ones. */
const mayShorten = (exchange: Exchange): boolean =>
  isRateLimited(exchange) || unavailable(exchange) || statusOf(exchange) === undefined;

/** Why a run says less than it could, one sentence each. */
export function remarksOf(
  evidence: Evidence,
  contents: JournalContents,
  specification: Specification,
  headline: Headline | undefined,
): readonly string[] {
  const { run } = evidence;
  if (headline?.kind === 'wrong-target') return contents.damage;
  const found = [...lackingOf(evidence, contents)];
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
