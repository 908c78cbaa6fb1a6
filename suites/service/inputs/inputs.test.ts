import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameForms } from '../probes/category-requests.ts';
import { checkedKey } from './checked-keys.ts';
import { readNamePattern } from './name-pattern.ts';
import { tlsAdvice } from './tls-advice.ts';

const written = (pattern: string): string =>
  nameForms({ tag: 'abc', namePattern: readNamePattern(pattern, '--name-pattern') })[0]?.write('full') ?? '';

test('a pattern is a name with one placeholder', () => {
  assert.match(written('Category {id}'), /^Category [a-z]{6}$/);
  assert.match(written('CAT-{number}'), /^CAT-[0-9]{8}$/);
  assert.match(written('{ID}'), /^[A-Z]{6}$/);
});

test('anything else is answered with one sentence', () => {
  const wrong = [
    '',
    'Category',
    '{id}{id}',
    '{id} {ID}',
    '{Id}',
    '"{id}"',
    '\\{id}',
    '{id} ',
    'é{id}',
    `${'x'.repeat(60)}{id}`,
  ];
  for (const pattern of wrong) {
    assert.throws(
      () => readNamePattern(pattern, '--name-pattern'),
      /^UserError: --name-pattern takes a name/,
    );
  }
});

const refused = (key: string, because: RegExp): void =>
  assert.throws(
    () => checkedKey(key, 'The key'),
    ({ message }: Error) => because.test(message) && !message.includes(`"${key}"`),
    key,
  );

test('a key of digits alone, of six characters and of any visible characters is taken', () => {
  for (const key of ['482197', '4821973', 'abc12x', 'a\\b[c]{"d', '{[k]}"\\7'])
    assert.equal(checkedKey(key, 'The key'), key);
});

test('a key that is too short to be told from other text is refused', () => {
  for (const key of ['a', '12345', 'abcde']) refused(key, /fewer than 6 characters/);
});

test('a word of the protocol, a part of one, and one in another case are refused', () => {
  for (const key of [
    'application',
    'applicat',
    'Bearer',
    'BEARER',
    'description',
    'ratelimit',
    'X-RateLimit-Limit',
    '"name":',
  ])
    refused(key, /word of the protocol/);
});

const advice = (detail: string, given = false) => tlsAdvice(detail, { given, input: '--ca' });

// The words of Node 20 and of k6 2.2 about servers of this machine, one of each kind.
for (const [what, expected, details] of [
  [
    'only the certificate of the server is sent',
    /intermediate certificates.*PEM file with --ca/,
    ['unable to verify the first certificate', 'x509: unknown authority'],
  ],
  [
    'a chain of a private authority',
    /^If a private authority .* --ca\.$/,
    ['unable to get local issuer certificate', 'self-signed certificate in certificate chain'],
  ],
  ['a certificate that signs itself', /that PEM file with --ca/, ['self-signed certificate']],
  [
    'an expired certificate',
    /^Renew/,
    [
      'certificate has expired',
      'x509: certificate has expired or is not yet valid: current time 2026-11-25T19:09:37Z is after 2026-11-24T19:09:31Z',
    ],
  ],
  [
    'a certificate of another name',
    /host name/,
    [
      "Hostname/IP does not match certificate's altnames: IP: 127.0.0.1 is not in the cert's list: ",
      "x509: certificate doesn't match hostname",
    ],
  ],
  [
    'an old version of TLS',
    /TLS 1\.2 or 1\.3/,
    [
      'tlsv1 alert protocol version',
      'unsupported protocol',
      'remote error: tls: protocol version not supported',
    ],
  ],
  [
    'no common cipher suite',
    /cipher suites/,
    ['sslv3 alert handshake failure', 'remote error: tls: handshake failure'],
  ],
  ['a certificate of the client', /of the client/, ['remote error: tls: certificate required']],
] as const) {
  for (const detail of details)
    test(`${what}: ${detail}`, () => assert.match(advice(detail) ?? '', expected));
}

test('an authority that was named is to be checked', () => {
  assert.match(
    advice('unable to get local issuer certificate', true) ?? '',
    /^Check that the file that --ca names/,
  );
});

test('other words get no advice', () => assert.equal(advice('other side closed'), undefined));
