import type { HeaderLine } from '../../exchanges/exchange.ts';
import { UserError } from '../../words/user-error.ts';

/** Headers that the examination or HTTP itself decides on: another one of these would change what is examined. */
const OURS: ReadonlySet<string> = new Set([
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
 * The headers that a gateway in front of the target wants on every request.
 * Messages repeat names at most: values may be secrets.
 * @param plain `Name: value`, each as it was given to `--header`.
 * @param secret `Name=VAR`, each as it was given to `--header-env`; VAR names an environment variable.
 * @throws {UserError} when one cannot be sent or is the examination's own.
 */
export function readGatewayHeaders(
  plain: readonly string[],
  secret: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly HeaderLine[] {
  return [
    ...plain.map((text) => gatewayHeader(text, '--header')),
    ...secret.map((text): HeaderLine => {
      const [name, variable] = split(
        text,
        '=',
        "--header-env takes 'Name=VAR', where VAR names an environment variable.",
      );
      const value = env[variable];
      if (value === undefined) {
        throw new UserError(
          `The environment variable that --header-env names for the header ${shown(name)} is not set: export it first.`,
        );
      }
      return valid(name, value, '--header-env');
    }),
  ];
}

/**
 * One header line, `Name: value`.
 * @param from what it was given to, at the beginning of a sentence.
 * @throws {UserError} when it cannot be sent or is the examination's own.
 */
export function gatewayHeader(text: string, from: string): HeaderLine {
  const [name, value] = split(text, ':', `${from} takes 'Name: value', for example 'X-Tenant: staging'.`);
  return valid(name, value, from);
}

function split(text: string, sign: string, usage: string): HeaderLine {
  const at = text.indexOf(sign);
  if (at < 1) throw new UserError(usage);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** A field name is a token, a field value is visible (RFC 9110 §5.1, §5.5). */
function valid(name: string, value: string, option: string): HeaderLine {
  if (!TOKEN.test(name))
    throw new UserError(`${option}: what stands before the value is no name of a header.`);
  if (OURS.has(name.toLowerCase())) {
    throw new UserError(`${option}: ${name} is set by the examination itself and cannot be given.`);
  }
  if (value === '' || !/^[\t\x20-\x7e]+$/.test(value)) {
    throw new UserError(
      `${option}: the value of ${name} is empty or holds characters that a header cannot carry.`,
    );
  }
  return [name, value];
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const shown = (name: string): string => (TOKEN.test(name) ? name : 'in question');
