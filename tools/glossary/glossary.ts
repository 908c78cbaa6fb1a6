import { parseSync, Visitor } from 'oxc-parser';

/** The words to avoid in place of a term of CONTRIBUTING.md, which gives each its name and its meaning. */
export interface Term {
  /** Sought in sentences: documents, string literals, comments. */
  readonly inText?: RegExp;
  /** Sought among the words of exported names (`camelCase` is split, lower case). */
  readonly inNames?: RegExp;
}

/** These words, in sentences and names; `more` may stand in sentences besides. */
const words = (pattern: string, more = ''): Term => ({
  inText: new RegExp(`\\b(?:${pattern})\\b${more}`, 'i'),
  inNames: new RegExp(`^(?:${pattern})$`),
});

/** By what the table of the vocabulary shows as to be avoided. */
export const glossary: Readonly<Record<string, Term>> = {
  // A refused connection is the network's own word, as the cause of an exchange without a response.
  'refused, refusal': {
    inText:
      /^(?!refused$).*(?<!connection (was |is )?)(?<!['"`])\brefus(ed|als?|es?|ing)\b(?! connection)(?!['"`])/is,
    inNames: /^refus(ed|als?|es?)$/,
  },
  stranger: words('strangers?'),
  'room, what is left': words('rooms?', '|\\bwhat is left\\b'),
  'whole limit, whole again': {
    inText: /\bwhole (again|limit|quota)\b|\b(limit|quota) (is|was) whole\b/i,
    inNames: /^whole$/,
  },
  'told, said, promised': {
    inText: /\b(told|said|promised)\b|\bkeeps? its promise\b/i,
    inNames: /^(told|said|promis(e|es|ed))$/,
  },
  'somebody else': words('somebody|nobody'),
  'lawful, unlawful': words('(?:un)?lawful(?:ly)?'),
  law: words('laws?'),
  blame: words('blam(?:e|es|ed|ing)'),
  'drain, use up': words('drain(?:s|ed|ing)?', '|\\bus(?:e|es|ed|ing) up\\b'),
  'look, first look': { inText: /\b(a|the|first|last|latest) look\b/i, inNames: /^look$/ },
  arm: words('(?:re)?arm(?:s|ed|ing)?'),
  lane: words('lanes?'),
  'missed its time': { inText: /\bmissed (its|their) time\b/i },
  fence: words('fences?'),
  weather: words('weathers?'),
  witness: words('witness(?:es)?'),
  'sacrificial key': {
    inText: /^(?!sacrificial$).*\bsacrific(e|es|ed|ial)\b(?![_`])/s,
    inNames: /^sacrific(e|ed|ial)$/,
  },
  'spent key': {
    inText: /\bspent (key|day)\b|\bday (is|was) (already )?spent\b/i,
    inNames: /^spent$/,
  },
  examination: words('examin(?:ations?|es?|ed|ing)'),
  'fault to have': { inText: /\bfaults? to have\b/i },
  'variant to be': { inText: /\bvariants? to be\b/i },
  mend: words('mend(?:s|ed|ing)?'),
  bar: { inText: /\b(the|a|no|every) bars? (of|is|was|for)\b/i, inNames: /^bars?$/ },
  silence: words('silences?'),
  means: { inText: /\b(these|the|optional|which) means\b/i, inNames: /^means$/ },
  'asks, says': { inNames: /^(asks?|says?)$/ },
};

/** A piece of text or a name, and the line (from 1) on which it begins. */
interface Found {
  readonly text: string;
  readonly line: number;
}

/** What a person reads in a source file. */
export interface Readable {
  /** Comments, string literals and the text of templates. */
  readonly texts: readonly Found[];
  /** Exported names, and the members of types and classes. */
  readonly names: readonly Found[];
}

/** What a person reads in a TypeScript file. @throws {Error} when it does not parse. */
export function readableOf(file: string, source: string): Readable {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const lineOf = lines(source);
  const texts: Found[] = comments.map(({ value, start }) => ({ text: value, line: lineOf(start) }));
  const names: Found[] = [];
  const name = (key: { readonly type: string; readonly start: number; readonly name?: unknown }): void => {
    if (typeof key.name === 'string') names.push({ text: key.name, line: lineOf(key.start) });
  };
  new Visitor({
    Literal({ value, start }) {
      if (typeof value === 'string') texts.push({ text: value, line: lineOf(start) });
    },
    TemplateElement({ value, start }) {
      texts.push({ text: value.raw, line: lineOf(start) });
    },
    ExportNamedDeclaration({ declaration }) {
      if (declaration === null) return;
      if (declaration.type === 'VariableDeclaration') for (const { id } of declaration.declarations) name(id);
      else if ('id' in declaration && declaration.id !== null) name(declaration.id);
    },
    TSPropertySignature: ({ key }) => name(key),
    TSMethodSignature: ({ key }) => name(key),
    PropertyDefinition: ({ key }) => name(key),
    MethodDefinition: ({ key }) => name(key),
  }).visit(program);
  return { texts, names };
}

/** What a person reads in a document or a schema: every line. */
export const readableLines = (source: string): Readable => ({
  texts: source.split('\n').map((text, at) => ({ text, line: at + 1 })),
  names: [],
});

/** The words of a name: `camelCase` and `UPPER_CASE` are split, in lower case. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .map((word) => word.toLowerCase());

function lines(source: string): (offset: number) => number {
  const starts = [0];
  for (const { index } of source.matchAll(/\n/g)) starts.push(index + 1);
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}
