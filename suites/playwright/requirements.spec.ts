import { test } from '@playwright/test';
import type { Finding, Observation, RunRecord } from '../model/record.ts';
import { JournalError } from '../wire/journal-file.ts';
import { exchangeText } from './evidence-text.ts';
import { withoutStack } from './one-sentence.ts';
import { examined, titleOf } from './selection.ts';
import { failure, judged, resultOf } from './verdicts.ts';

for (const chapter of new Set(examined.map((entry) => entry.chapter))) {
  test.describe(chapter, { tag: `@${slug(chapter)}` }, () => {
    for (const entry of examined.filter((one) => one.chapter === chapter)) {
      const { id, level, from } = entry;
      const annotation = {
        type: 'specification',
        description: `interface-specification.md#${from.section}: “${from.quote}”`,
      };
      test(titleOf(entry), { tag: `@${level}`, annotation }, async () => {
        const record = await recordOrSentence();
        const finding = record.requirements.find((one) => one.id === id);
        if (finding !== undefined) return report(finding, record);
        const observation = record.observations.find((one) => one.id === id);
        if (observation !== undefined) return show(observation, record);
        throw new Error(`The judges said nothing of ${id}.`);
      });
    }
  });
}

async function report(finding: Finding, record: RunRecord): Promise<void> {
  const { verdict, because, exchanges } = finding;
  const result = resultOf(finding);
  test.info().skip(result === 'skip', because);
  test.info().annotations.push({ type: verdict, description: because });
  await attach(exchanges, record);
  if (result === 'fail') throw failure(finding, record.causes);
}

/** An observation never fails: the specification leaves it open. */
async function show({ value, warning, exchanges }: Observation, record: RunRecord): Promise<void> {
  const { annotations } = test.info();
  annotations.push({ type: 'observed', description: value });
  if (warning !== undefined) annotations.push({ type: 'warn', description: warning });
  await attach(exchanges, record);
}

async function attach(exchanges: readonly number[], { evidence }: RunRecord): Promise<void> {
  for (const one of evidence.filter(({ n }) => exchanges.includes(n))) {
    await test.info().attach(`exchange ${one.n}`, { body: exchangeText(one), contentType: 'text/plain' });
  }
}

async function recordOrSentence(): Promise<RunRecord> {
  try {
    return await judged();
  } catch (error) {
    throw error instanceof JournalError ? withoutStack(error.message) : error;
  }
}

/** `Retry-After and ban` as a tag: `retry-after-and-ban`. */
function slug(chapter: string): string {
  return chapter
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
