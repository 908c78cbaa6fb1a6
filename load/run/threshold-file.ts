import { readFileSync } from 'node:fs';
import { fileTrouble } from '../../words/file-trouble.ts';
import { UserError } from '../../words/user-error.ts';
import { PROFILE_IDS } from '../model/profile.ts';
import type { Threshold } from '../model/thresholds.ts';
import { thresholdTrouble } from '../model/thresholds.ts';

/**
 * Reads a file with thresholds: `{ "thresholds": [{ "profile": "soak", "operation": "list", "p99": 500 }] }`. Other
 * sections of the file are left to their commands.
 * @throws {UserError} when the file cannot be read or a threshold is wrong.
 */
export function readThresholds(file: string): readonly Threshold[] {
  const value = parsed(file);
  const list =
    typeof value === 'object' && value !== null && 'thresholds' in value ? value.thresholds : undefined;
  const trouble = thresholdTrouble(list, PROFILE_IDS);
  if (trouble !== undefined) throw new UserError(`${file}: ${trouble}.`);
  return list as readonly Threshold[];
}

function parsed(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${fileTrouble(error)}. Name a file of thresholds.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError(`${file} is not JSON. Name a file of thresholds.`);
  }
}
