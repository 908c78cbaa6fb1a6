import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandIn } from '../../evaluation/testing/cli/command.ts';
import { profiles } from '../../load/profiles/index.ts';
import { faults } from '../../reference-server/catalogue/faults/index.ts';
import { variants } from '../../reference-server/catalogue/variants/index.ts';
import { loadRegister, register } from '../../spec/register.ts';
import { expectationPage } from '../handbook/page.ts';

/** Of each command that lists a catalogue, what the row of each entry has. */
const catalogues = {
  explain: [...register, ...loadRegister].map(({ id, level, sentence, from }) => ({
    id,
    parts: [level, sentence, from === undefined ? 'load/PROFILES.md' : `#${from.section}`],
  })),
  'serve --list faults': faults.map(({ id, breaks, description }) => ({
    id,
    parts: [...breaks, description],
  })),
  'serve --list variants': variants.map(({ id, outcome, warnings, inconclusive, description }) => {
    const ids = [...warnings, ...inconclusive];
    const named = ids.length > 2 ? [`${ids.length} requirements`] : ids;
    return { id, parts: [outcome, ...named, description] };
  }),
};
for (const [line, entries] of Object.entries(catalogues)) {
  test(`${line} lists the whole catalogue, as a table and as JSON`, async (t) => {
    const { out } = await commandIn(t).exits(0, line);
    const json = await commandIn(t).exits(0, `${line} --json`);
    assert.deepEqual(
      JSON.parse(json.out).map(({ id }: { id: string }) => id),
      entries.map(({ id }) => id),
    );
    for (const { id, parts } of entries) {
      const row = out.split('\n').find((one) => one.startsWith(`${id} `)) ?? '';
      for (const part of parts) assert.ok(row.includes(part), `${id}: ${part}`);
    }
  });
}

test('explain --json holds every field of the register', async (t) => {
  const { out } = await commandIn(t).exits(0, 'explain --json');
  for (const one of JSON.parse(out))
    for (const field of ['level', 'chapter', 'sentence', 'from', 'judged'])
      assert.equal(typeof one[field], 'string', `${one.id}: ${field}`);
});

/** How the page of each begins; a threshold is named by no requirement. */
const PAGES: Readonly<Record<string, RegExp>> = {
  'retry-1': /^RETRY-1: .*\n\nLevel\n {2}MUST/,
  'no-429 --markdown': /^# NO-429\n\n\*\*A client that stays below the limit/,
  LATENCY: /^LATENCY: [\s\S]*--latency-ms/,
  'THRESHOLD-12': /^THRESHOLD-12: [\s\S]*--thresholds/,
};
for (const [id, page] of Object.entries(PAGES)) {
  test(`explain ${id} prints its page`, async (t) => {
    const { out } = await commandIn(t).exits(0, `explain ${id}`);
    assert.match(out, page);
  });
}

test('the page of an expectation names every profile that judges it', () => {
  for (const { id } of loadRegister) {
    const [, judgedIn = ''] = /## Profiles that judge it\n\n(.*)/.exec(expectationPage(id)) ?? [];
    for (const profile of profiles)
      assert.equal(
        judgedIn.includes(`\`${profile.id}\``),
        profile.expects.includes(id),
        `${id} ${profile.id}`,
      );
  }
});
