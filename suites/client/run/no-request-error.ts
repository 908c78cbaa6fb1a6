import { quoted } from '../../../kernel/basics/text.ts';
import { UserError } from '../../../kernel/basics/user-error.ts';
import type { ClientExit } from '../model/journal.ts';
import { printedText } from '../model/printed.ts';
import type { OtherProtocol } from '../service/other-protocol.ts';
import type { PlayedStart } from './play-start.ts';

/** A client that cannot be tested: it cannot be started, or sends nothing. The message is one sentence for the user. */
export class ClientRunError extends UserError {
  override readonly name = 'ClientRunError';
}

/** What the sentence about a client that sends nothing needs to know of its run. */
interface RunWithoutRequest {
  readonly client: { readonly words: readonly string[] };
  readonly equipment: { readonly firstRequestSeconds: number };
}

/** The contract that such a client probably does not know. */
const CONTRACT =
  'It has to send its requests to the address in PETSTORE_TARGET with the key in PETSTORE_API_KEY; petstore-conformance certify-client --template node prints a client that does. Variables of its own have to be given in the command, as in: -- env NAME=VALUE COMMAND.';

/** Why a client that speaks another protocol reached nothing. */
const SPOKEN: Readonly<Record<OtherProtocol, string>> = {
  TLS: ' It began TLS, but the address in PETSTORE_TARGET begins with http.',
  'HTTP/2':
    ' It spoke HTTP/2 from the first byte; the scripted service speaks HTTP/1.1. Let the client use HTTP/1.1, or offer HTTP/2 by an upgrade.',
};

/** The one sentence about a client that sent no request in the whole run, with the end of what it printed. */
export function noRequestError({ how, output, spoke }: PlayedStart, run: RunWithoutRequest): ClientRunError {
  const command = quoted(run.client.words.join(' '));
  if (how.kind === 'not-started') {
    return new ClientRunError(
      `The client ${command} could not be started: ${startTrouble(how.because)}. Give a program and its arguments after "--", as in a shell without its operators.`,
    );
  }
  const saying = `${printedText(output) ?? 'It printed nothing.'}${spoke === undefined ? '' : SPOKEN[spoke]}`;
  const ending = endingText(how, run.equipment.firstRequestSeconds);
  return new ClientRunError(`The client ${command} ${ending}. ${saying} ${CONTRACT}`);
}

function endingText(how: Exclude<ClientExit, { kind: 'not-started' }>, seconds: number): string {
  switch (how.kind) {
    case 'exited':
      return `ended with status ${how.code} and sent no request`;
    case 'signalled':
      return `was ended by ${how.signal} and sent no request`;
    case 'stopped':
      return how.because === 'no-request'
        ? `sent no request within ${seconds} s`
        : 'was stopped before it sent a request';
  }
}

function startTrouble(message: string): string {
  if (message.includes('ENOENT')) return 'there is no such program in the folders of PATH';
  if (message.includes('EACCES')) return 'its file is not executable';
  return message;
}
