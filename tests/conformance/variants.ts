import type { ConformanceServer } from './conformance-server.ts';

/** A server that keeps little history: versions expire while a test waits for it. */
export function withShortHistory(server: ConformanceServer): Promise<ConformanceServer> {
  return server.variant({ 'history-window': '2s' });
}

/** A server with gates and groups switched away from their defaults. */
export function withOtherSwitches(server: ConformanceServer): Promise<ConformanceServer> {
  return server.variant({
    'feature-gates': 'APIListChunking=false',
    'runtime-config': 'batch/v1=false,events.cluster.io/v1,storage.cluster.io/v1beta1=true',
    'allow-loopback-proxy': 'true',
  });
}
