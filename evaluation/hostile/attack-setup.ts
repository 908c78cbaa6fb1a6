import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../testing/cli/command.ts';
import { rawServer } from '../testing/suites/raw-server.ts';
import type { AttackSetup } from './attack.ts';

/** The setup of one attack, bound to its test. */
export function attackSetup(t: TestContext): AttackSetup {
  return {
    folder: temporaryFolder(t),
    async raw(respond) {
      const server = await rawServer(respond);
      t.after(() => server[Symbol.asyncDispose]());
      return server;
    },
    async tls(identity, listener) {
      const server = createServer(identity, listener);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      t.after(() => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      });
      return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
  };
}
