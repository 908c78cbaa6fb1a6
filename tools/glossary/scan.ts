import { parseSync, Visitor } from 'oxc-parser';

/** A piece of text or a name, and the line (from 1) on which it begins. */
export interface Found {
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
