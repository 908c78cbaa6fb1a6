import type { LoadFinding, LoadRecord, LoadVerdict } from '../../load/model/record.ts';
import { caseMessage, caseText } from '../case-texts.ts';
import type { CtrfStatus } from '../ctrf.ts';
import { ctrfOf } from '../ctrf.ts';
import { runMilliseconds } from '../outcome.ts';
import { loadSentence, sentText } from './texts.ts';

const STATUSES = {
  pass: 'passed',
  fail: 'failed',
  inconclusive: 'other',
} as const satisfies Readonly<Record<LoadVerdict, CtrfStatus>>;

/**
 * `ctrf.json` of a load run: one test for each expectation. An inconclusive one is `other`. Every expectation is judged
 * on the whole run, so each test takes as long as the run.
 */
export function renderLoadCtrf(record: LoadRecord): string {
  const { target, profile, verdict, findings } = record;
  return ctrfOf(record, {
    tests: findings.map((finding) => testOf(finding, record)),
    environment: {
      appName: caseText(target.baseUrl),
      testEnvironment: caseText(`load ${profile}, plan ${target.plan}, ${sentText(record)}`),
    },
    extra: { profile, verdict, sentence: loadSentence(record) },
  });
}

function testOf({ id, expected, verdict, because }: LoadFinding, record: LoadRecord) {
  return {
    name: `${id} ${expected}`,
    status: STATUSES[verdict],
    duration: runMilliseconds(record),
    suite: [`load ${record.profile}`],
    rawStatus: verdict,
    tags: [id],
    ...(verdict === 'pass' ? {} : { message: caseMessage(because), trace: caseText(because) }),
  };
}
