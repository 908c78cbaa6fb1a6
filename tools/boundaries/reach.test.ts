import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reachOf } from './reach.ts';

/** The lines that each command and interface reaches. A tenth more is a decision: say in the commit why, and state it here. */
const REACH: Readonly<Record<string, number>> = {
  'interfaces/command/commands/attest.ts': 39_600,
  'interfaces/command/commands/certify-client.ts': 39_500,
  'interfaces/command/commands/certify.ts': 50_400,
  'interfaces/command/commands/compare.ts': 5400,
  'interfaces/command/commands/explain.ts': 36_700,
  'interfaces/command/commands/init.ts': 2200,
  'interfaces/command/commands/judge.ts': 42_200,
  'interfaces/command/commands/load.ts': 58_000,
  'interfaces/command/commands/load-manifest.ts': 19_900,
  // With --keys it verifies certificates and judges again, as verify does.
  'interfaces/command/commands/matrix.ts': 41_100,
  'interfaces/command/commands/serve.ts': 15_500,
  'interfaces/command/commands/verify.ts': 40_300,
  'interfaces/command/commands/watch.ts': 37_200,
  'interfaces/library/index.ts': 35_900,
  'interfaces/playwright/index.ts': 37_300,
};

for (const [file, lines] of Object.entries(REACH)) {
  test(`${file} reaches about ${lines} lines`, () => {
    const found = reachOf(file);
    assert.ok(
      found <= 1.1 * lines,
      `${file} reaches ${found} lines: import what it needs where that stands.`,
    );
    assert.ok(found >= 0.9 * lines, `${file} reaches ${found} lines: state the new number.`);
  });
}
