import { countOf } from '../../../kernel/basics/text.ts';

export interface TextChange {
  /** `allowed`: white space around it was cut off. `doubtful`: one plausible reading allows it. `spoiled`: another text. */
  readonly kind: 'allowed' | 'doubtful' | 'spoiled';
  /** What explains the difference and where that comes from, in whole sentences; absent where no known change does. */
  readonly cause?: string;
}

/** By the changes that databases and frameworks are known to make. Storing NFC, as RFC 5198 recommends, is a doubt. */
export function changeOf(sent: string, received: unknown): TextChange | undefined {
  if (received === sent) return undefined;
  if (typeof received !== 'string') {
    return sent === '' && (received === undefined || received === null)
      ? {
          kind: 'spoiled',
          cause: `The empty text became ${received === null ? 'null' : 'no value'}, as with Laravel's ConvertEmptyStringsToNull or Go's omitempty.`,
        }
      : { kind: 'spoiled' };
  }
  // A service may cut off the white space around a text and change the rest.
  const known = CHANGES.find(({ change }) => change(sent) === received || change(sent.trim()) === received);
  return known ?? truncation(sent, received) ?? { kind: 'spoiled' };
}

interface KnownChange extends TextChange {
  readonly change: (sent: string) => string;
}

const changeOfKind =
  (kind: TextChange['kind']) =>
  (change: KnownChange['change'], cause: string): KnownChange => ({ kind, change, cause });
const allows = changeOfKind('allowed');
const isDoubtful = changeOfKind('doubtful');
const spoils = changeOfKind('spoiled');
/** What matches became one of these. */
const replaces = (pattern: RegExp, by: readonly string[], cause: string): readonly KnownChange[] =>
  by.map((one) => spoils((text) => text.replace(pattern, one), cause));

const ASTRAL = /[\u{10000}-\u{10ffff}]/gu;
const NOT_ASCII = /\P{ASCII}/gu;
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const escaped = (text: string, quote: string, apostrophe: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', quote)
    .replaceAll("'", apostrophe);

const HTML_ESCAPED =
  'The text was escaped for HTML before it was stored or written: escape it where a page is made.';
const LATIN_1 =
  'The bytes of UTF-8 were read as Latin-1 (ISO 8859-1 or Windows-1252): read and write UTF-8 everywhere.';
const BEYOND_BASIC_PLANE =
  'Characters beyond the basic plane were lost, as with the three bytes of MySQL’s utf8: use utf8mb4.';
const NOT_IN_CODE_PAGE =
  'Characters that are not ASCII were lost, as in a column or a writer with a single-byte character set.';

/** Known changes, the most lenient first. A text that does not have what a change is about stays the same under it, so no change explains too much. */
const CHANGES: readonly KnownChange[] = [
  allows((text) => text.trim(), 'White space around it was cut off.'),
  allows((text) => text.trimEnd(), 'White space at its end was cut off.'),
  allows((text) => text.trimStart(), 'White space at its beginning was cut off.'),
  isDoubtful(
    (text) => text.normalize('NFC'),
    'It was normalized to NFC, the form that RFC 5198 recommends: canonically equal in Unicode, and another string for most programs.',
  ),
  isDoubtful((text) => text.replace(/\r?\n/g, '\r\n'), 'The ends of its lines became CR LF.'),
  isDoubtful((text) => text.replace(/[ \t]+/g, ' '), 'Several blanks became one, as with Rails’ squish.'),
  spoils((text) => text.toLowerCase(), 'It was changed to lower case.'),
  spoils((text) => text.toUpperCase(), 'It was changed to upper case.'),
  spoils(
    (text) => text.normalize('NFD'),
    'It was normalized to NFD, as file systems of Apple do: canonically equal in Unicode, and another string for most programs. Store texts as they were sent.',
  ),
  spoils((text) => text.normalize('NFKC'), 'It was normalized to NFKC, which replaces characters.'),
  ...['&#039;', '&#39;', '&#x27;', '&apos;', "'"].flatMap((apostrophe) =>
    ['&quot;', '&#34;', '"'].map((quote) => spoils((text) => escaped(text, quote, apostrophe), HTML_ESCAPED)),
  ),
  spoils(
    (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#039;'),
    HTML_ESCAPED,
  ),
  replaces(/</g, ['&lt;'], HTML_ESCAPED),
  spoils((text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'), HTML_ESCAPED),
  replaces(/<[^>]*>/g, [''], 'Tags of HTML were removed.'),
  spoils((text) => text.replaceAll('&lt;', '<').replaceAll('&amp;', '&'), 'HTML escapes in it were decoded.'),
  spoils((text) => utf8(text).toString('latin1'), LATIN_1),
  spoils((text) => new TextDecoder('windows-1252').decode(utf8(text)), LATIN_1),
  replaces(ASTRAL, ['?', '??', '????', '\ufffd', '\ufffd\ufffd', ''], BEYOND_BASIC_PLANE),
  replaces(NOT_ASCII, ['?', ''], NOT_IN_CODE_PAGE),
  spoils(
    (text) => text.normalize('NFD').replace(/\p{M}/gu, ''),
    'Accents were removed: store the text as it was sent, and search in a folded copy.',
  ),
  replaces(/\r?\n/g, [' ', ''], 'Its lines were joined.'),
  replaces(/\n/g, ['\\n'], 'The ends of its lines were escaped once more.'),
  replaces(/\\/g, [''], 'Backslashes were removed.'),
  spoils((text) => text.replaceAll('\\', '\\\\'), 'Backslashes were doubled.'),
  replaces(/['"\\]/g, ['\\$&'], 'Quotes were escaped with backslashes, as with addslashes.'),
  replaces(/'/g, ["''"], 'Quotes were doubled, as SQL escapes them: use parameters.'),
  replaces(/['"`]/g, [''], 'Quotes were removed.'),
  spoils((text) => percentDecoded(text), 'It was decoded as a part of a URL.'),
  spoils((text) => percentDecoded(text.replaceAll('+', ' ')), 'It was decoded as a form field.'),
  replaces(/\+/g, [' '], 'It was decoded as a form field.'),
  replaces(
    /^0+(?=[0-9]+$)/,
    [''],
    'It was read as a number, which has no leading zeros: a text of digits stays a text.',
  ),
  replaces(
    /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
    ['$&T00:00:00', '$&T00:00:00Z', '$&T00:00:00.000Z', '$&T00:00:00+00:00', '$& 00:00:00'],
    'It was read as a date and written as a time: a text that looks like a date stays a text.',
  ),
].flat();

function percentDecoded(text: string): string {
  return text.replace(/%[0-7][0-9A-Fa-f]/g, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}

/** The first characters of the text: a column of limited length. Whether characters, UTF-16 units or bytes are counted does not matter. */
function truncation(sent: string, received: string): TextChange | undefined {
  const start = received.replace(/(\.\.\.|\u2026|\ufffd)$/, '');
  if (start === '' || !sent.startsWith(start)) return undefined;
  return {
    kind: 'spoiled',
    cause: `Only the first ${countOf([...start].length, 'character')} of ${[...sent].length} came back: reject with 400 what is too long.`,
  };
}
