import type { TestInfo } from '@playwright/test';
import type { Finding, Observation, RunRecord } from '../../kernel/findings/record.ts';
import type { RequirementId } from '../../spec/register.ts';
import { errorWithoutStack } from './error-without-stack.ts';
import { exchangeText } from './exchange-text.ts';
import { failureOf, testResultOf } from './verdicts.ts';

/**
 * Reports the verdict on a requirement, or an observation, as the result of its test.
 * @throws {Error} without a stack where the test fails.
 */
export async function reportEntry(id: RequirementId, record: RunRecord, info: TestInfo): Promise<void> {
  const finding = record.requirements.find((one) => one.id === id);
  if (finding !== undefined) return reportFinding(finding, record, info);
  const observation = record.observations.find((one) => one.id === id);
  if (observation !== undefined) return reportObservation(observation, record, info);
  throw new Error(`There is no verdict on ${id}.`);
}

async function reportFinding(finding: Finding, record: RunRecord, info: TestInfo): Promise<void> {
  const { verdict, because, exchanges } = finding;
  const result = testResultOf(finding);
  info.skip(result === 'skip', because);
  info.annotations.push({ type: verdict, description: because });
  await attach(exchanges, record, info);
  if (verdict !== 'pass') {
    const body = JSON.stringify(finding, null, 2);
    await info.attach('finding', { body, contentType: 'application/json' });
  }
  compareWithBaseline(finding, record, info);
  if (result === 'fail') throw failureOf(finding, record.causes);
}

/**
 * A known violation is a failure that Playwright expects. An expired entry changes nothing but the text.
 * @throws {Error} where the baseline has an entry that is no longer needed.
 */
function compareWithBaseline(finding: Finding, { baseline }: RunRecord, info: TestInfo): void {
  const { id } = finding;
  if (finding.verdict === 'fail' && finding.known !== undefined) {
    const { reason, owner, expires } = finding.known;
    info.fail(true, `Known violation: ${reason} (${owner}, until ${expires})`);
  }
  const expired = baseline?.expired.find((entry) => entry.id === id);
  if (expired !== undefined) {
    const description = `The entry of the baseline expired on ${expired.expires} (${expired.owner}).`;
    info.annotations.push({ type: 'expired', description });
  }
  if (baseline?.stale.includes(id) === true) {
    throw errorWithoutStack(
      `The baseline has an entry for ${id}, and the requirement no longer fails. Remove the entry.`,
    );
  }
}

/** An observation never fails, because the specification leaves it open. */
async function reportObservation(
  { value, warning, exchanges }: Observation,
  record: RunRecord,
  info: TestInfo,
): Promise<void> {
  info.annotations.push({ type: 'observed', description: value });
  if (warning !== undefined) info.annotations.push({ type: 'warn', description: warning });
  await attach(exchanges, record, info);
}

async function attach(exchanges: readonly number[], { evidence }: RunRecord, info: TestInfo): Promise<void> {
  for (const exchange of evidence.filter(({ n }) => exchanges.includes(n))) {
    const body = exchangeText(exchange);
    await info.attach(`exchange ${exchange.n}`, { body, contentType: 'text/plain' });
  }
}
