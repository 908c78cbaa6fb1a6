/**
 * Text that a target may have chosen. Whatever a report shows passes through
 * here first: bounded, and with nothing in it that a reader cannot see.
 */

/**
 * Control characters, lone surrogates, separators of lines and paragraphs, noncharacters, and everything
 * that shows nothing by itself: overrides of the writing direction, characters without width, tags.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/gu;

const LINE_BREAKS: ReadonlySet<string> = new Set(['\n', '\t']);

/** The text with every unseen character written out, as in `⟨U+202E⟩`; line feeds and tabs stay. */
export const visibleBlock = (text: string): string =>
  text.replace(UNSEEN, (character) => (LINE_BREAKS.has(character) ? character : named(character)));

/** The text on one line: as `visibleBlock`, and line feeds and tabs are written out too. */
export const visibleLine = (text: string): string => text.replace(UNSEEN, named);

/** JSON with every unseen character inside a string as an escape, so that printing the file cannot mislead. */
export const visibleJson = (json: string): string =>
  json.replace(UNSEEN, (character) => (LINE_BREAKS.has(character) ? character : escaped(character)));

const named = (character: string): string => `⟨U+${hexadecimal(character.codePointAt(0) ?? 0)}⟩`;
/** JSON has an escape for each UTF-16 unit. */
const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${hexadecimal(unit.charCodeAt(0)).toLowerCase()}`)
    .join('');
const hexadecimal = (number: number): string => number.toString(16).toUpperCase().padStart(4, '0');

/** The text when it has at most `most` UTF-16 units, else its beginning and a note of how much is missing. */
export function bounded(text: string, most: number): string {
  const start = startOf(text, most);
  return start === text ? text : `${start}${missingNote(text.length - start.length)}`;
}

const missingNote = (count: number): string => ` […${count} more characters]`;

/** The first `most` UTF-16 units of a text, never half a surrogate pair. */
function startOf(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

/** A stretch of prose: plain words, or what stood between two backticks. */
interface Span {
  readonly kind: 'words' | 'code';
  readonly text: string;
}

/**
 * The code spans that the register and the judges write with single backticks. A backtick without a partner
 * is an ordinary character, so a backtick from a target changes at most the typeface.
 */
export function spansOf(prose: string): readonly Span[] {
  const parts = prose.split('`');
  const last = parts.length % 2 === 0 ? parts.pop() : undefined;
  const spans = parts.map((text, at): Span => ({ kind: at % 2 === 0 ? 'words' : 'code', text }));
  if (last !== undefined) spans.push({ kind: 'words', text: `\`${last}` });
  return spans.filter(({ text }) => text !== '');
}

/** The spans of a prose of at most `most` characters, or of its beginning and a note of how much is missing, which is never code. */
export function boundedSpans(prose: string, most: number, spans = spansOf(prose)): readonly Span[] {
  let space = most;
  let missing = 0;
  const shown = spans.flatMap((span) => {
    const text = startOf(span.text, space);
    missing += span.text.length - text.length;
    space = text === span.text ? space - text.length : 0;
    return text === '' ? [] : [{ ...span, text }];
  });
  return missing === 0 ? shown : [...shown, { kind: 'words', text: missingNote(missing) }];
}

/**
 * Text in a language such as HTML, made of literals in this source and of inserts that were escaped.
 * There is no way to make one out of a string, so nothing from a target can become part of the language.
 */
class Written<Language extends string> {
  readonly language: Language;
  readonly #text: string;

  private constructor(language: Language, text: string) {
    this.language = language;
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  /** A template tag for a language, given how a foreign string is written in it so that it stays mere text. */
  static tag<Name extends string>(language: Name, quote: (foreign: string) => string): Tag<Name> {
    const write = (insert: Insert<Name>): string => {
      if (insert instanceof Written) return insert.toString();
      if (typeof insert === 'object') return insert.map(write).join('');
      return insert === undefined ? '' : quote(String(insert));
    };
    return (literals, ...inserts) =>
      new Written(language, literals.map((literal, at) => literal + write(inserts[at])).join(''));
  }
}

/** What a template may contain: strings and numbers are escaped, what is already written goes in as it is; undefined is nothing. */
type Insert<Language extends string> =
  | string
  | number
  | undefined
  | Written<Language>
  | readonly Insert<Language>[];

/** A template tag that escapes its inserts. */
type Tag<Language extends string> = (
  literals: TemplateStringsArray,
  ...inserts: readonly Insert<Language>[]
) => Written<Language>;

/** A piece of HTML or XML. */
export type Markup = Written<'markup'>;
/** A piece of GitHub-flavoured Markdown within one line. */
export type Markdown = Written<'markdown'>;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * HTML and XML. Inserts are allowed in text and in quoted attributes, never in a tag's or an attribute's name.
 * What XML 1.0 cannot hold (its section 2.2) is written out in plain sight.
 */
export const markup: Tag<'markup'> = Written.tag('markup', (foreign) =>
  visibleBlock(foreign).replace(/[&<>"']/g, (character) => REFERENCES[character] ?? character),
);

/**
 * GitHub-flavoured Markdown. A character that could begin a construct becomes a character reference, which never
 * does (CommonMark §2.5). The site looks for mentions and issues after that, so a comment takes their sign apart
 * from what follows it.
 */
export const markdown: Tag<'markdown'> = Written.tag('markdown', (foreign) =>
  visibleLine(foreign)
    .replace(/[&<>|\\`*_~[\]$]|:(?=\/\/)|(?<=www)\.|^(?:[-+=#]|\d+(?=[.)](?:\s|$)))/gi, (start) =>
      [...start].map((character) => `&#${character.charCodeAt(0)};`).join(''),
    )
    .replace(/@|(?<!&)#/g, '$&<!-- -->'),
);

/** Pieces for a template with the same between any two of them. */
export const joined = <Piece>(pieces: readonly Piece[], separator: Piece): readonly Piece[] =>
  pieces.flatMap((piece, at) => (at === 0 ? [piece] : [separator, piece]));

/** A table. @param rows each with a cell for every name of the head. */
export const markdownTable = (
  head: readonly string[],
  rows: readonly (readonly (Markdown | string)[])[],
): Markdown =>
  markdown`|${head.map((name) => (name === '' ? markdown` |` : markdown` ${name} |`))}
|${head.map(() => markdown` --- |`)}${rows.map((cells) => markdown`\n|${cells.map((cell) => markdown` ${cell} |`)}`)}`;

export const bulletList = (items: readonly (Markdown | string)[]): Markdown =>
  markdown`- ${joined(items, markdown`\n- `)}`;
