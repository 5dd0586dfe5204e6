import { Agent, type AgentOptions } from 'node:https';

/**
 * Longest time that a connection waits for its next request: servers close one after 90 seconds, and a request that goes out
 * meanwhile is lost.
 */
const idleMs = 45_000;

/** Connections that are kept for further requests, however long a test takes between two. */
export function keptConnections(options: AgentOptions): Agent {
  return new Agent({ ...options, keepAlive: true, timeout: idleMs });
}
