import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { each, fail, inconclusive, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';
import { clientChosenId } from '../../probes/category-requests.ts';
import { creations } from '../../probes/creations.ts';

const { answered, asked, at, both } = edit;
const full = asked('first-creation');
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
export const idRows: readonly VerdictRow[] = [
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
      const made = lines.flatMap((line) => (line.kind === 'exchange' && isCreation(line) ? line.n : []));
      return edit.without(({ n }) => made.indexOf(n) > 1)(lines);
    }),
  }),
  ...rowsOf('CREATE-12', {
    ...ofAnotherType,
    'the id of another category that was sent': fail(gives(idOfAnother, '1')),
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
    '201 without an id to compare': inconclusive(
      edit.all(at(idOfAnother, edit.broken), at(unassignedId, edit.responseBody('{}'))),
    ),
  }),
];
