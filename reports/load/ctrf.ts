import type { LoadFinding, LoadRecord, LoadVerdict } from '../../load/model/record.ts';
import type { CtrfStatus } from '../ctrf.ts';
import { ctrfOf } from '../ctrf.ts';
import { bounded } from '../foreign-text.ts';
import { loadSentence, sentText } from './texts.ts';

/** Characters of one text, and of a message, which lists of test results show on one line. */
const [TEXT_LIMIT, MESSAGE_LIMIT] = [4000, 160];

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
      appName: bounded(target.baseUrl, TEXT_LIMIT),
      testEnvironment: bounded(`load ${profile}, plan ${target.plan}, ${sentText(record)}`, TEXT_LIMIT),
    },
    extra: { profile, verdict, sentence: loadSentence(record) },
  });
}

function testOf({ id, expected, verdict, because }: LoadFinding, record: LoadRecord) {
  const milliseconds = Date.parse(record.finishedAt) - Date.parse(record.startedAt);
  return {
    name: `${id} ${expected}`,
    status: STATUSES[verdict],
    duration: Math.max(0, milliseconds || 0),
    suite: [`load ${record.profile}`],
    rawStatus: verdict,
    tags: [id],
    ...(verdict === 'pass'
      ? {}
      : { message: bounded(because, MESSAGE_LIMIT), trace: bounded(because, TEXT_LIMIT) }),
  };
}
