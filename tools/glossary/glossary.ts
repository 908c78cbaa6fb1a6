import { parseSync, Visitor } from 'oxc-parser';

/** One thing, its one name, and the names that it does not have in this project. */
export interface Term {
  readonly say: string;
  /** Shown in the table of words to avoid. */
  readonly not: string;
  readonly meaning: string;
  /** What the test looks for in sentences: documents, string literals, comments. */
  readonly inText: RegExp;
  /** What the test looks for among the words of exported names (`camelCase` is split, lower case). */
  readonly inNames: RegExp;
}

const NEVER = /(?!)/;

/** The vocabulary of the project; `glossary.test.ts` fails where a word to avoid occurs. */
export const glossary: readonly Term[] = [
  {
    say: 'rate-limited, 429 response',
    not: 'refused, refusal',
    meaning: 'the response to a request beyond the limit',
    // A refused connection is the network's own word, as the cause of an exchange without a response.
    inText:
      /^(?!refused$).*(?<!connection (was |is )?)(?<!['"`])\brefus(ed|als?|es?|ing)\b(?! connection)(?!['"`])/is,
    inNames: /^refus(ed|als?|es?)$/,
  },
  {
    say: 'unauthenticated request',
    not: 'stranger',
    meaning: 'a request without a valid key',
    inText: /\bstrangers?\b/i,
    inNames: /^strangers?$/,
  },
  {
    say: 'remaining quota, quota left, available',
    not: 'room, what is left',
    meaning: 'how many more requests a limiter accepts',
    inText: /\brooms?\b|\bwhat is left\b/i,
    inNames: /^rooms?$/,
  },
  {
    say: 'full quota, untouched window',
    not: 'whole limit, whole again',
    meaning: 'nothing of the window was used',
    inText: /\bwhole (again|limit|quota)\b|\b(limit|quota) (is|was) whole\b/i,
    inNames: /^whole$/,
  },
  {
    say: 'announced (Retry-After), advertised (headers)',
    not: 'told, said, promised',
    meaning: 'what a header states',
    inText: /\b(told|said|promised)\b|\bkeeps? its promise\b/i,
    inNames: /^(told|said|promis(e|es|ed))$/,
  },
  {
    say: 'another client of the key',
    not: 'somebody else',
    meaning: 'concurrent use of the key under test',
    inText: /\b(somebody|nobody)\b/i,
    inNames: /^(somebody|nobody)$/,
  },
  {
    say: 'conforming, non-conforming',
    not: 'lawful, unlawful',
    meaning: 'what keeps the specification, and what does not',
    inText: /\b(un)?lawful(ly)?\b/i,
    inNames: /^(un)?lawful$/,
  },
  {
    say: 'specification',
    not: 'law',
    meaning: 'the description of the service that everything is judged by',
    inText: /\blaws?\b/i,
    inNames: /^laws?$/,
  },
  {
    say: 'attribution, cause',
    not: 'blame',
    meaning: 'who caused a 429',
    inText: /\bblam(e|es|ed|ing)\b/i,
    inNames: /^blame$/,
  },
  {
    say: 'exhaust the quota',
    not: 'drain, use up',
    meaning: 'send until the first 429',
    inText: /\bdrain(s|ed|ing)?\b|\bus(e|es|ed|ing) up\b/i,
    inNames: /^drain$/,
  },
  {
    say: 'preflight request',
    not: 'look, first look',
    meaning: 'the first request, which checks target, key and plan',
    inText: /\b(a|the|first|last|latest) look\b/i,
    inNames: /^look$/,
  },
  {
    say: 'baseline',
    not: 'arm',
    meaning: 'a request that fixes the starting point',
    inText: /\b(re)?arm(s|ed|ing)?\b/i,
    inNames: /^(re)?arm$/,
  },
  {
    say: 'scenario; parallel connections',
    not: 'lane',
    meaning: 'the requests of one key in a load run (a scenario of k6); requests under way at the same time',
    inText: /\blanes?\b/i,
    inNames: /^lanes?$/,
  },
  {
    say: 'schedule delay, late requests',
    not: 'missed its time',
    meaning: 'a generator that falls behind',
    inText: /\bmissed (its|their) time\b/i,
    inNames: NEVER,
  },
  {
    say: 'maximum duration, deadline',
    not: 'fence',
    meaning: 'the longest that something may take',
    inText: /\bfences?\b/i,
    inNames: /^fence$/,
  },
  {
    say: 'random network conditions',
    not: 'weather',
    meaning: 'delays, losses and clocks of a simulated network',
    inText: /\bweathers?\b/i,
    inNames: /^weathers?$/,
  },
  {
    say: 'third-party implementation',
    not: 'witness',
    meaning: 'software of others that we test against',
    inText: /\bwitness(es)?\b/i,
    inNames: /^witness(es)?$/,
  },
  {
    say: 'disposable key',
    not: 'sacrificial key',
    meaning: 'a key that may get banned',
    inText: /^(?!sacrificial$).*\bsacrific(e|es|ed|ial)\b(?![_`])/s,
    inNames: /^sacrific(e|ed|ial)$/,
  },
  {
    say: 'exhausted key',
    not: 'spent key',
    meaning: 'a key whose daily quota is used',
    inText: /\bspent (key|day)\b|\bday (is|was) (already )?spent\b/i,
    inNames: /^spent$/,
  },
  {
    say: 'test run, run',
    not: 'examination',
    meaning: 'one certification run (`certify` is the command)',
    inText: /\bexamin(ation|ations|es?|ed|ing)\b/i,
    inNames: /^examin(ation|e|es|ed)$/,
  },
  {
    say: 'injected fault, mutant',
    not: 'fault to have',
    meaning: 'what a faulty server does',
    inText: /\bfaults? to have\b/i,
    inNames: NEVER,
  },
  {
    say: 'conforming variant',
    not: 'variant to be',
    meaning: 'a server that conforms and looks as if it did not',
    inText: /\bvariants? to be\b/i,
    inNames: NEVER,
  },
  {
    say: 'fix',
    not: 'mend',
    meaning: 'what to change so that the service conforms',
    inText: /\bmend(s|ed|ing)?\b/i,
    inNames: /^mend(s|ed)?$/,
  },
  {
    say: 'threshold',
    not: 'bar',
    meaning: 'a limit that a measured value must keep',
    inText: /\b(the|a|no|every) bars? (of|is|was|for)\b/i,
    inNames: /^bars?$/,
  },
  {
    say: 'no response, timeout',
    not: 'silence',
    meaning: 'what happened where nothing was received',
    inText: /\bsilences?\b/i,
    inNames: /^silences?$/,
  },
  {
    say: 'input, option',
    not: 'means',
    meaning: 'what a user gives to a run',
    inText: /\b(these|the|optional|which) means\b/i,
    inNames: /^means$/,
  },
  {
    say: 'description',
    not: 'asks, says',
    meaning: 'what a probe or a fault is about',
    inText: NEVER,
    inNames: /^(asks?|says?)$/,
  },
];

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
