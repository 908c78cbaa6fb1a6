import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { annotations } from '../../../interfaces/command/report.ts';
import { exchangeText } from '../../../interfaces/playwright/conformance.ts';
import { quoted } from '../../../kernel/basics/text.ts';
import type { Answer, Exchange, HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { challengeSchemes, isJsonMediaType, nextReference } from '../../../kernel/exchanges/headers.ts';
import {
  nearRateLimitFields,
  parseHttpDate,
  readRateHeaders,
  readRetryAfter,
} from '../../../kernel/exchanges/rate-headers.ts';
import { redactor } from '../../../kernel/recording/redaction/redact.ts';
import { SampleReader } from '../../../load/run/samples.ts';
import { errorText, headerText, withoutSecrets } from '../../../load/script/body-reader.ts';
import { renderJson } from '../../../reports/files.ts';
import { renderHtml } from '../../../reports/html/page.ts';
import { renderJunit } from '../../../reports/junit.ts';
import { renderSummary } from '../../../reports/summary.ts';
import { tame, wrapped } from '../../../reports/terminal.ts';
import { renderVerdict } from '../../../reports/verdict.ts';
import { markdown, markup, visibleBlock, visibleJson, visibleLine } from '../../../reports/written.ts';
import type { Specification } from '../../../spec/specification.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import type { ClientRunLine } from '../../../suites/client/model/journal.ts';
import { readClientJournal } from '../../../suites/client/run/journal-reader.ts';
import { keyRedactor } from '../../../suites/client/service/request-body.ts';
import { jsonOf, jsonValueText } from '../../../suites/service/evidence/json.ts';
import { excerpt } from '../../../suites/service/evidence/run-remarks.ts';
import { judge } from '../../../suites/service/judge/judge.ts';
import { repeatCommand } from '../../../suites/service/judge/repeat.ts';
import type { JournalLine } from '../../../suites/service/model/journal.ts';
import { mismatches } from '../../../suites/service/requirements/version-and-deprecation/openapi-document.ts';
import { BodyRecorder, ChunkedBody } from '../../../suites/service/wire/body-recorder.ts';
import { readJournal } from '../../../suites/service/wire/journal.ts';
import { secretsOf } from '../../../suites/service/wire/keyring.ts';
import { readHead } from '../../../suites/service/wire/response-reader.ts';
import { noResponseOf } from '../../../suites/service/wire/wire.ts';
import { virtualRun } from '../../simulation/virtual-run.ts';
import { loadRun } from '../../testing/reports/load-runs.ts';
import { hostile } from '../../testing/reports/records.ts';
import { body, RUN } from '../../testing/suites/synthetic.ts';

/** Something of this program that runs over bytes of a target. Whatever new does belongs into this list. */
export interface Reader {
  readonly name: string;
  /** Characters of the shorter of two texts, the longer of which has sixteen times as many; fewer where a text is read many times. */
  readonly length: number;
  readonly read: (text: string) => unknown;
}

const LENGTH = 4096;

/** A journal is judged by some seventy judges, most of which look at every answer. */
const JUDGED_LENGTH = 256;

const reader = (name: string, read: Reader['read'], length = LENGTH): Reader => ({ name, length, read });

/** Redaction, for one key. */
export function redaction(key: string): Reader['read'] {
  const redact = redactor(secretsOf({ key, other: 'another-key-of-another-caller' }));
  return (text) => redact(text);
}

/** The header lines that some judge reads, each with this value. */
const headersOf = (value: string): readonly HeaderLine[] =>
  [
    ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'Date', 'Age'],
    ...['Content-Type', 'Content-Encoding', 'WWW-Authenticate', 'Cache-Control', 'Expires', 'Link'],
    ...['Location', 'Deprecation', 'Sunset', 'X-Total-Count'],
  ].map((name) => [name, value]);

const answerWith = (headers: readonly HeaderLine[]): Answer => ({
  kind: 'answer',
  status: 429,
  headers,
  body: body(''),
});

/** The journal of a conforming run, with another answer to every request. */
const answered = (
  lines: readonly JournalLine[],
  change: (answer: Answer) => Answer,
): readonly JournalLine[] =>
  lines.map((line) =>
    line.kind === 'exchange' && line.outcome.kind === 'answer'
      ? { ...line, outcome: change(line.outcome) }
      : line,
  );

const exchangeWith = (text: string): Exchange => ({
  kind: 'exchange',
  n: 1,
  probe: 'exhaust-quota',
  step: 'one by one',
  caller: 'key',
  connection: { id: 1, fresh: true },
  request: { method: 'POST', target: '/v1/categories', headers: [['X-Echo', text]], body: body(text) },
  sent: { wall: 0, mono: 0 },
  received: { wall: 1, mono: 1 },
  outcome: { ...answerWith(headersOf(text)), body: body(text) },
});

/** Every reader, for files in this folder. */
export async function readersIn(folder: string): Promise<readonly Reader[]> {
  const specification = await loadSpecification();
  const { lines } = await virtualRun();
  return [
    ...ofAnswers,
    ...ofJudges(lines, specification),
    ...ofReports,
    ...ofLoad,
    reader('a text of a client without its key', keyRedactor('pk-Zx81_aQm4-Lw0vT9sRe3')),
    reader('the journal of a client whose line this is', (text) => {
      const path = join(folder, 'client.ndjson');
      writeFileSync(
        path,
        `${JSON.stringify(CLIENT_RUN)}\n${text}\n{"kind":"exit","output":${JSON.stringify(text)}}\n`,
      );
      return readClientJournal(path);
    }),
    reader('a journal whose line this is', (text) => {
      const path = join(folder, 'journal.ndjson');
      writeFileSync(
        path,
        `${JSON.stringify(RUN)}\n${text}\n{"kind":"note","text":${JSON.stringify(text)}}\n`,
      );
      return readJournal(path);
    }),
  ];
}

/** The first line of a client's journal. */
const CLIENT_RUN: ClientRunLine = {
  kind: 'client-run',
  journalVersion: 1,
  suite: { name: 'petstore-conformance', version: '0.0.0' },
  spec: { version: '1.0.0', digest: `sha256:${'0'.repeat(64)}` },
  client: { kind: 'attached', where: 'this host' },
  starts: [],
  startedAt: '2026-11-22T00:00:00.000Z',
};

const ofAnswers: readonly Reader[] = [
  reader('a body as it is kept', (text) =>
    new BodyRecorder((one) => one).recordResponse(Buffer.from(text), text.length),
  ),
  reader('a body as JSON', (text) => jsonOf(body(text))),
  reader('the reference of a next page', (text) => nextReference(headersOf(text))),
  reader('an HTTP-date', parseHttpDate),
  reader('challenges', challengeSchemes),
  reader('near names of the headers of a rate', (text) => nearRateLimitFields([[text, text]])),
  reader('the head of a response', (text) =>
    readHead(`HTTP/1.1 200 ${text}\r\n${text}: ${text}\r\n\r`, 'GET'),
  ),
  reader(
    'a chunked body',
    // A line of a chunk is short, and a body may have any number of them.
    (text) => {
      const lines = text.replace(/[\r\n]/g, ' ').match(/.{1,1000}/g) ?? [];
      new ChunkedBody().read(Buffer.from(`${lines.map((line) => `1;${line}\r\na\r\n`).join('')}0\r\n`));
    },
    JUDGED_LENGTH,
  ),
  reader('a media type', isJsonMediaType),
  reader('the headers of a rate', (text) => readRateHeaders(headersOf(text))),
  reader('Retry-After', (text) => readRetryAfter({ outcome: answerWith(headersOf(text)) })),
  reader('what a network says', (text) => noResponseOf(new Error(text))),
  reader('an OpenAPI document', (text) => mismatches({ source: 'openapi.json', text }, [])),
];

function ofJudges(lines: readonly JournalLine[], specification: Specification): readonly Reader[] {
  const judged = (name: string, change: (text: string) => Partial<Answer>): Reader =>
    reader(
      name,
      (text) => {
        const changed = change(text);
        const journal = { lines: answered(lines, (answer) => ({ ...answer, ...changed })), damage: [] };
        return judge(journal, specification, { strict: false });
      },
      JUDGED_LENGTH,
    );
  return [
    judged('every judge, over bodies', (text) => ({ body: body(text) })),
    judged('every judge, over headers', (text) => ({ headers: headersOf(text) })),
  ];
}

const ofReports: readonly Reader[] = [
  reader('a quotation', quoted),
  reader('a value', jsonValueText),
  reader('an excerpt', (text) => exchangeText(excerpt(exchangeWith(text), 0))),
  reader('a command that repeats a request', (text) => repeatCommand(RUN, [exchangeWith(text)])),
  reader('a text made visible', (text) => [visibleBlock(text), visibleLine(text), visibleJson(text)]),
  reader('HTML and XML', (text) => markup`${text}`),
  reader('Markdown', (text) => markdown`${text}`),
  reader('a line of a terminal', (text) => [tame(text), wrapped(text, 80)]),
  reader('report.html', (text) => renderHtml(hostile(text))),
  reader('report.json', (text) => renderJson(hostile(text))),
  reader('junit.xml', (text) => renderJunit(hostile(text))),
  reader('summary.md', (text) => renderSummary(hostile(text))),
  reader('the closing verdict', (text) => renderVerdict(hostile(text), { colour: false, width: 80 })),
  reader('annotations of GitHub', (text) => annotations(hostile(text), { GITHUB_ACTIONS: 'true' })),
];

const SECRETS = ['a'.repeat(200), `${'a'.repeat(199)}b`, 'ab', '483920'];

const ofLoad: readonly Reader[] = [
  reader('a header of a sample', (text) => headerText(text, SECRETS)),
  reader('an error of a sample', (text) => errorText(text, SECRETS)),
  reader('the log of k6', (text) => withoutSecrets(text, SECRETS)),
  reader('samples of k6', (text) => new SampleReader().push(Buffer.from(text))),
  reader('the report of a load run', (text) => {
    const { record, trace } = loadRun(text);
    return renderHtml(record, trace);
  }),
];
