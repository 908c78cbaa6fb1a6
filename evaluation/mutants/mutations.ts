import { parseSync, Visitor } from 'oxc-parser';

/** One change of a source file: the text from `start` to `end` becomes `with`. */
export interface Mutation {
  readonly start: number;
  readonly end: number;
  readonly with: string;
  /** From 1. */
  readonly line: number;
  /** What changes, for a person: `< → <=`. */
  readonly what: string;
}

/** A place of the text. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** An expression with an operator between its sides. */
interface Sides extends Place {
  readonly operator: string;
  readonly left: Place & { readonly type: string };
  readonly right: Place & { readonly type: string };
}

const OPERATORS: Readonly<Record<string, string>> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '&&': '||', '||': '&&' },
};

const METHODS: Readonly<Record<string, string>> = {
  ...{ some: 'every', every: 'some', max: 'min', min: 'max', find: 'findLast', findLast: 'find' },
  ...{ ceil: 'floor', floor: 'ceil', filter: 'map' },
};

/** Every mutation of a module, in the order of the text. Types change nothing at run time, so none lies in one. */
export function mutationsOf(path: string, source: string): readonly Mutation[] {
  const found: Mutation[] = [];
  const leftOut: Place[] = [];
  const change = ({ start, end }: Place, text: string): void => {
    const before = source.slice(start, end).trim();
    const what = `${before.length > 40 ? `${before.slice(0, 40)}…` : before} → ${text.trim() || 'nothing'}`;
    found.push({ start, end, with: text, line: source.slice(0, start).split('\n').length, what });
  };
  const isText = ({ type, start }: Sides['left']): boolean =>
    type === 'TemplateLiteral' || (type === 'Literal' && /['"]/.test(source[start] ?? ''));
  const ofOperator = ({ operator, left, right }: Sides): void => {
    const other = OPERATORS[operator];
    if (other === undefined || (operator === '+' && [left, right].some(isText))) return;
    const start = source.indexOf(operator, left.end);
    change({ start, end: start + operator.length }, other);
  };
  const ofTest = ({ test }: { readonly test: Place }): void => {
    for (const text of ['true', 'false']) change(test, text);
  };
  const leaveOut = (place: Place): void => void leftOut.push(place);
  new Visitor({
    TSTypeAnnotation: leaveOut,
    TSTypeAliasDeclaration: leaveOut,
    TSInterfaceDeclaration: leaveOut,
    TSTypeParameterDeclaration: leaveOut,
    TSTypeParameterInstantiation: leaveOut,
    TSAsExpression: ({ typeAnnotation }) => leaveOut(typeAnnotation),
    TSSatisfiesExpression: ({ typeAnnotation }) => leaveOut(typeAnnotation),
    BinaryExpression: ofOperator,
    LogicalExpression(node) {
      ofOperator(node);
      // An operator gives the compiler a default for an element that is always there: no test reaches it.
      const { operator, left, right } = node;
      if (operator === '??' && right.type === 'Literal' && left.type === 'MemberExpression' && left.computed)
        leaveOut(right);
    },
    UnaryExpression({ operator, start }) {
      if (operator === '!') change({ start, end: start + 1 }, '');
    },
    Literal(node) {
      if (typeof node.value === 'boolean') change(node, String(!node.value));
      if (typeof node.value === 'number') change(node, String(node.value + 1));
    },
    ConditionalExpression: ofTest,
    IfStatement: ofTest,
    MemberExpression({ property }) {
      const name = property.type === 'Identifier' ? property.name : '';
      const other = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
      if (other !== undefined) change(property, other);
    },
  }).visit(parseSync(path, source).program);
  return found
    .filter((one) => !leftOut.some(({ start, end }) => start <= one.start && one.end <= end))
    .sort((a, b) => a.start - b.start);
}
