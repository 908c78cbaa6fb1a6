import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FLAGS } from '../../../interfaces/options/names.ts';
import { register } from '../../../spec/register.ts';
import type { SelectionOptions } from './read-selection.ts';
import { readSelection as read } from './read-selection.ts';
import { quickIds } from './select.ts';

const readSelection = (options: SelectionOptions, selected?: readonly string[]) =>
  read(options, FLAGS, selected);
const idsOf = (...given: Parameters<typeof readSelection>) => readSelection(...given)?.requirements ?? [];
const level = (name: string) =>
  register.filter((one) => one.judged === 'by certify' && one.level === name).map(({ id }) => id);

describe('the options that limit a run', () => {
  test('none of them leaves the run complete', () => {
    assert.equal(readSelection({}), undefined);
    assert.equal(readSelection({ quick: false }), undefined);
  });

  test('name ids, chapters and levels, in lists, in any case and in the order of the register', () => {
    assert.deepEqual(idsOf({ only: ['create-4'] }), ['CREATE-4']);
    assert.deepEqual(idsOf({ only: ['RETRY-2, retry-1', 'MEDIA-1'] }), ['MEDIA-1', 'RETRY-1', 'RETRY-2']);
    assert.deepEqual(idsOf({ only: ['BAN'] }), ['BAN-1', 'BAN-2', 'BAN-3']);
    assert.deepEqual(idsOf({ only: ['MUST'] }), level('MUST'));
    assert.deepEqual(idsOf({ only: ['Retry-After and ban'] }).length, 7);
  });

  test('take away from what is left', () => {
    assert.deepEqual(idsOf({ only: ['RETRY'], skip: ['RETRY-1', 'RETRY-4'] }), ['RETRY-2', 'RETRY-3']);
    assert.deepEqual(idsOf({ skip: ['SHOULD,OBSERVE'] }), level('MUST'));
    const quickCreations = idsOf({ quick: true, only: ['CREATE'] });
    assert.ok(quickCreations.length > 10 && quickCreations.every((id) => quickIds.has(id)));
    assert.equal(readSelection({ quick: true, only: ['CREATE'] })?.kind, 'quick');
  });

  test('leave a part of what is selected beforehand', () => {
    assert.deepEqual(idsOf({}, ['RETRY-2', 'RETRY-1']), ['RETRY-1', 'RETRY-2']);
    assert.deepEqual(idsOf({ only: 'RETRY' }, ['RETRY-2', 'CREATE-1']), ['RETRY-2']);
    assert.throws(() => readSelection({ only: 'BAN' }, ['RETRY-2']), /to test among the selected tests\.$/);
  });

  test('end in an error where a name is unknown or nothing is left', () => {
    assert.throws(
      () => readSelection({ only: ['CREAT-4'] }),
      /--only .* not "CREAT-4"\. Did you mean "CREATE-4"\?/,
    );
    assert.throws(() => readSelection({ skip: [''] }), /--skip takes ids/);
    assert.throws(() => readSelection({ only: ['CLIENT-1'] }), /--only takes ids/);
    assert.throws(() => readSelection({ only: ['BAN'], skip: ['BAN'] }), /no requirement to test/);
    assert.throws(() => readSelection({ quick: true, only: ['RETRY'] }), /needs a 429/);
  });
});
