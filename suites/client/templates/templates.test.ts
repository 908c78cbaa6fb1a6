import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { certifyClient } from '../../../evaluation/clients/certify.ts';
import { temporaryFolder } from '../../../evaluation/testing/tools/folder.ts';
import { lastLineOf, onPath, thisHost } from '../../../load/k6/host.ts';
import { sampleOf } from '../../../tools/sample.ts';
import { templates, templateText } from './index.ts';

/** As k6 is built: Go then compiles its standard library once for both, which takes a minute on two cores. */
const AS_K6 = { GOFLAGS: '-trimpath', CGO_ENABLED: '0' };

/** The words of a person who says what a template does. */
const SAID = /waits Retry-After[\s\S]*exponential[\s\S]*jitter[\s\S]*gives up after six attempts/;

/** Compiling and running all of them takes a minute. */
const ofDay = sampleOf(templates);

for (const template of templates) {
  test(`the template for ${template.language} says what it does`, () => {
    assert.match(templateText(template), SAID);
  });
}

for (const { language, path, compile, start } of ofDay) {
  const [tool = ''] = compile?.('', '') ?? start('');
  const isHere = tool.startsWith('/') || (await onPath(thisHost(), [tool])).length > 0;

  // Its growing delays take half a minute to show: `npm run evaluate -- clients` and the documents have them.
  const name = `the template for ${language} waits, shares one gate, and sends what the specification describes`;
  test(isHere ? name : `${name} (not run: there is no ${tool} here)`, async (t) => {
    if (!isHere) return;
    const target = join(temporaryFolder(t), 'client');
    if (compile !== undefined) {
      const [command = '', ...args] = compile(path, target);
      const done = await thisHost().run(command, args, { env: AS_K6, timeoutSeconds: 120 });
      assert.deepEqual([done.kind, done.kind === 'ended' && done.code], ['ended', 0], lastLineOf(done));
    }
    const words = start(compile === undefined ? path : target);
    const { verdicts } = await certifyClient(words, { jobs: 8, only: ['CLIENT-3', 'CLIENT-4'] });
    assert.equal(verdicts['CLIENT-3'].verdict, 'pass', verdicts['CLIENT-3'].because);
    assert.equal(verdicts['CLIENT-4'].verdict, 'pass', verdicts['CLIENT-4'].because);
  });
}
