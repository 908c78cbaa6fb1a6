import { virtualRun } from '../../../../evaluation/simulation/virtual-run.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { each, fail, inconclusive, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
import { testJudges } from '../../../../evaluation/testing/suites/verdict-rows.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { clientChosenId } from '../../probes/category-requests.ts';
import { creations, listAfterCreations } from '../../probes/creations.ts';

const { lines } = await virtualRun();
const { answered, asked, at, both } = edit;
const full = asked('first-creation');
const alone = asked(creations.id, creations.steps.nameAlone);
const listed = (name: string) =>
  edit.rewriteAt(asked('second-batch'), (text) =>
    text.replace(/]$/, `,{"id":77,"name":${JSON.stringify(name)}}]`),
  );

const ERROR = edit.responseBody({ code: 'c', message: 'm', status: 400 });

const idOfAnother = asked('creations', creations.steps.idOfAnother);
const unassignedId = asked('creations', creations.steps.unassignedId);
const unassigned = String(clientChosenId('virtual1'));

/** Another id in the answer to a creation. */
const gives = (where: edit.Where, id: string): edit.Change =>
  edit.rewriteAt(where, (text) => text.replace(/"id":\d+,/, `"id":${id},`));
/** The answer to a creation whose name exists already, where `ID` stands for the id of the category that has the name. */
const existing =
  (text: string): edit.Change =>
  (lines) => {
    let id = '';
    const find = edit.rewrite((body) => {
      id = /"id":(\d+)/.exec(body)?.[1] ?? '';
      return body;
    });
    at(asked('open-creations', 'unknown field'), find)(lines);
    return at(
      asked('open-creations', 'name that exists already'),
      edit.responseBody(text.replace('ID', id)),
    )(lines);
  };

const isCreation = both(answered(201), ({ request }) => request.method === 'POST');

/** Every id has another type. */
const ofAnotherType = each(['null', 'true'], (text) => [
  `nothing but ids that are ${text}: CAT-1`,
  inconclusive(edit.rewriteAt(answered(201), (body) => body.replace(/"id":\d+/, `"id":${text}`))),
]);

/** What a service makes of ids: those that it assigns, and those that a client sends. */
const idRows = [
  ...rowsOf('CREATE-11', {
    'ids that differ beyond 2^53': pass(
      edit.all(gives(full, '9007199254740992'), gives(unassignedId, '9007199254740993')),
    ),
    'one id twice': warn(gives(unassignedId, '1')),
    'the category of that name once more for a name that exists already (K61)': pass(
      existing('{"id":ID,"name":"pc-virtual1-unknown"}'),
    ),
    'the same, whose 201 shows no text as its name': pass(existing('{"id":ID,"name":5}')),
    ...ofAnotherType,
    'one creation only': inconclusive(edit.cutAfter('first-creation')),
    'two creations only': pass((lines) => {
      const made = edit.exchangesIn(lines, isCreation).map(({ n }) => n);
      return edit.without(({ n }) => made.indexOf(n) > 1)(lines);
    }),
  }),
  ...rowsOf('CREATE-12', {
    ...ofAnotherType,
    'the id of another category that was sent': fail(gives(idOfAnother, '1')),
    'the id of another category that was sent, and that one further creation got': pass(
      edit.all(gives(idOfAnother, '1'), gives(alone, '1')),
    ),
    'the id of another category that was sent, and that every creation gets': pass(
      edit.rewriteAt(answered(201), (text) => text.replace(/"id":\d+,/, '"id":1,')),
    ),
    'the id that was sent, which another creation that sent an id got, too': fail(
      edit.all(gives(unassignedId, unassigned), gives(idOfAnother, unassigned)),
    ),
    'the id that was sent, while no other id can be read': inconclusive(
      edit.all(
        gives(unassignedId, unassigned),
        at(
          both(isCreation, (one) => !unassignedId(one)),
          edit.broken,
        ),
      ),
    ),
    'the id that was sent, as a string': fail(gives(unassignedId, `"${unassigned}"`)),
    'rejected, as by a service that accepts no field that it does not know (K77)': pass(
      edit.all(at(idOfAnother, edit.status(400)), at(unassignedId, edit.status(400))),
    ),
    '500': inconclusive(edit.all(at(idOfAnother, edit.status(500)), at(unassignedId, edit.status(500)))),
  }),
];

const NAME = 'pc-virtual1-full-1';

/** A list that ends with this text in addition. */
const ending = (item: string): edit.Change =>
  edit.rewriteAt(asked(listAfterCreations.id), (text) => text.replace(/]$/, `,${item}]`));

/** How often one creation stands in a list (CREATE-14). */
const storedOnceRows = rowsOf('CREATE-14', {
  'each name once': pass(edit.unchanged),
  'the name once more under another id': warn(ending(`{"id":77,"name":"${NAME}"}`)),
  'two categories of a creation that was sent again after a 503': pass(
    edit.all(ending(`{"id":77,"name":"${NAME}"}`), edit.unavailableBefore(full)),
  ),
  'no list at all': inconclusive(at((exchange) => exchange.request.method === 'GET', edit.status(503))),
});

/** The creation that carries this text, in its request. */
const carrying = (text: string) => (exchange: Exchange) =>
  exchange.request.method === 'POST' &&
  exchange.request.body?.cut === false &&
  exchange.request.body.text.includes(JSON.stringify(text).slice(1, -1));
/** The 201 to the creation that carries this text shows another one in its place. */
const shows = (text: string, other: string): edit.Change =>
  edit.rewriteAt(carrying(text), (body) =>
    body.replace(JSON.stringify(text).slice(1, -1), JSON.stringify(other).slice(1, -1)),
  );

/** The 201 to the creation without a description has this one. */
const describedAs = (description: string): edit.Change =>
  edit.rewriteAt(alone, (text) => text.replace('}', `,"description":${JSON.stringify(description)}}`));

/** What a service makes of the texts that creations send. */
const textRows = rowsOf('CREATE-3', {
  'a name in NFD': fail(shows('\u00e9\u00fc\u00f1', 'e\u0301u\u0308n\u0303')),
  'a decomposed name in NFC': warn(shows('e\u0301u\u0308', '\u00e9\u00fc')),
  'a name without the white space around it (K62)': pass(
    edit.all(
      at(alone, edit.requestBody({ name: ' pc-virtual1-v9 ' })),
      at(alone, edit.responseBody({ id: 3, name: 'pc-virtual1-v9' })),
    ),
  ),
  'the description of another creation where none was sent': fail(describedAs('Made by a conformance run.')),
  'a description of the service itself where none was sent': pass(describedAs('No description yet.')),
  'an earlier category, with its id and description, where no description was sent': pass(
    edit.rewriteAt(alone, (text) =>
      text.replace(/"id":\d+/, '"id":1').replace('}', ',"description":"Made by a conformance run."}'),
    ),
  ),
});

/** The description is not the run's own. */
const OF_ALL_RUNS = { name: 'pc-virtual1-unknown', description: 'a description of every run' };

testJudges('create-category/stored', lines, [
  ...idRows,
  ...storedOnceRows,
  ...rowsOf('CREATE-3', {
    'the description "undefined" where none was sent': warn(describedAs('undefined')),
    'another name': fail(edit.rewriteAt(full, (text) => text.replace('-full', '-FULL'))),
    'no description': fail(edit.rewriteAt(full, (text) => text.replace(/,"description":"[^"]*"/, ''))),
    'a name of 1,000 characters that came back cut': warn(
      edit.rewriteAt(asked('open-creations', 'very long name in a very large body'), (text) =>
        text.replace(/x{900,}/, 'x'),
      ),
    ),
    'the same, and another name': fail(
      edit.all(
        edit.rewriteAt(asked('open-creations', 'very long name in a very large body'), (text) =>
          text.replace(/x{900,}/, 'x'),
        ),
        edit.rewriteAt(full, (text) => text.replace('-full', '-FULL')),
      ),
    ),
    'a name of 1,000 characters that is too long (K63)': pass(
      at(asked('open-creations', 'very long name in a very large body'), edit.status(413), ERROR),
    ),
    'a Category without an id': fail(edit.rewriteAt(full, (text) => text.replace(/"id":\d+,/, ''))),
    'no body': fail(at(full, edit.responseBody(''))),
    'every body broke off': inconclusive(at(answered(201), edit.broken)),
  }),
  ...textRows,

  ...rowsOf('CREATE-10', {
    'a 401 created it, after a 429': fail(
      edit.all(
        at(asked('recovery'), edit.responseBody([{ id: 9, name: 'pc-virtual1-no-key' }])),
        edit.precededBy(asked('unauthenticated-creations', 'creation without a key'), edit.limited),
      ),
    ),
    'a 400 created it, with another name': fail(
      at(asked('recovery'), edit.responseBody([{ id: 9, name: '123', description: 'pc-virtual1-bad-2' }])),
    ),
    'the description of a creation with 400, which an earlier run sent, too, stands in a list': pass(
      edit.all(
        at(asked('open-creations', 'unknown field'), edit.status(400), ERROR, edit.requestBody(OF_ALL_RUNS)),
        at(asked('recovery'), edit.responseBody([{ ...OF_ALL_RUNS, id: 9, name: 'earlier' }])),
      ),
    ),
    'every list is a page (K59)': inconclusive(
      at(answered(200), edit.header('Link', '</v1/categories?page=2>; rel=next')),
    ),
    'malformed JSON that returned 400 created it': fail(listed('pc-virtual1-bad-18')),
    'a creation that the specification leaves open returned 400 and created it': fail(
      edit.all(
        at(asked('open-creations', 'null description'), edit.status(400), ERROR),
        listed('pc-virtual1-null-desc'),
      ),
    ),
  }),
]);
