import { join } from 'node:path';
import { isOfBytes } from '../../reference-server/catalogue/faults/fault.ts';
import { describeFaults } from '../../reference-server/catalogue/faults/index.ts';
import { register } from '../../spec/register.ts';
import { table } from '../../tools/docs/blocks.ts';
import type { FaultResult } from './pass.ts';

/** The MUSTs that no response of a server fails in a run without `--exclusive-key`, and why. */
const EXEMPT: ReadonlyMap<string, string> = new Map([
  [
    'BAN-2',
    'Another client may have caused a ban of the key under test. With --exclusive-key, ban-for-everybody fails it.',
  ],
  ['VER-1', 'It is about the base address, which the user gives; no response of a server changes it.'],
  ['VER-2', 'It is about a document that the user names; no response of the operations changes it.'],
]);

/** How many of these faults each requirement that `certify` judges fails and warns of. */
const countsOf = (results: readonly FaultResult[]) =>
  register
    .filter(({ judged }) => judged === 'by certify')
    .map(({ id, level }) => ({
      ...{ id, level, exempt: EXEMPT.get(id) },
      failedBy: results.filter(({ fails }) => fails.includes(id)).length,
      warnedBy: results.filter(({ warns }) => warns.includes(id)).length,
    }));

/** The weaknesses that results show, one sentence each: faults that survive, and requirements that find nothing. */
export function weaknesses(results: readonly FaultResult[]): readonly string[] {
  const ofFaults = results.flatMap(({ fault: { id, undecidable }, fails, warns }) => {
    if (undecidable !== undefined)
      return fails.length === 0
        ? []
        : [`The fault ${id} is declared undecidable, but it fails ${fails.join(', ')}.`];
    return fails.length + warns.length > 0
      ? []
      : [`The fault ${id} survives: no requirement fails or warns, and no proof says why.`];
  });
  const idle = countsOf(results).flatMap(({ id, level, failedBy, warnedBy, exempt }) => {
    if (level === 'MUST' && failedBy === 0 && exempt === undefined)
      return [`The MUST ${id} finds nothing: no fault fails it.`];
    return level === 'SHOULD' && warnedBy === 0
      ? [`The SHOULD ${id} finds nothing: it warns of no fault.`]
      : [];
  });
  return [...ofFaults, ...idle];
}

/** The committed page of the kill matrix. */
export const MATRIX_PAGE = join(import.meta.dirname, '..', 'MATRIX.md');

/** The kill matrix in Markdown; `npm run evaluate -- matrix` writes it. */
export function renderMatrix(results: readonly FaultResult[]): string {
  const chapters = [...new Set(register.map(({ chapter }) => chapter))];
  const others = results.flatMap((one) =>
    one.others.length === 0 ? [] : [[`\`${one.fault.id}\``, one.others.join(', ')]],
  );
  const parts = [
    INTRODUCTION,
    totals(results),
    ...chapters.flatMap((chapter) => chapterPart(chapter, results)),
    '## MUSTs that no fault fails, and why',
    table(
      ['Requirement', 'Why'],
      [...EXEMPT].map(([id, why]) => [id, why]),
    ),
    OTHERS,
    table(['Fault', 'Verdicts'], others),
    '## Undecidable faults, and why',
    undecidableTable(results),
    OUTSIDE,
  ];
  return `${parts.join('\n\n')}\n`;
}

const INTRODUCTION = `# The kill matrix

All faults of the catalogue (inject one with \`petstore-conformance serve --fault ID\`), and the requirements that find
each of them. \`npm run evaluate -- matrix\` writes this page. \`evaluation/catalogue.test.ts\` repeats every run; it
fails where a result differs from this page, where a MUST finds no fault, and where a fault survives.

The requirements under *fail* failed, those under *warn* warned, and all others kept their verdict unless *What else a fault
changes* lists them. *Undecidable*: a conforming service can behave the same; the proofs stand below. Faults marked *(bytes)*
run over sockets with a window of six seconds, all others in virtual time with the windows of the specification.`;

const OTHERS = `## What else a fault changes

Every verdict besides fail and warn that the server without the fault does not get in the same run. A requirement that is
inconclusive or not tested because of a fault is no mistake; one that changes unseen is.`;

const OUTSIDE = `## Out of scope

- *Pipelined requests.* Four popular limiters read a shared record after an \`await\` and rate-limit all of them. The
  suites never pipeline, because no common client does, so the catalogue has no such fault.
- *Responses to HEAD, OPTIONS and unknown paths with the key.* The specification has no such operations. Without a valid
  key they must not serve what it protects (AUTH-1).
- *The second daily window.* It would take two days. LIMIT-9 is tested with an exhausted key, or by using a day (--spend-day).

Every fault here is built into the reference server. [OUTSIDERS.md](OUTSIDERS.md) counts what is caught, and what is missed,
in services of other languages and frameworks.`;

function totals(results: readonly FaultResult[]): string {
  const failed = results.filter(({ fails }) => fails.length > 0).length;
  const warned = results.filter(({ fails, warns }) => fails.length === 0 && warns.length > 0).length;
  const undecided = results.filter(({ fault }) => fault.undecidable !== undefined).length;
  const withOption = results.filter(({ failsWith }) => failsWith !== undefined).length;
  const musts = countsOf(results).filter(({ level, exempt }) => level === 'MUST' && exempt === undefined);
  const effective = musts.filter(({ failedBy }) => failedBy > 0).length;
  return `${results.length} faults: ${failed} fail at least one requirement, ${warned} only cause warnings, and ${undecided} are proven undecidable; an option of the run changes what fails for ${withOption}. Of the ${musts.length} MUSTs that a response can violate beyond doubt without --exclusive-key, ${effective} find at least one fault.`;
}

const chapterOf = new Map(describeFaults().map(({ id, chapter }) => [id, chapter]));

function chapterPart(chapter: string, results: readonly FaultResult[]): readonly string[] {
  const own = results.filter(({ fault }) => chapterOf.get(fault.id) === chapter);
  if (own.length === 0) return [];
  const rows = own.map(({ fault, fails, warns, outcome }) => [
    `\`${fault.id}\`${isOfBytes(fault) ? ' (bytes)' : ''}`,
    fault.description,
    fails.join(', ') || (fault.undecidable === undefined ? '' : 'undecidable'),
    warns.join(', '),
    outcome,
    fault.seenIn,
  ]);
  return [
    `## ${chapter}`,
    table(['Fault', 'What the server does', 'fail', 'warn', 'Outcome', 'Seen in'], rows),
  ];
}

function undecidableTable(results: readonly FaultResult[]): string {
  const rows = results.flatMap(({ fault: { id, undecidable }, outcome, failsWith = {} }) => {
    const decided = Object.entries(failsWith).map(([option, ids]) => `${option}: ${ids.join(', ')}`);
    return undecidable === undefined
      ? []
      : [[`\`${id}\``, undecidable.requirement, undecidable.because, outcome, decided.join('; ')]];
  });
  return table(['Fault', 'Requirement', 'Proof', 'Outcome', 'What fails with an option'], rows);
}
