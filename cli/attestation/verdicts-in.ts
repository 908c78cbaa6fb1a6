import type { AttestedReport, StatedSpecification } from '../../attestation/attested-run.ts';
import { jsonFields } from '../../words/json.ts';

/**
 * The ids and verdicts in a list of a report; undefined where an entry has none. Loose on purpose, here and where the
 * rest of a report is read: what an edited report contradicts is to be named, and its schema would only reject it.
 */
export function verdictsIn(list: unknown): AttestedReport['requirements'] | undefined {
  if (!Array.isArray(list)) return undefined;
  const verdicts = list.map((one) => {
    const { id, verdict } = jsonFields(one);
    return typeof id === 'string' && typeof verdict === 'string' ? [{ id, verdict }] : [];
  });
  return verdicts.every((one) => one.length === 1) ? verdicts.flat() : undefined;
}

/** The specification that a report names; undefined where it names none. */
export function specificationIn(spec: unknown): StatedSpecification | undefined {
  const { version, digest } = jsonFields(spec);
  return typeof version === 'string' && typeof digest === 'string' ? { version, digest } : undefined;
}

/**
 * The fields in which a report differs from the record that its evidence gives, as one sentence. Both are compared as
 * the report is written: as JSON.
 * @param what the report, at the beginning of a sentence.
 * @param comparable takes out what the evidence does not decide, or what other sentences are about.
 */
export function differenceProblems(
  what: string,
  report: Readonly<Record<string, unknown>>,
  again: object,
  comparable: (record: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
  evidenceGives: string,
): readonly string[] {
  const [stated, found] = [report, jsonFields(JSON.parse(JSON.stringify(again)))].map(comparable);
  const names = new Set([...Object.keys(stated ?? {}), ...Object.keys(found ?? {})]);
  const other = [...names].filter((name) => canonical(stated?.[name]) !== canonical(found?.[name]));
  return other.length === 0
    ? []
    : [`${what} differs from what ${evidenceGives}: ${other.map(quotedName).join(', ')}.`];
}

/** The order of fields means nothing. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  ) ?? 'absent';

/** The name of a field of this program, and no foreign text. */
const quotedName = (name: string): string => (/^\w{1,40}$/.test(name) ? `"${name}"` : 'an unknown field');
