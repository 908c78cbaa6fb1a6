import { visibleBlock, visibleLine } from './foreign-text.ts';

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

  /** The finished text. */
  toString(): string {
    return this.#text;
  }

  /** A template tag for a language, given how a foreign string is written in it so that it stays mere text. */
  static tag<Name extends string>(language: Name, quote: (foreign: string) => string): Tag<Name> {
    const write = (insert: Insert<Name>): string => {
      if (insert instanceof Written) return insert.toString();
      if (typeof insert === 'object') return insert.map(write).join('');
      return quote(String(insert));
    };
    return (literals, ...inserts) => {
      const text = literals.map((literal, at) => {
        const insert = inserts[at];
        return insert === undefined ? literal : literal + write(insert);
      });
      return new Written(language, text.join(''));
    };
  }
}

/** What a template may contain: strings and numbers are escaped, what is already written goes in as it is. */
type Insert<Language extends string> = string | number | Written<Language> | readonly Insert<Language>[];

/** A template tag that escapes its inserts. */
export type Tag<Language extends string> = (
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

/** Pieces of a page with a text between them. */
export const joined = (pieces: readonly Markup[], separator: string): Markup =>
  markup`${pieces.map((piece, at) => markup`${at === 0 ? '' : separator}${piece}`)}`;

/** A list in Markdown. */
export const bulletList = (items: readonly (Markdown | string)[]): Markdown =>
  markdown`${items.map((item, at) => markdown`${at === 0 ? '' : markdown`\n`}- ${item}`)}`;
