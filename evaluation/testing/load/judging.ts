import type { Judging } from '../../../load/run/other-judge.ts';

/** The program that judges in tests, and its specification. */
export const JUDGING = {
  suite: { name: 'petstore-conformance', version: '0' },
  spec: { version: '1.0.0', digest: `sha256:${'0'.repeat(64)}` },
} as const satisfies Judging;
