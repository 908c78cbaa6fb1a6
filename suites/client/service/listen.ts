import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { UserError } from '../../../kernel/basics/errors.ts';
import { fileErrorCode } from '../../../kernel/basics/user-files.ts';

export interface ServerAddress {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/**
 * Lets a server listen.
 * @returns its port.
 * @throws {UserError} when it cannot listen at the address.
 */
export async function listen(
  server: Server,
  { host, port }: ServerAddress,
  what: 'service' | 'proxy',
): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new UserError(
      `No ${what} can listen at ${host}${port === 0 ? '' : `, port ${port}`}: ${TROUBLES[fileErrorCode(error)] ?? String(error)}. Choose another address with --listen.`,
    );
  }
  return (server.address() as AddressInfo).port;
}

const TROUBLES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such name',
  EACCES: 'this user has no permission',
};
