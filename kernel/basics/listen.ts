import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { UserError } from './errors.ts';
import { fileErrorCode } from './user-files.ts';

export interface ServerAddress {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/**
 * Lets a server listen.
 * @param what it is, and what names another address, such as `--listen`: both for the sentence of an error.
 * @throws {UserError} when it cannot listen at the address.
 */
export async function listen(
  server: Server,
  { host, port }: ServerAddress,
  what: string,
  input: string,
): Promise<AddressInfo> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const trouble = TROUBLES[fileErrorCode(error)] ?? String(error);
    throw new UserError(
      `No ${what} can listen at ${host}${port === 0 ? '' : `, port ${port}`}: ${trouble}. Choose another address with ${input}.`,
    );
  }
  return server.address() as AddressInfo;
}

const TROUBLES: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such name',
  EACCES: 'this user has no permission',
};
