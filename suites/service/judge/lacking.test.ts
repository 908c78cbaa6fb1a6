import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualRun } from '../../../evaluation/simulation/virtual-run.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import type { JournalLine } from '../model/journal.ts';
import { judge } from './judge.ts';

const specification = await loadSpecification();
const { lines } = await virtualRun({});
const isOf = (line: JournalLine, probe: string): boolean =>
  line.kind === 'exchange' && (probe === '' || line.probe === probe);

/** The journal without a probe (all of them where it has no name), in what it states and in what it holds, numbered anew. */
function without(probe: string): readonly JournalLine[] {
  let n = 0;
  return lines.flatMap((line): readonly JournalLine[] => {
    if (line.kind === 'run')
      return [{ ...line, probes: line.probes.filter(({ id }) => probe !== '' && id !== probe) }];
    if (isOf(line, probe)) return [];
    n += line.kind === 'exchange' ? 1 : 0;
    return [line.kind === 'exchange' ? { ...line, n } : line];
  });
}

const at = lines.findIndex((line) => isOf(line, 'rejections'));
const [before = [], moved = [], after = []] = [
  lines.slice(0, at),
  lines.slice(at, at + 2),
  lines.slice(at + 2),
];

const rows: Readonly<
  Record<string, readonly [journal: readonly JournalLine[], sentence: RegExp | undefined]>
> = {
  'everything that a run records': [lines, undefined],
  'no exchange, and no probe': [without(''), /states no requests of preflight, first-creation/],
  'no probe with other spellings': [
    without('other-spellings'),
    /states no requests of other-spellings, which/,
  ],
  'two lines in another order': [[...before, ...moved.toReversed(), ...after], /were moved or repeated/],
  'a line after its end': [[...lines, ...moved], /has no last line/],
};

for (const [what, [journal, sentence]] of Object.entries(rows)) {
  test(`a journal with ${what} ${sentence === undefined ? 'shows that the target conforms' : 'is incomplete'}`, () => {
    const { outcome, lacking, remarks } = judge({ lines: journal, damage: [] }, specification, {
      strict: false,
    });
    assert.deepEqual(
      [outcome, lacking],
      sentence === undefined ? ['conforms', undefined] : ['incomplete', true],
    );
    if (sentence !== undefined) assert.match(remarks.join('\n'), sentence);
  });
}
