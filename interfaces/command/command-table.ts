import type { Command } from 'commander';
import type { EndWith } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** Makes a command. Making it reads no file and loads nothing that only its action needs. */
export type CreateCommand = (terminal: Terminal, endWith: EndWith, args: readonly string[]) => Command;

/** A command of the program. */
export interface CommandEntry {
  readonly name: string;
  /** What it does, for every help text and for completion. */
  readonly description: string;
  /** Whether it describes the other commands, and needs them all. */
  readonly describesOthers?: true;
  /** Loads its module: `judge` does not wait for a server that it never starts. */
  readonly load: () => Promise<CreateCommand>;
}

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'certify',
    description:
      'test whether a target conforms to the specification; without --target, the bundled reference server',
    load: async () => (await import('./commands/certify.ts')).certifyCommand,
  },
  {
    name: 'certify-client',
    description:
      'test whether a client conforms to the specification; without a command, the bundled exemplary client',
    load: async () => (await import('./commands/certify-client.ts')).certifyClientCommand,
  },
  {
    name: 'serve',
    description: 'run the reference server, or list its faults and conforming variants',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  {
    name: 'explain',
    description:
      'list every requirement, or explain a requirement (what it rests on, how it is judged, how to fix it) or an expectation of load',
    load: async () => (await import('./commands/explain.ts')).explainCommand,
  },
  {
    name: 'attest',
    description: 'sign a run, so that others can check it: its journal or samples, and its report',
    load: async () => (await import('./commands/attest.ts')).attestCommand,
  },
  {
    name: 'verify',
    description:
      'check the attestation of a run: signatures, digests, date, and the verdicts by judging the journal again',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  {
    name: 'watch',
    description:
      'record the traffic between your application and a service, and judge both when you press Ctrl-C',
    load: async () => (await import('./commands/watch.ts')).watchCommand,
  },
  {
    name: 'judge',
    description: 'judge a recorded run again, offline',
    load: async () => (await import('./commands/judge.ts')).judgeCommand,
  },
  {
    name: 'compare',
    description: 'compare two reports, or two sets of load runs: what became better, worse or new',
    load: async () => (await import('./commands/compare.ts')).compareCommand,
  },
  {
    name: 'matrix',
    description: 'put several reports into one table: implementations, or versions of one',
    load: async () => (await import('./commands/matrix.ts')).matrixCommand,
  },
  {
    name: 'load',
    description: 'run a load profile with k6 against a target, or against the bundled reference server',
    load: async () => (await import('./commands/load.ts')).loadCommand,
  },
  {
    name: 'init',
    description: 'write a configuration file for your service, and a pipeline for your build server',
    load: async () => (await import('./commands/init.ts')).initCommand,
  },
  {
    name: 'completion',
    description: 'print a script with which a shell completes commands and options',
    describesOthers: true,
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
];
