import { UserError } from '../../kernel/basics/errors.ts';
import { parsedJson } from '../../kernel/basics/json.ts';
import { object, troubleText } from '../../kernel/basics/shape.ts';
import { readUserFile } from '../../kernel/basics/user-files.ts';
import type { Threshold } from '../../kernel/findings/load.ts';
import { thresholdsShape } from '../model/profile.ts';
import { findProfile } from '../profiles/index.ts';

/**
 * Reads a file with thresholds: `{ "thresholds": [{ "profile": "soak", "operation": "list", "p99": 500 }] }`. Other
 * sections of the file are left to their commands.
 * @throws {UserError} when the file cannot be read, or a threshold or its profile is wrong.
 */
export function readThresholds(file: string): readonly Threshold[] {
  const value = parsedJson(readUserFile(file, 'The file of thresholds'));
  if (value === undefined) throw new UserError(`${file} is not JSON. Name a file of thresholds.`);
  if (!format.is(value)) throw new UserError(`${file}: ${troubleText(value, format)}.`);
  for (const { profile } of value.thresholds) if (profile !== undefined) findProfile(profile);
  return value.thresholds;
}

const format = object({ thresholds: thresholdsShape });
