import { test } from 'node:test';
import type { StagedExchange } from '../../../evaluation/testing/suites/synthetic.ts';
import { RUN, Synthesis } from '../../../evaluation/testing/suites/synthetic.ts';
import { assertPage } from '../../../evaluation/testing/tools/page.ts';
import { headlineOf } from './headline.ts';
import { UNDER_VERSION } from './target-reading.ts';

const HOST = 'http://127.0.0.1:8080';

const list: StagedExchange = { status: 404 };
const creation: StagedExchange = { method: 'POST', sends: '{}', status: 404 };
const broken: StagedExchange = { ...creation, status: 500 };
const below: StagedExchange = { caller: 'unauthenticated', step: UNDER_VERSION, path: '/v1/categories' };
const keyless: StagedExchange = { caller: 'unauthenticated', status: 401 };
const toward = (location: string): StagedExchange => ({ status: 301, headers: [['Location', location]] });
const ofLimit = (limit: number): StagedExchange => ({ left: 10, limit });

/** What a target at an address responded, one request after another. */
const rows: Readonly<Record<string, readonly [path: string, ...sent: readonly StagedExchange[]]>> = {
  'another server': ['', list, creation],
  'a creation that got JSON': ['', list, { ...creation, status: 501, headers: [] }],
  '401 below /v1': ['', list, creation, { ...below, status: 401 }],
  'a list below /v1': ['', list, creation, { ...below, status: 200 }],
  '404 below /v1': ['', list, creation, { ...below, status: 404 }],
  'no response below /v1': ['', list, creation, { ...below, noResponse: 'timeout' }],
  'another server at the address of the list': ['/v1/categories', list, creation],
  'another server at an address with /v1': ['/v1', list, creation],
  'a redirect to another scheme': ['/v1', toward('https://127.0.0.1/v1/categories'), creation],
  'a redirect to another host, which gets no key by our advice': [
    '/v1',
    toward('https://host/v1/categories'),
    creation,
  ],
  'a redirect to a script': ['/v1', toward('javascript:alert(1)//v1/categories'), creation],
  'a redirect to a login': ['/v1', toward('https://host/login?next=/v1/categories'), creation],
  '500 to every list and every creation, apart from a 429': ['/v1', { status: 500 }, broken, { status: 429 }],
  '500 to every list, and creations that are not implemented': [
    '/v1',
    { status: 500 },
    { ...creation, status: 501 },
  ],
  '500 to every list, and 400 to a creation': ['/v1', { status: 500 }, { ...creation, status: 400 }],
  '500 to every list, and no creation': ['/v1', { status: 500 }],
  '401 to the key': ['/v1', keyless, { status: 401 }],
  '403 to the key and without a key': ['/v1', { ...keyless, status: 403 }, { status: 403 }],
  '401 to a key that was accepted before': ['/v1', keyless, { status: 200 }, { status: 401 }],
  'three times the limit of another plan': ['', ofLimit(300), ofLimit(300), ofLimit(300)],
  'twice the limit of another plan, which is too few': ['', ofLimit(300), ofLimit(300)],
  'the limit of another plan, but not each time': ['', ofLimit(300), ofLimit(60), ofLimit(300)],
  'three times the limit of the day': ['', ofLimit(1000), ofLimit(1000), ofLimit(1000)],
};

test('a run is headed by what it is known to be headed by', () => {
  let page = '';
  for (const [what, [path, ...sent]] of Object.entries(rows)) {
    const run = { ...RUN, target: { baseUrl: `${HOST}${path}`, plan: 'free' } };
    const found = headlineOf(run, new Synthesis().add(...sent).exchanges);
    const text = found === undefined ? 'no headline' : `${found.kind}: ${found.text}\n  ${found.fix}`;
    page += `${what}\n  ${text}\n\n`;
  }
  assertPage('suites/service/model/headline.txt', page);
});
