import { hostname } from 'node:os';
import { UserError } from '../../../kernel/basics/user-error.ts';
import type { ClientHost } from '../../../suites/client/model/journal.ts';

/** Where scripted services listen, and by which name a client reaches them. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** The base address of a service at this port, below a prefix of its path where one is given. */
  readonly targetAt: (port: number, prefix?: string) => string;
}

/** Whether a client reads the clock of this machine, by `--remote`. */
export const hostOf = (remote: boolean): ClientHost => (remote ? 'another host' : 'this host');

const LOOPBACK = '127.0.0.1';
const EVERY_ADDRESS: readonly string[] = ['0.0.0.0', '::'];

/**
 * Reads `--listen HOST[:PORT]`. Without it, services listen at the loopback address, and with `--remote` at every
 * address of this machine; the client then gets the name of this machine.
 * @throws {UserError} when it is no such text.
 */
export function listenAddress(text: string | undefined, remote: boolean): ListenAddress {
  const { host, port } = text === undefined ? { host: remote ? '0.0.0.0' : LOOPBACK, port: 0 } : parsed(text);
  const name = EVERY_ADDRESS.includes(host) ? hostname() : host;
  const inUrl = name.includes(':') ? `[${name}]` : name;
  return { host, port, targetAt: (at, prefix = '') => `http://${inUrl}:${at}${prefix}/v1` };
}

function parsed(text: string): { readonly host: string; readonly port: number } {
  const match = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<name>[A-Za-z0-9._-]+))(?::(?<port>\d{1,5}))?$/.exec(text);
  const { v6, name, port = '0' } = match?.groups ?? {};
  const host = v6 ?? name;
  if (host === undefined || Number(port) > 65_535) {
    throw new UserError(
      '--listen takes an address of this machine, with a port or without: --listen 192.0.2.7, --listen [2001:db8::7]:8080.',
    );
  }
  return { host, port: Number(port) };
}
