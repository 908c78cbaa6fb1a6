import type { VerdictRow, Where } from '../../../../evaluation/testing/suites/edits.ts';
import * as edit from '../../../../evaluation/testing/suites/edits.ts';

const { at } = edit;

/** How the bytes of a response are written: its framing and its content coding. `list`: a response with a list. */
export const messageRows = (list: Where): readonly VerdictRow[] => [
  {
    id: 'MEDIA-1',
    description: 'a coding that the request does not accept, undone',
    journal: at(list, edit.header('Content-Encoding', 'gzip'), edit.reading({ decoded: 'gzip' })),
    verdict: 'warn',
  },
  {
    id: 'MEDIA-1',
    description: 'a coding that was not undone',
    journal: at(list, edit.header('Content-Encoding', 'gzip'), edit.binary),
    verdict: 'warn',
  },
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
  {
    id: 'MEDIA-1',
    description: 'what is no coding, before what is no JSON',
    journal: at(list, edit.header('Content-Encoding', 'UTF-8'), edit.responseBody('<p>')),
    verdict: 'fail',
  },
  {
    id: 'LIST-2',
    description: 'a list whose Content-Encoding is a charset',
    journal: at(list, edit.header('Content-Encoding', 'UTF-8')),
    verdict: 'pass',
  },
  {
    id: 'MEDIA-1',
    description: 'a body that no client reads',
    journal: at(list, edit.cut, edit.reading({ unreadable: 'its last chunk does not arrive' })),
    verdict: 'fail',
  },
  {
    id: 'HTTP-4',
    description: 'the same',
    journal: at(list, edit.cut, edit.reading({ unreadable: 'its last chunk does not arrive' })),
    verdict: 'warn',
  },
  {
    id: 'HTTP-4',
    description: 'a response that strict clients reject',
    journal: at(list, edit.reading({ irregular: ['Content-Length beside Transfer-Encoding'] })),
    verdict: 'warn',
    because: /Content-Length beside Transfer-Encoding/,
  },
  {
    id: 'MEDIA-1',
    description: 'the same',
    journal: at(list, edit.reading({ irregular: ['Content-Length beside Transfer-Encoding'] })),
    verdict: 'pass',
  },
];
