import { after, before } from 'node:test';
import type { AdminServer } from './admin-server.ts';
import { registerWriteRaces } from './register-write-races.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server[Symbol.asyncDispose]());

registerWriteRaces('standalone', () => ({
  send: (method, path, sent) => server.send(method, path, sent),
  namespace: async () => (await server.namespace()).split('/').at(-1) ?? '',
}));
