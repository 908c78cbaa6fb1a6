import { test } from '@playwright/test';
import type { Finding, Observation, RunRecord } from '../model/record.ts';
import { JournalError } from '../wire/journal-file.ts';
import { errorWithoutStack } from './error-without-stack.ts';
import { exchangeText } from './exchange-text.ts';
import { testedEntries, titleOf } from './selection.ts';
import { failureOf, judgedRun, testResultOf } from './verdicts.ts';

for (const chapter of new Set(testedEntries.map((entry) => entry.chapter))) {
  test.describe(chapter, { tag: `@${slug(chapter)}` }, () => {
    for (const entry of testedEntries.filter((one) => one.chapter === chapter)) {
      const { id, level, from } = entry;
      const annotation = {
        type: 'specification',
        description: `interface-specification.md#${from.section}: “${from.quote}”`,
      };
      test(titleOf(entry), { tag: `@${level}`, annotation }, async () => {
        const record = await judgedRunOrSentence();
        const finding = record.requirements.find((one) => one.id === id);
        if (finding !== undefined) return reportFinding(finding, record);
        const observation = record.observations.find((one) => one.id === id);
        if (observation !== undefined) return reportObservation(observation, record);
        throw new Error(`There is no verdict on ${id}.`);
      });
    }
  });
}

async function reportFinding(finding: Finding, record: RunRecord): Promise<void> {
  const { verdict, because, exchanges } = finding;
  const result = testResultOf(finding);
  test.info().skip(result === 'skip', because);
  test.info().annotations.push({ type: verdict, description: because });
  await attach(exchanges, record);
  if (result === 'fail') throw failureOf(finding, record.causes);
}

/** An observation never fails, because the specification leaves it open. */
async function reportObservation(
  { value, warning, exchanges }: Observation,
  record: RunRecord,
): Promise<void> {
  const { annotations } = test.info();
  annotations.push({ type: 'observed', description: value });
  if (warning !== undefined) annotations.push({ type: 'warn', description: warning });
  await attach(exchanges, record);
}

async function attach(exchanges: readonly number[], { evidence }: RunRecord): Promise<void> {
  for (const exchange of evidence.filter(({ n }) => exchanges.includes(n))) {
    await test
      .info()
      .attach(`exchange ${exchange.n}`, { body: exchangeText(exchange), contentType: 'text/plain' });
  }
}

async function judgedRunOrSentence(): Promise<RunRecord> {
  try {
    return await judgedRun();
  } catch (error) {
    throw error instanceof JournalError ? errorWithoutStack(error.message) : error;
  }
}

/** `Retry-After and ban` as a tag: `retry-after-and-ban`. */
function slug(chapter: string): string {
  return chapter
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
