import { join } from 'node:path';
import { jsonFields } from '../../../kernel/basics/json.ts';
import { shortened } from '../../../kernel/basics/text.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import { JOURNAL } from '../../../reports/run-folder.ts';
import { journalHead } from '../../../suites/client/run/journal-reader.ts';
import type { RunKind } from '../../certificate/attested-run.ts';
import { RUN_WORDS } from '../../certificate/attested-run.ts';
import { fieldsIn } from './files.ts';

/** What a folder says of its run; nothing of it is checked, and every text is foreign. */
export interface ClaimedRun {
  readonly subject: string;
  /** Undefined of a client. */
  readonly plan: string | undefined;
  readonly window: string;
  readonly startedAt: string;
}

/** What the first line of a journal, or the file of a load run, says; "not stated" where it cannot be read. */
export function claimedRun(folder: string, kind: RunKind): ClaimedRun {
  const head =
    kind === 'load' ? fieldsIn(join(folder, RUN_WORDS.load.files[0] ?? '')) : headOf(join(folder, JOURNAL));
  const { target, limits, client, inputs, startedAt } = head;
  const { baseUrl, plan } = jsonFields(target);
  const { minuteSeconds } = jsonFields(limits ?? jsonFields(inputs)['limits']);
  const { target: watched, words } = jsonFields(client);
  return {
    subject: textOf(kind === 'certify-client' ? (watched ?? words ?? 'attached') : baseUrl),
    plan: kind === 'certify-client' ? undefined : shortened(textOf(plan)),
    window: typeof minuteSeconds === 'number' ? `${minuteSeconds} s` : 'not stated',
    startedAt: textOf(startedAt),
  };
}

function headOf(path: string): Readonly<Record<string, unknown>> {
  try {
    return journalHead(path);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return {};
  }
}

const textOf = (value: unknown): string => {
  const text = Array.isArray(value) ? value.join(' ') : value;
  return typeof text === 'string' ? text : 'not stated';
};
