import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { rootCertificates, connect as tlsConnect } from 'node:tls';
import type { ServerAddress } from '../../../kernel/basics/listen.ts';
import { listen } from '../../../kernel/basics/listen.ts';
import type { WatchedTraffic } from './watched-connection.ts';
import { watchConnection } from './watched-connection.ts';

/** Where a proxy listens and where it passes everything on to. */
interface ProxySettings extends ServerAddress {
  readonly target: URL;
  /** PEM text of a certificate authority to trust besides the built-in ones. */
  readonly certificateAuthority: string | undefined;
  readonly traffic: WatchedTraffic;
}

/** Passes every byte on unchanged, and adds no header. @throws {UserError} when it cannot listen. */
export async function startProxy(settings: ProxySettings) {
  const sockets = new Set<Socket>();
  /** Connections so far that carried something else than HTTP, and that the service did not accept. */
  const troubles = { unread: 0, unreachable: 0 };
  let connections = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    connections += 1;
    const service = connectTo(settings);
    const watched = watchConnection(settings.traffic, connections);
    const pair = [client, service];
    for (const socket of pair) sockets.add(socket);
    let readable = true;
    const note = (read: boolean): void => {
      if (readable && !read) troubles.unread += 1;
      readable &&= read;
    };
    passOn(client, service, (bytes) => note(watched.requests.read(bytes)));
    passOn(service, client, (bytes) => note(watched.responses.read(bytes)));
    service.once('error', () => {
      if (service.bytesRead === 0) troubles.unreachable += 1;
    });
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        watched.close();
        for (const other of pair) other.destroySoon();
      });
    }
  });
  const { port } = await listen(server, settings, 'proxy', '--listen');
  return {
    port,
    troubles,
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function connectTo({ target, certificateAuthority }: ProxySettings): Socket {
  const host = target.hostname.replace(/^\[|\]$/g, '');
  const secure = target.protocol === 'https:';
  const port = Number(target.port) || (secure ? 443 : 80);
  if (!secure) return connect({ host, port, allowHalfOpen: true });
  const ca = certificateAuthority === undefined ? {} : { ca: [...rootCertificates, certificateAuthority] };
  return tlsConnect({ host, port, servername: target.hostname, ...ca });
}

/** Passes on what one side sends; each piece is read before it goes out, because its listener comes first. */
function passOn(from: Socket, to: Socket, read: (bytes: Buffer) => void): void {
  from.on('data', read);
  from.pipe(to);
}
