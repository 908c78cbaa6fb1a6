import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { fail, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { creations } from '../../probes/creations.ts';

const { asked, at } = edit;
const alone = asked(creations.id, creations.steps.nameAlone);

/** The creation that carries this text, in its request. */
const carrying = (text: string) => (exchange: Exchange) =>
  exchange.request.method === 'POST' &&
  exchange.request.body?.cut === false &&
  exchange.request.body.text.includes(JSON.stringify(text).slice(1, -1));
/** The 201 to the creation that carries this text shows another one in its place. */
const shows = (text: string, other: string): edit.Change =>
  at(
    carrying(text),
    edit.rewrite((body) =>
      body.replace(JSON.stringify(text).slice(1, -1), JSON.stringify(other).slice(1, -1)),
    ),
  );

/** The 201 to the creation without a description has this one. */
const describedAs = (description: string): edit.Change =>
  at(
    alone,
    edit.rewrite((text) => text.replace('}', `,"description":${JSON.stringify(description)}}`)),
  );

/** What a service makes of the texts that creations send. */
export const textRows: readonly VerdictRow[] = [
  ...(
    [
      ['a name in lower case', 'AbC', 'abc'],
      ['a name with HTML escapes', '<b>&lt;', '&lt;b&gt;&amp;lt;'],
      ['a name read as Latin-1', '\u00e9\u00fc\u00f1', '\u00c3\u00a9\u00c3\u00bc\u00c3\u00b1'],
      ['a name in NFD', '\u00e9\u00fc\u00f1', 'e\u0301u\u0308n\u0303'],
      ['a name without its quotes', `'"`, ''],
      ['a description with an escaped <', ' < ', ' &lt; '],
      ['a description that lost an ampersand', ' & ', ' '],
      ['a description that lost an emoji', '\u{1F408}', ''],
      ['a description with ? for an emoji', '\u{1F408}', '?'],
      ['a description without accents', 'fa\u00e7ade', 'facade'],
      ['the first characters of a long description', 'sentence 9 of a long text. ', ''],
      ['an inner line end as a blank', 'of a long text. sentence 10', 'of a long text.\nsentence 10'],
    ] as const
  ).map(
    ([what, text, other]): VerdictRow => ({
      id: 'CREATE-3',
      description: what,
      journal: shows(text, other),
      verdict: 'fail',
    }),
  ),
  ...rowsOf('CREATE-3', {
    'no description where an empty one was sent': fail(
      at(
        carrying('<b>&lt;'),
        edit.rewrite((text) => text.replace(',"description":""', '')),
      ),
    ),
    'a decomposed name in NFC': warn(shows('e\u0301u\u0308', '\u00e9\u00fc')),
    'a name without the white space around it (K62)': pass(
      edit.all(
        at(alone, edit.requestBody({ name: ' pc-virtual1-v9 ' })),
        at(alone, edit.responseBody({ id: 3, name: 'pc-virtual1-v9' })),
      ),
    ),
    'the description of another creation where none was sent': fail(
      describedAs('Made by a conformance run.'),
    ),
    'a description of the service itself where none was sent': pass(describedAs('No description yet.')),
    'an earlier category, with its id and description, where no description was sent': pass(
      at(
        alone,
        edit.rewrite((text) =>
          text.replace(/"id":\d+/, '"id":1').replace('}', ',"description":"Made by a conformance run."}'),
        ),
      ),
    ),
    'another description where the name exists already: the specification leaves that open': pass(
      at(
        asked('open-creations', 'name that exists already'),
        edit.rewrite((text) => text.replace('5.10', 'another')),
      ),
    ),
  }),
];
