import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Keys } from '../../../suites/service/wire/keyring.ts';
import { secretsOf } from '../../../suites/service/wire/keyring.ts';
import { encodedForms } from './encodings.ts';
import { isOfProtocol, redactedLine, redactor } from './redact.ts';

const key = 'demo-Free-1.k3y+with/odd=signs~"\\';
const keys: Keys = { key, other: 'another-key-of-another-caller' };
const redact = redactor(secretsOf(keys));

test('a key is replaced by its name everywhere', () => {
  assert.equal(redact(`Bearer ${key}, again ${key}`), 'Bearer [key], again [key]');
  assert.equal(redact('Bearer another-key-of-another-caller'), 'Bearer [other key]');
  const encoded = Buffer.from('another-key-of-another-caller').toString('base64');
  assert.match(redact(`Basic ${encoded}`), /^Basic \[other key in base64\].{0,4}$/);
});

const SIGNS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ \t\n'.split('');

for (const value of ['4821973', '482197350162', 'abc12x7', 'a\\b[c]{"', '{[k]}"\\7', '00000000']) {
  const alone = redactor(secretsOf({ key: value }));
  test(`the key ${value} is replaced as a value and as a token, whatever stands beside it`, () => {
    assert.equal(alone(value), '[key]');
    assert.equal(alone(`/v1/${value}?a=${value}&b=${value}`), '/v1/[key]?a=[key]&b=[key]');
    for (const before of ['', ...SIGNS]) {
      for (const after of ['', ...SIGNS]) {
        for (const text of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) {
          const shown = alone(`x${before === '' ? ' ' : before}${text}${after === '' ? ' ' : after}y`);
          assert.ok(!shown.includes(value), shown);
        }
      }
    }
    assert.equal(alone(JSON.stringify({ a: `\n${value}\t` })), '{"a":"\\n[key]\\t"}');
  });
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const isOfWord = (sign: string): boolean => /[A-Za-z0-9]/.test(sign);

for (const value of ['zq7Wk2x', 'zq\\7[W]', '7391486'] as const) {
  const alone = redactor([{ value, name: 'key' }]);
  test(`the key ${value} is found beside every ASCII character that is no letter and no digit`, () => {
    for (const before of ASCII)
      for (const after of ASCII) {
        if (isOfWord(before) || isOfWord(after)) continue;
        // A number of JSON becomes another number.
        const shown = alone(`${before}${value}${after}`).replace(/-\d+(?=.$)/s, '[key]');
        assert.equal(shown, `${before}[key]${after}`);
      }
  });
}

const hex = (code: number): string => code.toString(16).padStart(2, '0');
const ESCAPED: readonly ((code: number) => string)[] = [
  ...['%', '%25', '%2525', '\\x', '\\u00'].map((before) => (code: number) => `${before}${hex(code)}`),
  (code) => `%${hex(code).toUpperCase()}`,
  (code) => JSON.stringify(String.fromCharCode(code)).slice(1, -1),
];

test('a short key is found after every escaped ASCII character that is no letter and no digit', () => {
  const alone = redactor([{ value: 'zq7Wk2x', name: 'key' }]);
  for (const [code, character] of ASCII.entries()) {
    if (isOfWord(character)) continue;
    for (const escaped of ESCAPED)
      for (const before of ['', 'a']) {
        const text = `${before}${escaped(code)}zq7Wk2x`;
        assert.equal(alone(text), text.replace('zq7Wk2x', '[key]'), text);
      }
  }
  for (const scheme of ['Bearer', 'basic', 'token', 'ApiKey'])
    assert.equal(alone(`${scheme}zq7Wk2x`), `${scheme}[key]`);
  assert.equal(alone('%41zq7Wk2x \\x41zq7Wk2x'), '%41zq7Wk2x \\x41zq7Wk2x');
});

/** All printable ASCII signs that HTML has a name for, and characters of two, three and four bytes. */
const NAMED = {
  ...{ '!': 'excl', '"': 'quot', '#': 'num', $: 'dollar', '%': 'percnt', '&': 'amp', "'": 'apos' },
  ...{ '(': 'lpar', ')': 'rpar', '*': 'ast', '+': 'plus', ',': 'comma', '.': 'period', '/': 'sol' },
  ...{ ':': 'colon', ';': 'semi', '<': 'lt', '=': 'equals', '>': 'gt', '?': 'quest', '@': 'commat' },
  ...{ '[': 'lsqb', '\\': 'bsol', ']': 'rsqb', '^': 'Hat', _: 'lowbar', '`': 'grave' },
  ...{ '{': 'lcub', '|': 'verbar', '}': 'rcub' },
} as const;
const OTHER_NAMES = {
  ...{ '*': 'midast', '[': 'lbrack', ']': 'rbrack', '{': 'lbrace', '}': 'rbrace', '|': 'vert' },
  ...{ _: 'UnderBar', '`': 'DiacriticalGrave' },
} as const;
const WIDE = 'Az09£é߿ࠀ€￮𐀀😀\u{10ffff}';

/** How a character may be written, each again percent-encoded and within JSON. */
const writings: Readonly<Record<string, (c: string) => string>> = {
  'percent-encoded': (c) => [...Buffer.from(c)].map((byte) => `%${hex(byte)}`).join(''),
  'percent-encoded twice': (c) => [...Buffer.from(c)].map((byte) => `%25${hex(byte)}`).join(''),
  'in JSON escapes': (c) => c.replace(/[\s\S]/g, (unit) => `\\u${hex(unit.charCodeAt(0)).padStart(4, '0')}`),
  'in upper-case JSON escapes': (c) =>
    c.replace(/[\s\S]/g, (unit) => `\\u${hex(unit.charCodeAt(0)).toUpperCase().padStart(4, '0')}`),
  'in decimal references': (c) => `&#${c.codePointAt(0)};`,
  'in hexadecimal references': (c) => `&#x${hex(c.codePointAt(0) ?? 0)};`,
  'in upper-case references': (c) => `&#X${hex(c.codePointAt(0) ?? 0).toUpperCase()};`,
  'in references without a semicolon': (c) => `&#${c.codePointAt(0)}`,
  'in references with zeros before': (c) => `&#000${c.codePointAt(0)};`,
  'in braces, as JavaScript writes it': (c) => `\\u{${hex(c.codePointAt(0) ?? 0)}}`,
  'in braces, as Perl writes it': (c) => `\\x{${hex(c.codePointAt(0) ?? 0)}}`,
  'in octal': (c) => (c < '\u0100' ? `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}` : c),
  'as old scripts write it': (c) => (c < '\u0100' ? `%u00${hex(c.charCodeAt(0))}` : c),
  'after a backslash': (c) => (`"'\\/`.includes(c) ? `\\${c}` : c),
  'in two hexadecimal digits': (c) => (c < '\u0100' ? `\\x${hex(c.charCodeAt(0))}` : c),
  'in named references': (c) => (c in NAMED ? `&${NAMED[c as keyof typeof NAMED]};` : c),
  'in other named references': (c) =>
    c in OTHER_NAMES ? `&${OTHER_NAMES[c as keyof typeof OTHER_NAMES]};` : c,
};

for (const [name, write] of Object.entries(writings)) {
  test(`a key of any characters is found ${name}, also where that is escaped again`, () => {
    for (const value of [`k${Object.keys(NAMED).join('')}-~`, `"\\/'key-9`, WIDE]) {
      const found = redactor([{ value, name: 'key' }]);
      const written = [...value].map(write).join('');
      assert.equal(found(`<${written}>`), '<[key]>');
      const half = [...value].map((c, i) => (i % 2 === 0 ? c : write(c))).join('');
      // The literal sign after such a reference may belong to it.
      if (!name.includes('without a semicolon')) assert.equal(found(`<${half}>`), '<[key]>', half);
      const json = JSON.stringify(written);
      assert.equal(found(json), '"[key]"');
      assert.equal(found(JSON.stringify(json)), '"\\"[key]\\""');
      if (name !== 'percent-encoded twice')
        assert.equal(found(`<${encodeURIComponent(written)}>`), '<[key]>');
    }
  });
}

test('a key is found percent-encoded up to four times', () => {
  for (const times of [0, 1, 2, 3]) {
    const text = [...Buffer.from(key)].map((byte) => `%${'25'.repeat(times)}${hex(byte)}`).join('');
    assert.equal(redact(`<${text}>`), '<[key]>', text);
  }
});

test('a short key is found within a word at the side where it has a sign, and at no other', () => {
  for (const [value, text, shown] of [
    ['-ab12c', 'x-ab12c', 'x[key]'],
    ['-ab12c', '-ab12cx', '-ab12cx'],
    ['a-b12c', 'xa-b12c', 'xa-b12c'],
    ['ab12c-', 'ab12c-x', '[key]x'],
    ['ab12c-', 'xab12c-', 'xab12c-'],
    ['ab12-c', 'ab12-cx', 'ab12-cx'],
  ] as const)
    assert.equal(redactor([{ value, name: 'key' }])(text), shown, text);
});

test('a key is found in every encoding of its bytes, whatever stands around it', () => {
  const value = 'pk-Zx81/aQm4+ü';
  const bytes = Buffer.from(value);
  const found = redactor([{ value, name: 'key' }, ...encodedForms({ value, name: 'key' })]);
  const lower = bytes.toString('hex');
  const digits = [lower, lower.toUpperCase()].flatMap((one) =>
    ['', ' ', ':', '-', ',', ', ', ' 0x', ',0x', ', 0x'].map((sign) => one.replace(/..(?=.)/g, `$&${sign}`)),
  );
  const spellings = [value.toUpperCase(), value.toLowerCase(), [...value].join('\0'), bytes.join(' ')];
  for (const form of [...spellings, ...digits])
    assert.match(found(`x ${form} y`), /^x \[key in [^\]]+\] y$/, form);
  for (const before of ['', 'u', 'us', 'user', 'admin:'])
    for (const form of ['base64', 'base64url'] as const) {
      const text = Buffer.from(`${before}${value}!`).toString(form);
      assert.match(found(text), /^.{0,8}\[key in base64\].{0,4}$/, text);
      const again = Buffer.from(`${before}${bytes.toString(form)}`).toString(form);
      if (form === 'base64') assert.match(found(again), /^.{0,8}\[key in base64\].{0,8}$/, again);
    }
});

test('a key is found in base32, and as a service writes it that parsed it', () => {
  const found = (value: string, text: string): string =>
    redactor([{ value, name: 'key' }, ...encodedForms({ value, name: 'key' })])(`x ${text} y`);
  for (const text of [
    'OBVS2WTYHAYS6YKRNU2CC===',
    'OVYGWLK2PA4DCL3BKFWTIII=',
    'OVZXA2ZNLJ4DQMJPMFIW2NBB',
    'OVZWK4DLFVNHQOBRF5QVC3JUEE======',
    'OVZWK4TQNMWVU6BYGEXWCULNGQQQ====',
  ])
    assert.match(found('pk-Zx81/aQm4', text), /^x .{0,8}\[key in base32\].{0,10} y$/, text);
  const uuid = '3f2a9c81-7d54-4b6e-9a10-c5d2e8f07b36';
  const bare = uuid.replaceAll('-', '');
  const rows = [
    [uuid, bare],
    [uuid, bare.toUpperCase()],
    [bare, uuid],
    [bare, uuid.toUpperCase()],
    ['aB+c/dE9fGh1==', 'aB-c_dE9fGh1'],
    ['aB+c/dE9fGh1==', 'aB+c/dE9fGh1'],
    ['aB+c/dE9fGh1==', 'aB c/dE9fGh1=='],
  ] as const;
  for (const [value, text] of rows) assert.equal(found(value, text), 'x [key in another spelling] y', text);
});

test('a key is found in base64 of the JSON that has it', () => {
  const value = 'pk"Zx81\\aQm4+';
  const found = redactor([{ value, name: 'key' }, ...encodedForms({ value, name: 'key' })]);
  for (const name of ['a', 'ab', 'abc']) {
    const text = Buffer.from(JSON.stringify({ [name]: value })).toString('base64');
    assert.match(found(text), /\[key in base64\]/);
  }
});

test('a key is found in base64 of UTF-16, as PowerShell writes it', () => {
  const value = 'pk-Zx81/aQm4';
  const found = redactor(encodedForms({ value, name: 'key' }));
  for (const before of ['', 'u', 'us'])
    for (const form of ['base64', 'base64url'] as const) {
      const text = Buffer.from(`${before}${value}!`, 'utf16le').toString(form);
      assert.match(found(text), /^.{0,8}\[key in base64\].{0,8}$/, text);
    }
});

test('a number or a date that is judged stays what it is, and is replaced in any other header and form', () => {
  const secrets = [
    { value: '17970', name: 'key' },
    { value: '12:00:00', name: 'time' },
  ] as const;
  const digits = redactor(secrets);
  const line = (name: string, value: string): string => redactedLine([name, value], digits)[1];
  const figures = ['X-RateLimit-Limit', 'x-ratelimit-remaining', 'X-RateLimit-Reset', 'Retry-After', 'Age'];
  for (const name of [...figures, 'Content-Length', 'X-Total-Count']) {
    for (const value of ['17970', ' 17970 ', '17970.5']) assert.equal(line(name, value), value);
    assert.equal(line(name, '17970;w=60'), '[key];w=60');
  }
  const dates = ['Sun, 22 Nov 2026 12:00:00 GMT', 'Sunday, 22-Nov-26 12:00:00 GMT'];
  for (const name of ['Date', 'Expires', 'Retry-After'])
    for (const value of [...dates, 'Sun Nov 22 12:00:00 2026']) assert.equal(line(name, value), value);
  assert.equal(line('X-Echo', '17970'), '[key]');
  assert.equal(line('Date', 'at 12:00:00'), 'at [time]');
  assert.deepEqual(redactedLine(['X-17970', 'a'], digits), ['X-[key]', 'a']);
});

test('a key of signs is found in JSON within JSON, and that again', () => {
  let text = key;
  for (const _ of [1, 2, 3]) {
    text = JSON.stringify(text).slice(1, -1);
    assert.equal(redact(`<${text}>`), '<[key]>', text);
  }
});

test('a short key is no part of a longer word; from eight characters on it is found within one', () => {
  assert.equal(redactor(secretsOf({ key: 'abc12x7' }))('{"name":"zabc12x7"}'), '{"name":"zabc12x7"}');
  assert.equal(redactor(secretsOf({ key: '48219735' }))('z48219735y'), 'z[key]y');
});

test('a number in JSON that is the key stays a number, and a longer one stays what it is', () => {
  const digits = redactor(secretsOf({ key: '48219735' }));
  const { id, of } = JSON.parse(digits('[{"id": 48219735 , "of":[48219735,1482197350,-48219735]}]'))[0];
  assert.ok(Number.isSafeInteger(id) && id < 0);
  assert.deepEqual(of, [id, 1482197350, -0]);
  for (const [text, shown] of [
    ['[1,48219735,2]', '[1,-1,2]'],
    ['[48219735.25]', '[0.25]'],
    ['[148219735]', '[148219735]'],
    ['[482197350]', '[482197350]'],
  ] as const)
    assert.equal(redactor([{ value: '48219735', name: 'key' }])(text), shown);
});

test('nothing of the protocol is a secret, not even as a part of a key that is sent in its place', () => {
  const line = 'Content-Type: application/json {"description":"a"} X-RateLimit-Limit';
  const words = ['application', 'applications', 'description', 'Bearer', 'X-RateLimit-Limit'];
  for (const word of [...words, 'application-x']) {
    assert.equal(redactor(secretsOf({ key: word }, [['X-Type', 'application/json']]))(line), line);
  }
});

test('the value of a gateway header is a secret, too, unless it is too short', () => {
  const headers = [['X-Gateway', 'gateway-secret'] as const, ['X-Debug', '1'] as const];
  const gateway = redactor(secretsOf({ key }, headers));
  assert.equal(gateway('gateway-secret 1'), '[value of X-Gateway] 1');
});

test('no key survives in any text around it', () => {
  fc.assert(
    fc.property(
      fc
        .string({ minLength: 9, maxLength: 40 })
        .filter((text) => /^[\x21-\x7e]+$/.test(text) && !isOfProtocol(text)),
      fc.string(),
      fc.string(),
      (secret, before, after) => {
        const out = redactor([{ value: secret, name: 'key' }])(`${before}${secret}${after}`);
        assert.ok(!out.replaceAll('[key]', '').includes(secret));
      },
    ),
  );
});

test('overlapping and self-similar keys, and keys inside escapes, are found as a regular expression would find them', () => {
  const secrets = [
    { value: 'aaaaaaaab', name: 'long' },
    { value: 'aaaaaaaa', name: 'short' },
    { value: '\\\\\\\\\\\\\\\\', name: 'backslashes' },
    { value: '412345678', name: 'digits' },
  ];
  const rows: readonly (readonly [text: string, redacted: string])[] = [
    ['aaaaaaaaaaaaaab', '[short]aaaaaab'],
    ['xaaaaaaaabx', 'x[long]x'],
    ['aaaaaaa\\u0061b', '[long]'],
    ['aaaaaaa%61%62', '[long]'],
    ['\\'.repeat(16), '[backslashes]'],
    ['\\'.repeat(17), '[backslashes]'],
    ['\\'.repeat(7), '\\'.repeat(7)],
    ['"412345678"', '"[digits]"'],
    ['Bearer412345678', 'Bearer[digits]'],
    ['=\\u00412345678', '=\\u00[digits]'],
  ];
  const redactAll = redactor(secrets);
  for (const [text, redacted] of rows) assert.equal(redactAll(text), redacted, text);
});

test('a key is found right after another one, and named as it is written', () => {
  const found = redactor([{ value: 'abcdefgh', name: 'key', escapedName: 'key, escaped' }]);
  assert.equal(found('abcdefghabcdefgh.abcdefgh'), '[key][key].[key]');
  assert.equal(found('abcdefgh%61bcdefgh'), '[key][key, escaped]');
});

test('a key is found after an incomplete escape', () => {
  const found = redactor([{ value: 'abcdefgh', name: 'key' }]);
  assert.equal(found('100%abcdefgh'), '100%[key]');
  assert.equal(found('\\abcdefgh \\uabcdefgh'), '\\[key] \\u[key]');
});

test('the bytes of a key are found as Node prints them, and JSON stays JSON', () => {
  const key = 'pk-Zx81/aQm4';
  const redacted = redactor(encodedForms({ value: key, name: 'key' }));
  // The number says which secret it was.
  const found = (text: string): string => redacted(text).replace(/-\d+/g, '-N');
  const list = [...Buffer.from(key)];
  assert.equal(found(JSON.stringify(Buffer.from(key))), '{"type":"Buffer","data":[-N]}');
  const printed = list.map((byte) => hex(byte)).join(' ');
  assert.equal(found(`<Buffer ${printed}>`), '<Buffer [key in hexadecimal]>');
  assert.equal(found(`bytes ${list.join(', ')}.`), 'bytes [key in bytes].');
  assert.equal(found(JSON.stringify([...list, 1000])), '[-N,1000]');
});
