/** Makes a text of about so many characters. */
export type Shape = (length: number) => string;

const repeated =
  (unit: string, begin = '', end = ''): Shape =>
  (length) =>
    begin + unit.repeat(Math.ceil(length / unit.length)) + end;

/** Texts on which expressions are known to try one place after another, or one reading after another. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  'white space': repeated(' '),
  'white space before a sign': repeated(' ', '', '!'),
  'white space of every kind': repeated(' \t\r\n'),
  lines: repeated('\n'),
  brackets: repeated('['),
  braces: repeated('{'),
  'brackets that end': repeated('[]'),
  quotes: repeated('"'),
  'single quotes': repeated("'"),
  backticks: repeated('`'),
  digits: repeated('9'),
  letters: repeated('a'),
  'letters before a sign': repeated('a', '', '\u0001'),
  words: repeated('a '),
  commas: repeated(','),
  'commas with white space': repeated(' ,'),
  semicolons: repeated(';'),
  backslashes: repeated('\\'),
  'escapes of JSON': repeated('\\u0061'),
  'escapes of signs': repeated('\\"'),
  'percent signs': repeated('%'),
  'escapes of addresses': repeated('%61'),
  'number signs': repeated('#'),
  'angle brackets': repeated('<'),
  ampersands: repeated('&'),
  stars: repeated('*'),
  'tildes and addresses': repeated('www.a@b~'),
  surrogates: repeated('\ud800'),
  'characters that cannot be seen': repeated('\u202e'),
  credentials: repeated('Bearer '),
  'credentials far apart': repeated(' ', 'Bearer', 'x'),
  'a relation of white space': repeated(' ', '<x>;rel='),
  relations: repeated(';rel='),
  'a challenge that never ends': repeated(',', 'a b=', '\n"'),
  parameters: repeated('a="b", '),
  'a media type': repeated(' ', 'application/json', '"'),
  directives: repeated('max-age=0, '),
  'a status of white space': repeated(' ', '{"status":', 'x'),
  fields: repeated('"status": '),
  'an array of numbers': repeated('1,', '[', '1]'),
  'an array of texts': repeated('"pc-a",', '[', '1]'),
  'a number': repeated('9', '[', ']'),
  'a fraction': repeated('0', '[0.', '1]'),
  'an exponent': repeated('9', '[1e', ']'),
  'ids of many digits': repeated('9', '[{"name":"a","id":', '}]'),
  'the same category': repeated('{"id":1,"name":"a"},', '[', '{"id":1,"name":"a"}]'),
  'an object of one field': repeated('"a":1,', '{', '"a":1}'),
  paths: (length) => JSON.stringify({ ...DESCRIPTION, paths: { [`/${'{'.repeat(length)}`]: {} } }),
  references: (length) =>
    JSON.stringify({
      ...DESCRIPTION,
      paths: {},
      components: { schemas: { a: { $ref: `#/${'a/'.repeat(length / 2)}` } } },
    }),
  dashes: repeated('- '),
  'keys of YAML': repeated('a: 1\n'),
  aliases: repeated('*a '),
};

const DESCRIPTION = { openapi: '3.0.3', info: { title: 'x', version: '1.0.0' } };

/** Keys of one to two hundred characters of every kind. */
export const KEYS: Readonly<Record<string, string>> = {
  'one letter': 'a',
  'two letters': 'ab',
  'six digits': '483920',
  'two hundred digits': '1'.repeat(200),
  'an ordinary key': 'demo-free-1-Zm9vYmFyYmF6cXV4',
  'one letter over and over': 'a'.repeat(200),
  'one letter and another at the end': `${'a'.repeat(199)}b`,
  'another letter and one over and over': `b${'a'.repeat(199)}`,
  backslashes: '\\'.repeat(200),
  'percent signs': '%25'.repeat(66),
  'quotation marks': '"'.repeat(200),
  signs: '.*+?^$(){}[]|/~=,;:<>&%#@!\\"\''.repeat(7).slice(0, 200),
  'letters beyond ASCII': 'é猫🐈'.repeat(50),
};

/** Texts that are a key or nearly one, over and over, in each spelling. */
export function nearMisses(key: string): Readonly<Record<string, Shape>> {
  const short = [...key].slice(0, -1).join('');
  const unit = short === '' ? 'b' : short;
  return {
    'the key': repeated(key),
    'the key in two lines': repeated(`${key.slice(0, key.length / 2)}\n${key.slice(key.length / 2)} `),
    'the key without its end': repeated(`${unit}\u0001`),
    'the key in credentials, without its end': repeated(`Bearer ${unit}-`),
    'the key percent-encoded, without its end': repeated(`${percent(unit)}~`),
    'the key in escapes of JSON, without its end': repeated(`${unicode(unit)}~`),
    'the key behind white space': repeated(`${' '.repeat(500)}${key}`),
  };
}

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const unicode = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
