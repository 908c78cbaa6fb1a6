import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { clientChosenId } from '../../probes/category-requests.ts';
import { creations } from '../../probes/creations.ts';

const { answered, asked, at, both } = edit;
const full = asked('first-creation');
const idOfAnother = asked('creations', creations.steps.idOfAnother);
const unassignedId = asked('creations', creations.steps.unassignedId);
const unassigned = String(clientChosenId('virtual1'));

/** Another id in the answer to a creation. */
const gives = (where: edit.Where, id: string): edit.Change =>
  at(
    where,
    edit.rewrite((text) => text.replace(/"id":\d+,/, `"id":${id},`)),
  );
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

/** What a service makes of ids: those that it assigns, and those that a client sends. */
export const idRows: readonly VerdictRow[] = [
  { id: 'CREATE-11', description: 'no id twice', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'CREATE-11',
    description: 'ids that differ beyond 2^53',
    journal: edit.all(gives(full, '9007199254740992'), gives(unassignedId, '9007199254740993')),
    verdict: 'pass',
  },
  { id: 'CREATE-11', description: 'one id twice', journal: gives(unassignedId, '1'), verdict: 'warn' },
  {
    id: 'CREATE-11',
    description: 'one id twice, written otherwise',
    journal: gives(unassignedId, '1.0'),
    verdict: 'warn',
  },
  {
    id: 'CREATE-11',
    description: 'an old id for a creation that the specification leaves open',
    journal: gives(asked('open-creations', 'unknown field'), '1'),
    verdict: 'warn',
  },
  {
    id: 'CREATE-11',
    description: 'the category of that name once more for a name that exists already (K61)',
    journal: existing('{"id":ID,"name":"pc-virtual1-unknown"}'),
    verdict: 'pass',
  },
  {
    id: 'CREATE-11',
    description: 'an overwritten category for a name that exists already',
    journal: existing('{"id":ID,"name":"pc-virtual1-unknown","description":"5.10"}'),
    verdict: 'warn',
  },
  {
    id: 'CREATE-11',
    description: 'one id for two simultaneous creations',
    journal: at(
      both(asked('second-batch'), answered(201)),
      edit.rewrite((text) => text.replace(/"id":\d+,/, '"id":77,')),
    ),
    verdict: 'warn',
  },
  ...(['CREATE-11', 'CREATE-12'] as const).flatMap((id) =>
    ['null', 'true'].map((text) => ({
      id,
      description: `nothing but ids that are ${text}: CAT-1`,
      journal: at(
        answered(201),
        edit.rewrite((body) => body.replace(/"id":\d+/, `"id":${text}`)),
      ),
      verdict: 'inconclusive' as const,
    })),
  ),
  {
    id: 'CREATE-11',
    description: 'one creation only',
    journal: edit.cutAfter('first-creation'),
    verdict: 'inconclusive',
  },
  { id: 'CREATE-12', description: 'ids of its own', journal: edit.unchanged, verdict: 'pass' },
  {
    id: 'CREATE-12',
    description: 'one that is near to what was sent',
    journal: gives(unassignedId, String(Number(unassigned) + 1)),
    verdict: 'pass',
  },
  {
    id: 'CREATE-12',
    description: 'the id of another category that was sent',
    journal: gives(idOfAnother, '1'),
    verdict: 'fail',
  },
  {
    id: 'CREATE-12',
    description: 'the id of another category that was sent, and that every creation gets',
    journal: at(
      answered(201),
      edit.rewrite((text) => text.replace(/"id":\d+,/, '"id":1,')),
    ),
    verdict: 'pass',
  },
  {
    id: 'CREATE-12',
    description: 'the id that was sent',
    journal: gives(unassignedId, unassigned),
    verdict: 'fail',
  },
  {
    id: 'CREATE-12',
    description: 'the id that was sent, as a string',
    journal: gives(unassignedId, `"${unassigned}"`),
    verdict: 'fail',
  },
  {
    id: 'CREATE-12',
    description: 'rejected, as by a service that accepts no field that it does not know (K77)',
    journal: edit.all(at(idOfAnother, edit.status(400)), at(unassignedId, edit.status(400))),
    verdict: 'pass',
  },
  {
    id: 'CREATE-12',
    description: 'one was rejected and the other one adopted',
    journal: edit.all(at(idOfAnother, edit.status(400)), gives(unassignedId, unassigned)),
    verdict: 'fail',
  },
  {
    id: 'CREATE-12',
    description: '500',
    journal: edit.all(at(idOfAnother, edit.status(500)), at(unassignedId, edit.status(500))),
    verdict: 'inconclusive',
  },
  {
    id: 'CREATE-12',
    description: '201 without an id to compare',
    journal: edit.all(at(idOfAnother, edit.broken), at(unassignedId, edit.responseBody('{}'))),
    verdict: 'inconclusive',
  },
];
