import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { LoadTarget } from './protocol.ts';

/** Sends one request of a load process over kept-alive or, for watches, own connections. */
export interface Connection {
  request(options: {
    method: string;
    path: string;
    type?: string;
    accept?: string;
    body?: Buffer;
    /** Announced, where less than that is sent; the request is then not ended. */
    length?: number;
    own?: boolean;
    traceparent?: string | undefined;
  }): Promise<http.IncomingMessage>;
  close(): void;
}

/** Opens connections to a server, plain or TLS, with as many kept-alive ones as wanted. */
export function connect(target: LoadTarget, connections: number): Connection {
  const server = new URL(target.server);
  const plain = server.protocol === 'http:';
  const read = (file: string | undefined): Buffer | undefined => (file ? readFileSync(file) : undefined);
  const tls = plain
    ? {}
    : { ca: read(target.caFile), cert: read(target.certFile), key: read(target.keyFile) };
  const Agent = plain ? http.Agent : https.Agent;
  const send = plain ? http.request : https.request;
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ...tls });
  // Watches resume TLS sessions like any client that has been here before.
  const ownAgent = new Agent({ keepAlive: false, ...tls });
  return {
    request: ({ method, path, type, accept = 'application/json', body, length, own, traceparent }) =>
      new Promise((resolve, reject) => {
        const request = send(new URL(path, server), {
          method,
          agent: own ? ownAgent : agent,
          headers: {
            accept,
            'user-agent': 'binnacle-bench',
            ...(target.token && { authorization: `Bearer ${target.token}` }),
            ...(target.user && { 'impersonate-user': target.user }),
            ...(traceparent && { traceparent }),
            ...(body && {
              'content-type': type ?? 'application/json',
              'content-length': length ?? body.length,
            }),
          },
        });
        request.on('response', resolve);
        request.on('error', reject);
        if (length === undefined) request.end(body);
        else request.write(body);
      }),
    close() {
      agent.destroy();
      ownAgent.destroy();
    },
  };
}
