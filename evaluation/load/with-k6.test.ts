import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Finding } from '../../kernel/findings/record.ts';
import { UNCERTAIN } from '../../load/judging/slower.ts';
import { previewProfile } from '../../load/preview.ts';
import { PROFILE_IDS } from '../../load/profiles/index.ts';
import { runK6 } from '../../load/run/k6-process.ts';
import { onBusyMachine } from '../testing/tools/busy-machine.ts';
import { withoutK6 } from '../testing/tools/k6.ts';
import { briefLimitsFor, judgedRecord, k6ProcessOf, startTestbed } from './real-load.ts';

/** What a finding says where requests left late, or where latencies vary so much that a difference may be chance. */
const TOO_BUSY = new RegExp(
  [
    '\\d+ scheduled requests? were sent more than 250 ms late \\(up to \\d+ ms\\): this machine was too busy\\.',
    '[Tt]his machine sent requests late',
    'From the actual send times it was no slower\\. Run the profile on a machine that is not busy\\.',
    UNCERTAIN.replaceAll('.', '\\.'),
  ].join('|'),
);

/** What follows from lateness: requests that were held back arrive together. */
const BUNCHED =
  /The announced wait is so short that the limit may be enforced in smaller portions\.(?: It came over a new connection: a firewall may limit how fast connections are opened\.)?(?: The same holds for \d+ more of \d+ keys\.)?$/;

/**
 * Why the machine, and nothing else, kept these findings from a pass; undefined where all passed.
 * @param again whether this is the second attempt: where a busy server alone held requests back, longer windows show that
 * @throws {AssertionError} where one failed, or is open for another reason
 */
function whyNoVerdict(findings: readonly Finding[], again = true): string | undefined {
  const open = findings.filter(({ verdict }) => verdict !== 'pass');
  for (const { id, verdict, because } of open) {
    assert.equal(verdict, 'inconclusive', `${id}: ${because}`);
    assert.ok(TOO_BUSY.test(because) || BUNCHED.test(because), `${id}: ${because}`);
  }
  const reason = open.find(({ because }) => TOO_BUSY.test(because)) ?? (again ? undefined : open[0]);
  assert.equal(reason === undefined, open.length === 0, open[0]?.because);
  return reason && `${reason.id}: ${reason.because}`;
}

const unlessBusy = onBusyMachine();

describe('every profile, run by k6 against a conforming server', {
  skip: withoutK6,
  concurrency: 3,
}, () => {
  for (const profile of PROFILE_IDS) {
    test(`${profile}: sends exactly the previewed requests, and passes`, async (t) => {
      await unlessBusy(t, async (again) => {
        const brief = briefLimitsFor(profile);
        const limits = { ...brief, minuteSeconds: brief.minuteSeconds * (again ? 3 : 1) };
        const { job, counted } = await startTestbed(t, { profile, limits });
        const preview = previewProfile(job.profile, job.inputs);
        const outcome = await runK6(job, k6ProcessOf());
        const { keys, ended } = outcome;
        assert.equal(ended.how, 'finished', ended.because);
        assert.equal(counted(), preview.requests, 'the server counted the previewed requests');
        for (const { key, requests } of preview.keys) {
          assert.equal(keys.get(key)?.recorded, requests, key);
        }
        return whyNoVerdict(judgedRecord(job, outcome).requirements, again);
      });
    });
  }
});
