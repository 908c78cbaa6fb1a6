import { virtualRun } from '../../../../evaluation/simulation/virtual-run.ts';
import type { VerdictRow } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { fail, inconclusive, pass, rowsOf } from '../../../../evaluation/testing/suites/edits.ts';
import { inPages } from '../../../../reference-server/catalogue/wrappers/responses.ts';
import { listPages } from '../../probes/lists.ts';

const { lines } = await virtualRun({ fault: inPages({ size: 3 }) });
const { lines: skipping } = await virtualRun({
  fault: inPages({ size: 3, firstItem: (page) => (page - 1) * 4 }),
});
const { lines: withDisposableKey } = await virtualRun({
  fault: inPages({ size: 3 }),
  withDisposableKey: true,
});

/** The first page had an item of another client before, which is on no page now. */
const removedByAnother = edit.at(
  edit.both(edit.asked('preflight'), edit.answered(200)),
  edit.rewrite((text) => text.replace('[', '[{"id":99,"name":"theirs"},').replace(',]', ']')),
);

const pages = edit.asked(listPages.id);
const nextPages = edit.asked(listPages.id, listPages.steps.nextPage);

/** What the pages of a list show together (LIST-3, CREATE-10). */
export const listPageRows: readonly VerdictRow[] = rowsOf('LIST-3', {
  'all stand on some page': pass(() => lines),
  'one is skipped between two pages, twice': fail(() => skipping),
  'one is on no page, while another client deletes categories (K58)': inconclusive(() =>
    removedByAnother(skipping),
  ),
  'all stand on some page, while another client deletes categories (K58)': pass(() =>
    removedByAnother(lines),
  ),
  'the disposable key created one and requested the first page alone': pass(() => withDisposableKey),
  'one is on no page, but the last page names another one': inconclusive(() =>
    edit.at(pages, edit.header('Link', '</v1/categories?page=2>; rel="next"'))(skipping),
  ),
  'a page got no response': inconclusive(() => edit.at(nextPages, edit.silent('timeout'))(lines)),
  'the pages were not requested': inconclusive(() => edit.without(pages)(lines)),
});
