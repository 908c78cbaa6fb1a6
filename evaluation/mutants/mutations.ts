import { parseSync } from 'oxc-parser';

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

/** A node of the syntax tree, as ESTree has it. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const OPERATORS: Readonly<Record<string, string>> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '&&': '||', '||': '&&' },
};

const METHODS: Readonly<Record<string, string>> = {
  ...{ some: 'every', every: 'some', max: 'min', min: 'max', find: 'findLast', findLast: 'find' },
  ...{ ceil: 'floor', floor: 'ceil', filter: 'map' },
};

/** Types change nothing at run time. */
const TYPES = new Set([
  'typeAnnotation',
  'typeParameters',
  'typeArguments',
  'returnType',
  'superTypeArguments',
]);

/** Every mutation of a module, in the order of the text. */
export function mutationsOf(path: string, source: string): readonly Mutation[] {
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length;
  const found: Mutation[] = [];
  const change = (start: number, end: number, text: string): void => {
    const before = source.slice(start, end).trim();
    const what = `${before.length > 40 ? `${before.slice(0, 40)}…` : before} → ${text.trim() || 'nothing'}`;
    found.push({ start, end, with: text, line: lineAt(start), what });
  };
  walk(parseSync(path, source).program as unknown as Node, (node) => {
    mutate(node, source, change);
  });
  return found.sort((a, b) => a.start - b.start);
}

type Change = (start: number, end: number, text: string) => void;

function mutate(node: Node, source: string, change: Change): void {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      ofOperator(node, source, change);
      return;
    case 'UnaryExpression':
      if (node['operator'] === '!') change(node.start, node.start + 1, '');
      return;
    case 'Literal':
      if (typeof node['value'] === 'boolean') change(node.start, node.end, String(!node['value']));
      if (typeof node['value'] === 'number') change(node.start, node.end, String(node['value'] + 1));
      return;
    case 'ConditionalExpression':
    case 'IfStatement':
      ofTest(node['test'], change);
      return;
    case 'MemberExpression':
      ofMethod(node['property'], change);
      return;
  }
}

function ofOperator(node: Node, source: string, change: Change): void {
  const [left, right, operator] = [node['left'], node['right'], node['operator']];
  if (!isNode(left) || !isNode(right) || typeof operator !== 'string') return;
  const other = OPERATORS[operator];
  if (other === undefined || (operator === '+' && [left, right].some(isText))) return;
  const at = source.indexOf(operator, left.end);
  change(at, at + operator.length, other);
}

const isText = ({ type, value }: Node): boolean => type === 'TemplateLiteral' || typeof value === 'string';

function ofTest(test: unknown, change: Change): void {
  if (!isNode(test)) return;
  change(test.start, test.end, 'true');
  change(test.start, test.end, 'false');
}

function ofMethod(property: unknown, change: Change): void {
  if (!isNode(property)) return;
  const name = property['name'];
  const other = typeof name === 'string' && Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (other !== undefined) change(property.start, property.end, other);
}

function walk(node: Node, use: (node: Node) => void): void {
  if (node.type.startsWith('TS') && !('expression' in node)) return;
  use(node);
  for (const [field, value] of Object.entries(node)) {
    if (TYPES.has(field) || (field === 'right' && isDefaultOfElement(node))) continue;
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(child)) walk(child, use);
  }
}

/** Whether an operator gives the compiler a default for an element that is always there: no test reaches it. */
const isDefaultOfElement = ({ operator, left, right }: Node): boolean =>
  operator === '??' && isNode(left) && left['computed'] === true && isNode(right) && right.type === 'Literal';

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
