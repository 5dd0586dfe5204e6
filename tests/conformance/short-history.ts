import { withOtherClaims } from './authentication/with-every-method.ts';
import type { ConformanceServer } from './drivers/conformance-server.ts';

/** A server that keeps little history: versions expire while a test waits for it, and not before it looks. */
export async function withShortHistory(server: ConformanceServer): Promise<ConformanceServer> {
  return (await withOtherClaims(server)).server;
}
