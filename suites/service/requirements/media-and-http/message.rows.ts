import type { VerdictRow, Where } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';
import { fail, pass, rowsOf, warn } from '../../../../evaluation/testing/suites/edits.ts';

const { at } = edit;

/** How the bytes of a response are written: its framing and its content coding. `list`: a response with a list. */
export const messageRows = (list: Where): readonly VerdictRow[] => [
  ...rowsOf('MEDIA-1', {
    'a coding that the request does not accept, undone': warn(
      at(list, edit.header('Content-Encoding', 'gzip'), edit.reading({ decoded: 'gzip' })),
    ),
    'a coding that was not undone': warn(at(list, edit.header('Content-Encoding', 'gzip'), edit.binary)),
  }),
  ...['gzip', 'x-gzip', 'deflate', 'br', 'identity, GZIP'].map((coding) => ({
    id: 'MEDIA-1' as const,
    description: `the coding ${coding}, which the body does not have`,
    journal: at(list, edit.header('Content-Encoding', coding)),
    verdict: 'fail' as const,
    because: /Content-Encoding/,
  })),
  ...['UTF-8', 'none', 'json', 'aws-chunked'].map((coding) => ({
    id: 'MEDIA-1' as const,
    description: `the coding ${coding}, which is none`,
    journal: at(list, edit.header('Content-Encoding', coding)),
    verdict: 'warn' as const,
    because: /Content-Encoding/,
  })),
  ...rowsOf('MEDIA-1', {
    'what is no coding, before what is no JSON': fail(
      at(list, edit.header('Content-Encoding', 'UTF-8'), edit.responseBody('<p>')),
    ),
  }),
  ...rowsOf('LIST-2', {
    'a list whose Content-Encoding is a charset': pass(at(list, edit.header('Content-Encoding', 'UTF-8'))),
  }),
  ...rowsOf('MEDIA-1', {
    'a body that no client reads': fail(
      at(list, edit.cut, edit.reading({ unreadable: 'its last chunk does not arrive' })),
    ),
  }),
  ...rowsOf('HTTP-4', {
    'the same': warn(at(list, edit.cut, edit.reading({ unreadable: 'its last chunk does not arrive' }))),
    'a response that strict clients reject': warn(
      at(list, edit.reading({ irregular: ['Content-Length beside Transfer-Encoding'] })),
      /Content-Length beside Transfer-Encoding/,
    ),
  }),
  ...rowsOf('MEDIA-1', {
    'the same': pass(at(list, edit.reading({ irregular: ['Content-Length beside Transfer-Encoding'] }))),
  }),
];
