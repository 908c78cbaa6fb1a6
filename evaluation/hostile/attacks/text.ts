import assert from 'node:assert/strict';
import { REPORTS } from '../../../reports/write.ts';
import { answerText } from '../../testing/suites/raw-server.ts';
import type { Attack, AttackedRun } from '../attack.ts';

/** Texts that would be harmful where they are shown without escaping. */
const HARMFUL: readonly string[] = [
  '\u0000\u0007\u001b[2J\u001b[31mPASS\u001b]0;owned\u0007\u009b2J',
  '\u202e\u2066\u200b\u2028\u{e0041}\ufeff',
  '<script>alert(1)</script><img src=x onerror=alert(2)>\'"--><svg/onload=alert(3)>',
  ']]></failure></testcase><testcase name="forged"/><![CDATA[',
  '[click](javascript:alert(4)) ![x](http://evil.example/x.png) @everyone #1 `</code>` | a |\n# Forged',
  '\n::error title=forged::forged\n::add-mask::x\r\n##vso[task.complete]',
  '=HYPERLINK("http://evil.example")\t+1-1',
  "../../../etc/passwd%00$(touch /tmp/owned)`touch /tmp/owned`;'",
];

/** Harmful characters, and the outputs in which they must not occur. */
const FORBIDDEN: readonly (readonly [what: string, outputs: RegExp, characters: RegExp])[] = [
  ['a control character', /./, /[^\P{Cc}\t\n\r\x80-\x9f]/u],
  ['an invisible character', /^(?!journal)/, /[\x80-\x9f\u200b\u2028\u202e\u2066\ufeff]|\u{e0041}/u],
  ['markup', /html$|xml$|md$/, /<script>alert|<img src=x|<svg\/onload|<testcase name="forged"/],
  ['a Markdown construct', /md$/, /\]\(javascript:|!\[x\]|^# Forged/m],
  ['a command to a build server', /^standard|md$/, /^(?:::add-mask|::error title=forged|##vso)/m],
];

function assertEscaped({ out, err, files }: AttackedRun): void {
  const allOutputs = [['standard output', out], ['standard error', err], ...files] as const;
  // Standard output and error, the journal and every report.
  assert.equal(allOutputs.length, 3 + REPORTS.length);
  for (const [name, text] of allOutputs) {
    for (const [what, outputs, characters] of FORBIDDEN) {
      if (!outputs.test(name)) continue;
      const found = characters.exec(text);
      assert.equal(
        found,
        null,
        `${what} in ${name}: ${JSON.stringify(text.slice((found?.index ?? 0) - 40, (found?.index ?? 0) + 40))}`,
      );
    }
  }
  const report = files.get('report.html') ?? '';
  assert.ok(report.includes('&lt;script&gt;alert(1)'), 'the text is shown as text');
}

/** Sends the harmful texts wherever a report may quote them: ids, names, codes, messages, headers. */
export const textAttacks: readonly Attack[] = [
  {
    id: 'harmful-text',
    description:
      'sends control characters, terminal escapes, HTML, Markdown, XML, formulas and commands in every field and header',
    expected: 'a verdict; every report shows the text as text, and a browser executes nothing of it',
    exitCodes: [1],
    start: async (setup) => {
      const { baseUrl } = await setup.raw((socket, _, n) => {
        const harmful = HARMFUL[n % HARMFUL.length] ?? '';
        const line = harmful.replace(/\p{Cc}/gu, ' ').replace(/[^\x20-\xff]/g, '?');
        const headers = [
          `Content-Type: application/json; ${Buffer.from(line).toString('latin1')}`,
          `X-RateLimit-Limit: ${line}`,
          `X-RateLimit-Remaining: ${line}`,
          `Retry-After: ${line}`,
          `WWW-Authenticate: ${line}`,
        ];
        const item = {
          id: harmful,
          name: harmful,
          description: harmful,
          code: harmful,
          message: harmful,
          status: harmful,
          [harmful]: harmful,
        };
        const body = n % 3 === 0 ? JSON.stringify(item) : JSON.stringify([item]);
        socket.write(answerText(n % 3 === 0 ? '400 Bad' : '200 OK', headers, n % 5 === 0 ? harmful : body));
      });
      return { target: baseUrl.href, env: { GITHUB_ACTIONS: 'true' }, assertAfter: assertEscaped };
    },
  },
];
