// Modules of undici that a run imports by themselves: its index loads fetch, WebSocket and mocks as well, which takes
// several times as long.

declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export = Client;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export = buildConnector;
}
