import { keptUntilEnd } from '@binnacle/backends/testing';
import { type AdminServer, adminServerFrom } from './admin-server.ts';
import { type ApiServer, apiServerFrom } from './api-server.ts';
import { startTestServer, type TestServer } from './setup/test-server.ts';

const sharedServer = keptUntilEnd(() => startTestServer());

/**
 * The server that the test files of a process share, with default settings. Each file leaves alone what it has not made, and
 * does not ask for lists of the whole server or for its counters.
 */
export async function shareApiServer(): Promise<ApiServer> {
  return apiServerFrom(await borrowServer());
}

/** The same, with an administrator's way of asking it. */
export async function shareAdminServer(): Promise<AdminServer> {
  return adminServerFrom(await borrowServer());
}

async function borrowServer(): Promise<TestServer> {
  return { ...(await sharedServer()), [Symbol.asyncDispose]: async () => {} };
}
