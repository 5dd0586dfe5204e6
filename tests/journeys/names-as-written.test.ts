import { after, before } from 'node:test';
import { type AdminServer, shareAdminServer } from './admin-server.ts';
import { registerNamesAsWritten } from './register-names-as-written.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server?.[Symbol.asyncDispose]());

registerNamesAsWritten('one server', () => server);
