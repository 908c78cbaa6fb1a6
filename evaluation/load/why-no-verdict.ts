import assert from 'node:assert/strict';
import type { Finding } from '../../kernel/findings/record.ts';
import { UNCERTAIN } from '../../load/judging/slower.ts';

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
export function whyNoVerdict(findings: readonly Finding[], again = true): string | undefined {
  const open = findings.filter(({ verdict }) => verdict !== 'pass');
  for (const { id, verdict, because } of open) {
    assert.equal(verdict, 'inconclusive', `${id}: ${because}`);
    assert.ok(TOO_BUSY.test(because) || BUNCHED.test(because), `${id}: ${because}`);
  }
  const reason = open.find(({ because }) => TOO_BUSY.test(because)) ?? (again ? undefined : open[0]);
  assert.equal(reason === undefined, open.length === 0, open[0]?.because);
  return reason && `${reason.id}: ${reason.because}`;
}
