import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { keyPair } from '../../evaluation/testing/cli/attested.ts';
import { commandIn, plansFile } from '../../evaluation/testing/cli/command.ts';
import { runProjects, unpacked } from '../../evaluation/testing/cli/run-face.ts';
import { serve } from '../../evaluation/testing/cli/target.ts';
import { filesIn, temporaryFolder } from '../../evaluation/testing/tools/folder.ts';
import { k6Path, withoutK6 } from '../../evaluation/testing/tools/k6.ts';
import { sampleOf } from '../../tools/sample.ts';

const OTHER = 'pk-other-Kd72/hYb+5cNq';

/** A key of each kind that is hard to find. */
const KEYS: Readonly<Record<string, string>> = {
  'with signs of base64': 'pk-Zx81/aQm4+Lw0vT9sRe3',
  'of digits alone': '73914826057318',
  'of seven digits': '7391486',
  'of seven characters': 'zq7Wk2x',
  'with signs of JSON': 'zq\\7[W]{k"2x',
  'with signs of HTML': 'zq&<7W>k\'2x"',
};

const bytes = (text: string): readonly number[] => [...Buffer.from(text)];
const two = (byte: number): string => byte.toString(16).padStart(2, '0');
const each = (text: string, write: (byte: number) => string): string => bytes(text).map(write).join('');
const percent = (text: string): string => each(text, (byte) => `%${two(byte)}`);
const unicode = (text: string): string => each(text, (byte) => `\\u00${two(byte)}`);
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const base64 = (text: string): string => Buffer.from(text).toString('base64').replace(/=+$/, '');
const NAMES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Every way in which a service may send a text back, each an idea of its own: the product has a table, and this is another. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in JSON': json,
  'in JSON in JSON': (text) => json(json(text)),
  'in JSON escapes': unicode,
  'in upper-case JSON escapes': (text) =>
    unicode(text).replaceAll(/[a-f](?=\\|.?\\|.?$)/g, (c) => c.toUpperCase()),
  'in a part of a query': encodeURIComponent,
  'percent-encoded': percent,
  'percent-encoded in capitals': (text) => percent(text).toUpperCase(),
  'percent-encoded twice': (text) => percent(percent(text)),
  'as a query in a query': (text) => percent(text).replaceAll('%', '%25'),
  'in HTML': (text) => text.replaceAll(/[&<>"']/g, (sign) => NAMES[sign] ?? sign),
  'in decimal references': (text) => each(text, (byte) => `&#${byte};`),
  'in hexadecimal references': (text) => each(text, (byte) => `&#x${two(byte)};`),
  'in hexadecimal': (text) => each(text, two),
  'in hexadecimal in capitals': (text) => each(text, two).toUpperCase(),
  'as the bytes of a Buffer': (text) => bytes(text).join(','),
  'in a printed Buffer': (text) => bytes(text).map(two).join(' '),
  'in JSON in base64': (text) => base64(JSON.stringify({ authorization: text })).slice(22),
  'without hyphens': (text) => text.replaceAll('-', ''),
  'in base64': base64,
  'in base64 after a byte': (text) => base64(`u${text}`),
  'in base64 after two bytes': (text) => base64(`u:${text}`),
  'in base64 of URLs': (text) => Buffer.from(`${text}:`).toString('base64url'),
};

/** What of each form must not stand anywhere: in base64 the digits at both ends belong to other characters as well. */
const sought = (key: string): readonly (readonly [form: string, text: string])[] =>
  Object.entries(FORMS).map(([form, write]) => {
    const text = write(key);
    return [form, form.includes('base64') ? text.slice(3, -3) : text];
  });

/** A service that sends every credential back, in headers and bodies, in every form, some of it compressed. */
function reflecting(): RequestListener {
  let n = 0;
  return (request, response) => {
    n += 1;
    const credential = request.headers.authorization ?? '';
    const key = credential.replace(/^\w+ */, '');
    const written = Object.values(FORMS).map((write) => write(key));
    response.setHeader('X-Seen-Key', key === '' ? 'none' : key);
    response.setHeader('X-Echo', [credential, ...written].join(' ').replaceAll(/[^\x20-\x7e]/g, ''));
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('WWW-Authenticate', `Bearer realm="${encodeURIComponent(key)}"`);
    const body = JSON.stringify({
      code: key,
      message: `${request.url} ${JSON.stringify(request.headers)}`,
      number: /^[1-9][0-9]*$/.test(key) ? Number(key) : 0,
      [`field-${key}`]: written,
      raw: 'RAW',
    }).replace('RAW', written.filter((one) => !/["\\](?!u)/.test(one)).join(' '));
    response.statusCode = request.method === 'POST' ? 400 : 200;
    if (n % 3 !== 0) return response.end(body);
    response.setHeader('Content-Encoding', 'gzip');
    const packed = gzipSync(body);
    return response.end(n % 2 === 0 ? packed : packed.subarray(0, -6));
  };
}

/** The texts of a file: as it is, what is compressed within, and the archive that the report of Playwright is. */
const textsOf = (path: string): readonly string[] =>
  unpacked({ path, bytes: readFileSync(path) }).flatMap(({ bytes }) => {
    const text = bytes.toString('latin1');
    const packed = [...text.matchAll(/H4sI[A-Za-z0-9+/=]{40,}/g)].flatMap(([one]) => {
      try {
        return [gunzipSync(Buffer.from(one, 'base64'), { finishFlush: 2 }).toString('latin1')];
      } catch {
        return [];
      }
    });
    return [text, ...packed];
  });

/** No form of any of these keys stands in these streams, and in the files of this folder. */
function assertNoKey(
  keys: readonly string[],
  streams: readonly string[],
  folder: string,
  leaveOut = /$^/,
): void {
  const files = filesIn(folder).filter((path) => !leaveOut.test(path));
  const places = [
    ...streams.map((text, at) => [`stream ${at + 1}`, text] as const),
    ...files.flatMap((path) => textsOf(path).map((text) => [path, text] as const)),
  ];
  assert.ok(files.length > 0);
  for (const [place, text] of places)
    for (const [form, written] of keys.flatMap(sought)) {
      const at = text.indexOf(written);
      assert.ok(at === -1, `the key ${form} is in ${place}: ${text.slice(Math.max(0, at - 80), at + 120)}`);
    }
}

for (const [kind, key] of sampleOf(Object.entries(KEYS))) {
  test(`certify and what reads its journal: a key ${kind}`, async (t) => {
    const here = commandIn(t, { PETSTORE_DEBUG: '1', PETSTORE_API_KEY: key, PETSTORE_OTHER_KEY: OTHER });
    const target = await serve(t, reflecting());
    const { own } = keyPair(temporaryFolder(t), 'vendor');
    here.plans(1);
    const streams: string[] = [];
    for (const line of [
      `certify --target ${target}/v1 --plans plans.json --out run`,
      'judge run/journal.ndjson --format har',
      'judge run/journal.ndjson --format json --out again',
      'matrix run --format html',
      `attest run --key ${own}`,
    ]) {
      const { out, err } = await here.run(line);
      streams.push(out, err);
    }
    assertNoKey([key, OTHER], streams, here.folder);
    assert.match(here.read('run/journal.ndjson'), /\[key\]/);
  });
}

test('Playwright: its report, its attachments and what it prints', async (t) => {
  const target = await serve(t, reflecting());
  const key = KEYS['with signs of JSON'] ?? '';
  const variables = {
    PETSTORE_TARGET: `${target}/v1`,
    PETSTORE_PLANS: plansFile(temporaryFolder(t), 1),
    PETSTORE_API_KEY: key,
    PETSTORE_OTHER_KEY: OTHER,
  };
  const project = { petstore: {}, grep: /(?:LIST-1|CREATE-1|ERR-1|AUTH-4) /, trace: 'on' } as const;
  await runProjects({ project }, variables, ({ output, folder, tests }) => {
    assert.notEqual(tests.length, 0, output);
    const page = filesIn(join(folder, 'playwright-report')).flatMap(textsOf);
    assert.ok(page.some((text) => text.includes('[key')));
    assert.ok(
      filesIn(folder).some((path) => path.endsWith('.zip')),
      'there is a trace',
    );
    assertNoKey([key, OTHER], [output], folder);
  });
});

test('certify where the target stops responding and the stack trace is shown', async (t) => {
  const key = KEYS['with signs of JSON'] ?? '';
  const here = commandIn(t, { PETSTORE_DEBUG: '1', PETSTORE_API_KEY: key });
  here.plans(1);
  const reflect = reflecting();
  let requests = 0;
  const target = await serve(t, (request, response) => {
    requests += 1;
    if (requests > 5) request.socket.destroy();
    else reflect(request, response);
  });
  // A process prints the trace of what ends it.
  const running = here.start(`certify --target ${target}/v1 --plans plans.json --out run`);
  const { out, err } = await running.ended();
  assert.match(out + err, /\n {4}at /);
  assertNoKey([key], [out, err], here.folder);
});

for (const [kind, key] of sampleOf(Object.entries(KEYS))) {
  test(`watch: a key ${kind}`, async (t) => {
    const here = commandIn(t);
    const target = await serve(t, reflecting());
    const command = here.start(`watch --target ${target}/v1 --out run`);
    await command.until('The proxy listens at ');
    const [, base = ''] = /listens at (\S+)/.exec(command.printed().out) ?? [];
    for (const write of Object.values(FORMS)) {
      const sent = write(key);
      const headers = { Authorization: `Bearer ${key}`, 'X-Other': sent, Cookie: `k=${sent}` };
      const address = `${base}/categories?k=${encodeURIComponent(sent)}`;
      for (const more of [{}, { method: 'POST', body: JSON.stringify({ name: sent }) }])
        await fetch(address, { headers, ...more }).then(
          (response) => response.text(),
          () => undefined,
        );
    }
    command.child.kill('SIGINT');
    const { out, err } = await command.ended();
    assertNoKey([key], [out, err], here.folder);
  });
}

/** A client that sends its key in every form. */
const CLIENT = `
const [base, key] = [process.env.PETSTORE_TARGET, process.env.PETSTORE_API_KEY];
const two = (byte) => byte.toString(16).padStart(2, '0');
const bytes = [...Buffer.from(key)];
const forms = [key, bytes.map((b) => '%' + two(b)).join(''), bytes.map((b) => '%25' + two(b)).join(''),
  bytes.map(two).join(''), bytes.map(two).join('').toUpperCase(), Buffer.from('u:' + key).toString('base64'),
  bytes.map((b) => '&#' + b + ';').join(''), bytes.map((b) => '\\\\u00' + two(b)).join('')];
console.log(forms.join(' '));
console.error(JSON.stringify(JSON.stringify(forms)));
for (const form of forms) {
  const headers = { Authorization: 'Bearer ' + key, 'X-Other': form, 'X-Signature': 'of-the-client', Cookie: 'sid=of-the-client' };
  await fetch(base + '/categories?k=' + encodeURIComponent(form), { headers });
  await fetch(base + '/categories', { method: 'POST', headers, body: JSON.stringify({ name: form }) });
}
`;

test('certify-client: the key of a client that sends and prints it in every form', async (t) => {
  const here = commandIn(t, { PETSTORE_DEBUG: '1' });
  here.write(
    'client.mjs',
    `import { appendFileSync } from 'node:fs';
appendFileSync('keys.txt', process.env.PETSTORE_API_KEY + '\\n');${CLIENT}`,
  );
  const client = `certify-client --out run --only CLIENT-4 -- ${process.execPath} client.mjs`;
  const { out, err } = await here.run(client);
  const keys = here.read('keys.txt').trim().split('\n');
  assertNoKey(keys, [out, err], here.folder, /keys\.txt$/);
  const journal = here.read('run/journal.ndjson');
  assert.match(journal, /\[key in hexadecimal\]/);
  assert.match(journal, /\["X-Signature","\[not recorded/);
  assert.ok(!filesIn(here.path('run')).flatMap(textsOf).join().includes('of-the-client'));
});

describe('load', { skip: withoutK6 }, () => {
  for (const [kind, key] of sampleOf(Object.entries(KEYS))) {
    test(`a key ${kind}`, async (t) => {
      const here = commandIn(t, { PETSTORE_DEBUG: '1', K6_BIN: k6Path, PETSTORE_API_KEY: key });
      here.plans(2);
      const target = await serve(t, (request, response) => {
        for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'Date'])
          response.setHeader(name, `key ${(request.headers.authorization ?? '').replace(/^\w+ */, '')}`);
        reflecting()(request, response);
      });
      const { out, err } = await here.run(`load smoke --target ${target}/v1 --plans plans.json --out run`);
      assertNoKey([key], [out, err], here.folder);
      assert.ok(filesIn(here.folder).some((path) => readFileSync(path, 'utf8').includes('[secret')));
    });
  }
});
