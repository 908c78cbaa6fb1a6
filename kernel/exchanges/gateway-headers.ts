import { UserError } from '../basics/user-error.ts';
import type { HeaderLine } from './exchange.ts';

/** Headers that a run or HTTP itself sets: another value would change what is tested. */
const RESERVED: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/**
 * Reads the headers that a gateway in front of the target wants on every request. Messages repeat names at most:
 * values may be secrets.
 * @param lines each `Name: value`.
 * @param input what the user calls the input, at the beginning of a sentence.
 * @throws {UserError} when one cannot be sent or is reserved.
 */
export const gatewayHeaderLines = (lines: readonly string[], input: string): readonly HeaderLine[] =>
  lines.map((line) => gatewayHeader(line, input));

/**
 * Reads gateway headers whose values stand in environment variables.
 * @param pairs each `Name=VAR`.
 * @param input what the user calls the input, at the beginning of a sentence.
 * @throws {UserError} when a variable is not set, or a header cannot be sent or is reserved.
 */
export function secretGatewayHeaders(
  pairs: readonly string[],
  input: string,
  env: NodeJS.ProcessEnv,
): readonly HeaderLine[] {
  return pairs.map((pair): HeaderLine => {
    const usage = `${input} takes 'Name=VAR', where VAR is the name of an environment variable.`;
    const [name, variable] = splitAt(pair, '=', usage);
    const value = env[variable];
    if (value === undefined) {
      throw new UserError(
        `The environment variable that ${input} names for the header ${printableName(name)} is not set: export it first.`,
      );
    }
    return checkedHeader(name, value, input);
  });
}

/**
 * Reads one header line, `Name: value`.
 * @param input what the user calls the input, at the beginning of a sentence.
 * @throws {UserError} when it cannot be sent or is reserved.
 */
export function gatewayHeader(line: string, input: string): HeaderLine {
  const [name, value] = splitAt(line, ':', `${input} takes 'Name: value', for example 'X-Tenant: staging'.`);
  return checkedHeader(name, value, input);
}

function splitAt(text: string, sign: string, usage: string): HeaderLine {
  const at = text.indexOf(sign);
  if (at < 1) throw new UserError(usage);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** A field name is a token, a field value consists of visible characters (RFC 9110 §5.1, §5.5). */
function checkedHeader(name: string, value: string, input: string): HeaderLine {
  if (!TOKEN.test(name)) {
    throw new UserError(
      `${input}: the text before the value is not a valid header name; use letters, digits and hyphens.`,
    );
  }
  if (RESERVED.has(name.toLowerCase())) {
    throw new UserError(`${input}: the run sets ${name} itself, so leave this header out.`);
  }
  if (value === '' || !/^[\t\x20-\x7e]+$/.test(value)) {
    throw new UserError(
      `${input}: the value of ${name} is empty or holds characters that a header cannot carry; use visible ASCII characters.`,
    );
  }
  return [name, value];
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const printableName = (name: string): string => (TOKEN.test(name) ? name : 'in question');
