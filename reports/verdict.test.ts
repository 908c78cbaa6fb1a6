import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import {
  conforming,
  explained,
  HOSTILE,
  hostile,
  incomplete,
  recordWith,
  violating,
  wrongTarget,
} from '../evaluation/testing/reports/records.ts';
import { renderVerdict } from './verdict.ts';

const plain = { colour: false, width: 80 };

test('violations stand first, then what is inconclusive, then warnings, and the counts in the last line', () => {
  const verdict = renderVerdict(violating(), plain);
  const marks = verdict.split('\n').flatMap((line) => line.match(/^[✗?!·] \S+/) ?? []);
  assert.deepEqual(marks, ['✗ CREATE-4', '✗ RETRY-1', '? LIMIT-2', '! HTTP-1', '· The', '✗ The']);
  assert.match(
    verdict,
    /\n✗ The target violates 2 requirements of the specification\.\n– 1 MUST requirement was not tested: [A-Z0-9-]+\.\n(?:│ .*\n)+Target: http:\/\/127\.0\.0\.1:8080\/v1\n2 fail · 1 inconclusive · 1 warn · \d+ pass · \d+ not tested · 83 requests \(62 with the key\) · 66 s · plan free · key possibly used by other clients, too\n$/,
  );
});

test('a finding says what is required, what came, where, and how to see it again', () => {
  const finding = {
    verdict: 'fail',
    expected: 'it',
    received: 'none in exchange 12',
    whyItMatters: 'It matters.',
    fix: 'Set it.',
    exchanges: [12, 13],
    repeat: 'curl \\\n  -i',
  } as const;
  assert.equal(
    renderVerdict(recordWith({ 'RETRY-1': finding }), plain).split('\n\n')[0],
    [
      '✗ RETRY-1 fail (MUST): Every 429 response has `Retry-After`.',
      '│ Expected: It.',
      '│ Received: None in exchange 12.',
      '│ Why it matters: It matters.',
      '│ Fix: Set it.',
      '│ Evidence: exchanges 12–13',
      '│ $ curl \\',
      '│     -i',
    ].join('\n'),
  );
});

test('a command that would fill the screen stands in the report alone', () => {
  const repeat = `curl --data '${'x'.repeat(2000)}'`;
  const verdict = renderVerdict(recordWith({ 'RETRY-1': { verdict: 'inconclusive', repeat } }), plain);
  assert.match(verdict, /\n│ The command that repeats it is long: the report has it\.\n/);
  assert.doesNotMatch(verdict, /curl/);
});

test('a conforming target needs four lines at most', () => {
  assert.ok(renderVerdict(conforming(), plain).trimEnd().split('\n').length <= 4);
});

test('lines keep to the width of the terminal, between 40 and 110 columns, and lose no word', () => {
  const reason = 'word '.repeat(60) + 'w'.repeat(300);
  for (const [width, most] of [
    [20, 40],
    [72, 72],
    [500, 110],
    [Number.NaN, 40],
  ] as const) {
    const verdict = renderVerdict(recordWith({ 'RETRY-1': { verdict: 'inconclusive', reason } }), {
      colour: false,
      width,
    });
    const lines = (verdict.split('\n\n')[0] ?? '').split('\n');
    assert.ok(
      lines.every((line) => line.length <= most),
      String(width),
    );
    const text = lines.map((line) => line.replace(/^│ /, '')).join('');
    assert.equal(text.match(/w/g)?.length, 60 + 300);
  }
});

test('colour changes no word, and without it there is no escape sequence', () => {
  for (const record of [violating(), incomplete(), conforming()]) {
    const coloured = renderVerdict(record, { colour: true, width: 80 });
    const bare = renderVerdict(record, plain);
    assert.ok(coloured.includes('\u001b['));
    assert.ok(!bare.includes('\u001b'));
    assert.equal(stripVTControlCharacters(coloured), bare);
  }
});

test('hostile text moves no cursor, reverses no line and gives a build server no command', () => {
  const folded = `${'x'.repeat(37)} `.repeat(3).concat('::error::forged ');
  for (const text of [...HOSTILE, folded, folded.slice(2), folded.slice(8)]) {
    for (const width of [40, 80]) {
      const verdict = renderVerdict(hostile(text), { colour: false, width });
      assert.doesNotMatch(verdict, /[^\n\P{Cc}]|[\u202a-\u202e\u2066-\u2069\u200b\u2028\u2029]/u, text);
      assert.doesNotMatch(verdict, /^\s*::|##[\w-]*\[/m, text);
    }
  }
});

test('a reason that several findings share is shown once', () => {
  const lost = { verdict: 'inconclusive', reason: 'The run was interrupted.' } as const;
  const verdict = renderVerdict(recordWith({ 'LIST-1': lost, 'LIST-2': lost, 'RETRY-3': lost }), plain);
  assert.match(verdict, /^\? 3 inconclusive: LIST-1, LIST-2, RETRY-3\n│ The run was interrupted\.\n\n/);
});

test('findings with one cause are shown once, with the fix and an example, and others keep their own', () => {
  const blocks = renderVerdict(explained(), plain).split('\n\n');
  assert.equal(
    blocks[0],
    [
      '✗ 2 fail, one cause: Creations with an invalid body return 422 instead of 400.',
      '│ CREATE-4, CREATE-7.',
      '│ Fix: Map every validation error to `400`.',
      '│ For example CREATE-4:',
      '│ Expected: 400.',
      '│ Received: 422 in exchange 2.',
      '│ Why it matters: It matters.',
    ].join('\n'),
  );
  assert.match(
    blocks[1] ?? '',
    /^✗ RETRY-1 fail .*\n│ Expected: It\.\n│ Received: None\.\n│ Why it matters: It matters\.\n│ Fix: Set `Retry-After`\.\n│ Evidence: exchange 13$/s,
  );
  assert.match(
    blocks.at(-1) ?? '',
    /^✗ The target violates 3 requirements of the specification\. One cause explains 2\nof them\./,
  );
});

test('findings of several verdicts with one cause are one block, and the cause decides the order', () => {
  const record = explained();
  const [cause] = record.causes;
  assert.ok(cause !== undefined);
  const findings = record.requirements.map((one) =>
    one.id === 'CREATE-7' && one.verdict === 'fail' ? { ...one, verdict: 'warn' as const } : one,
  );
  const causes = [{ ...cause, requirements: ['CREATE-7', 'CREATE-4'] as const }];
  const [first = '', ...others] = renderVerdict({ ...record, causes, requirements: findings }, plain).split(
    '\n\n',
  );
  assert.match(first, /^✗ 1 fail, 1 warn, one cause: .*\n│ CREATE-7, CREATE-4\.\n/s);
  assert.doesNotMatch(others.join('\n'), /CREATE-7/);
});

test('a target that is not the service gets its headline, and no list of requirements', () => {
  const verdict = renderVerdict(wrongTarget(), plain);
  assert.match(
    verdict,
    /^! GET http:\/\/127\.0\.0\.1:8080\/categories answers 404: this does not look like\n│ the service\. Did you mean/,
  );
  assert.doesNotMatch(verdict, /LIST-1/);
  assert.match(verdict, /\n\? No verdict: the target does not look like the service\.\n/);
});

test('after a rejected key what stayed inconclusive is one group', () => {
  const open = { verdict: 'inconclusive', reason: 'One reason.' } as const;
  const record = recordWith(
    { 'LIST-1': open, 'LIST-2': { ...open, reason: 'Another.' } },
    { headline: { kind: 'key-rejected', text: 'The key was rejected (401).', fix: 'Check the key.' } },
  );
  const [first, second] = renderVerdict(record, plain).split('\n\n');
  assert.equal(first, '! The key was rejected (401).\n│ Check the key.');
  assert.equal(
    second,
    '? 2 inconclusive: LIST-1, LIST-2\n│ The key was rejected (401). The reason for each is in report.html.',
  );
});
