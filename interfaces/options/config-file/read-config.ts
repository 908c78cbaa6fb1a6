import { readFileSync } from 'node:fs';
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fileTrouble } from '../../../kernel/basics/file-trouble.ts';
import { nearest } from '../../../kernel/basics/nearest.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import type { Config } from './config.ts';
import { configSchema } from './schema.ts';

/**
 * Reads a configuration file.
 * @throws {UserError} when it cannot be read, is not JSON or breaks its schema. The sentence names the file, the place
 * and what to do, and repeats no value: someone may have put a key there.
 */
export function readConfig(file: string): Config {
  const value = parsed(file);
  const ajv = new Ajv2020({ verbose: true, strictTypes: false });
  const keeps = ajv.compile<Config>(configSchema());
  if (keeps(value)) return value;
  throw new UserError(`${file}: ${troubleOf(keeps.errors?.[0])}`);
}

function parsed(file: string): unknown {
  const text = textOf(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = placeIn(text, error instanceof Error ? error.message : '');
    throw new UserError(
      `${file} is not JSON${place}: correct it there. Trailing commas and comments are not allowed.`,
    );
  }
}

function textOf(file: string): string {
  try {
    // Editors of Windows begin a text with a byte order mark.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UserError(
      `The configuration file ${file} cannot be read: ${fileTrouble(error)}. "petstore-conformance init" writes one.`,
    );
  }
}

/** Line and column of a mistake, where Node's message states its position. */
function placeIn(text: string, message: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  const before = position === undefined ? text : text.slice(0, Number(position));
  const lines = before.split('\n');
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`;
}

function troubleOf(error: ErrorObject | undefined): string {
  if (error === undefined) return 'it does not keep its schema.';
  const { keyword, params, message = 'is wrong', parentSchema = {} } = error;
  const place = placeOf(error.instancePath);
  const { description, properties } = parentSchema as { description?: string; properties?: object };
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    const known = Object.keys(properties ?? {});
    const likely = nearest(name, known);
    const advice =
      likely === undefined ? `These are possible: ${known.join(', ')}.` : `Did you mean "${likely}"?`;
    return `${place} has an unknown entry "${name.slice(0, 40)}". ${advice}`;
  }
  if (keyword === 'required') {
    const missing = String(params['missingProperty']);
    return `${place} has no "${missing}": add it.`;
  }
  const rule = keyword === 'pattern' || keyword === 'not' ? 'has a form that is not allowed' : message;
  return `${place} ${rule}${description === undefined ? '' : `. It takes: ${description.replace(/\.$/, '')}`}.`;
}

/** `targets.staging.url`, as people write it. */
const placeOf = (pointer: string): string =>
  pointer === ''
    ? 'the file'
    : pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
