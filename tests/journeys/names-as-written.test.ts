import { after, before } from 'node:test';
import type { AdminServer } from './admin-server.ts';
import { registerNamesAsWritten } from './register-names-as-written.ts';
import { shareAdminServer } from './shared-server.ts';

let server: AdminServer;
before(async () => {
  server = await shareAdminServer();
});
after(() => server?.[Symbol.asyncDispose]());

registerNamesAsWritten('one server', () => server);
