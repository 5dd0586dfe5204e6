import type { Server } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type TLSSocket } from 'node:tls';
import { createTypeRegistry } from '@binnacle/api-types';
import { listen } from '@binnacle/connections';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { createAuthenticator } from '../../authentication/authenticate.ts';
import type { ClientAuthorities } from '../../authentication/client-certificate.ts';
import { alwaysAllow } from '../../authorization/authorizer.ts';
import { createGatewayMetrics } from '../../metrics/gateway-metrics.ts';
import { impersonate } from '../../pipeline/impersonate.ts';
import { createFailureRenderer } from '../../pipeline/render-failure.ts';
import type { User } from '../../request/api-request.ts';
import type { Exchange } from '../../request/exchange.ts';
import { createServer } from '../create-server.ts';
import type { ServingTls } from '../secure-context-options.ts';

/** Names and values in turn. */
type SentHeaders = readonly (readonly [name: string, value: string])[];

/** The request as the server understood it. */
export interface Heard {
  readonly code: number;
  /** The body as a text, and as what the step behind authentication saw; the latter is undefined for a refusal. */
  readonly text: string;
  readonly seen: Seen | undefined;
}

interface Seen {
  readonly user: User;
  readonly impersonator: User | undefined;
  readonly expiresAt: number | undefined;
  /** Lower-case names of headers in each form of the request. */
  readonly names: { readonly plain: string[]; readonly distinct: string[]; readonly raw: string[] };
}

/** A server that authenticates, lets everybody impersonate, and says what it has seen. */
export interface AuthenticatingTarget extends Disposable {
  readonly server: Server;
  readonly port: number;
  /** The authorities that are trusted at the moment, and the time in ms since 1970. */
  readonly state: { tls: ServingTls; now: number };
}

/** The headers of proxies of this target; two for the name of a user. */
const proxies = {
  requestheaderUsernameHeaders: ['X-First-User', 'X-Second-User'],
  requestheaderGroupHeaders: ['X-Proxy-Group', 'X-Proxy-Team'],
  requestheaderExtraHeadersPrefix: ['X-Proxy-Extra-'],
  requestheaderAllowedNames: ['front', 'front-b'],
};

/** Starts the target on a free port. No bearer token is accepted. */
export async function startAuthenticatingTarget(tls: ServingTls): Promise<AuthenticatingTarget> {
  const state = { tls, now: Date.now() };
  const metrics = createGatewayMetrics(createMetrics(), createTypeRegistry());
  const renderFailure = createFailureRenderer(silentLogger);
  const authenticate = createAuthenticator({
    tokenReview: {
      review: async () => ({
        authenticated: false,
        user: undefined,
        audiences: [],
        error: 'unknown',
        undecided: false,
        auditAnnotations: {},
      }),
    },
    anonymousAuth: true,
    authorities: () => state.tls,
    proxies,
    metrics,
    clock: () => state.now,
  });
  const handle = async (exchange: Exchange): Promise<void> => {
    try {
      exchange.user = await authenticate(exchange);
      await impersonate(exchange, alwaysAllow);
      tell(exchange);
    } catch (error) {
      await renderFailure(exchange, error);
    }
  };
  const { server, guard } = createServer({
    tls,
    handle,
    isStopping: () => false,
    requestTimeout: 60_000,
    metrics,
    clock: () => state.now,
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    server,
    port,
    state,
    [Symbol.dispose]() {
      server.close();
      guard.closeAll();
      guard[Symbol.dispose]();
    },
  };
}

function tell({ request, response, user, impersonator, credential }: Exchange): void {
  const seen: Seen = {
    user,
    impersonator,
    expiresAt: credential.kind === 'certificate' ? credential.expiresAt : undefined,
    names: {
      plain: Object.keys(request.headers),
      distinct: Object.keys(request.headersDistinct),
      raw: request.rawHeaders.filter((_, index) => index % 2 === 0).map(name => name.toLowerCase()),
    },
  };
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(seen));
}

/** A connection of HTTP/1.1 as the wire shows it. */
interface Http1Connection extends Disposable {
  readonly socket: TLSSocket;
  /** Sends a request, after the answer to the one before, and waits for its answer. */
  ask(headers: SentHeaders): Promise<Heard>;
}

/** Opens a connection with a client certificate, or none. */
export async function openHttp1(
  target: Pick<AuthenticatingTarget, 'port'>,
  client: CertificatePair | undefined,
  session?: Buffer,
): Promise<Http1Connection> {
  const socket = await new Promise<TLSSocket>((resolve, reject) => {
    const opened = connect({ ...createOptions(target, client), session });
    opened.once('secureConnect', () => resolve(opened)).once('error', reject);
  });
  let answer = '';
  let wake = (): void => {};
  socket.setEncoding('latin1');
  socket.on('data', (part: string) => {
    answer += part;
    wake();
  });
  socket.on('close', () => wake());
  return {
    socket,
    async ask(headers) {
      answer = '';
      const lines = headers.map(([name, value]) => `${name}: ${value}`);
      socket.write(['GET / HTTP/1.1', 'Host: h', ...lines, '', ''].join('\r\n'));
      for (let heard = heardIn(answer); ; heard = heardIn(answer)) {
        if (heard !== undefined) return heard;
        if (socket.destroyed) throw new Error(`no answer but ${answer}`);
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

function heardIn(answer: string): Heard | undefined {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const text = rest.join('\r\n\r\n');
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (rest.length === 0 || length === undefined || text.length < Number(length)) return undefined;
  return heardFrom(Number(head.slice('HTTP/1.1 '.length).slice(0, 3)), text);
}

function heardFrom(code: number, text: string): Heard {
  return { code, text, seen: code === 200 ? (JSON.parse(text) as Seen) : undefined }; // The target's own words.
}

/** One request on a new connection, over HTTP/1.1 or HTTP/2. */
export async function askOnce(
  target: Pick<AuthenticatingTarget, 'port'>,
  protocol: 'http/1.1' | 'h2',
  { client, headers }: { readonly client: CertificatePair | undefined; readonly headers: SentHeaders },
): Promise<Heard> {
  if (protocol === 'http/1.1') {
    using connection = await openHttp1(target, client);
    return await connection.ask(headers);
  }
  const { port, host, ...tls } = createOptions(target, client);
  const session = connectHttp2(`https://${host}:${port}`, tls);
  try {
    const values: Record<string, string[]> = {};
    for (const [name, value] of headers) {
      const lower = name.toLowerCase();
      values[lower] = [...(values[lower] ?? []), value];
    }
    return await new Promise((resolve, reject) => {
      const stream = session.request({ ':path': '/', ...values });
      let [code, text] = [0, ''];
      session.on('error', reject);
      stream.setEncoding('utf8');
      stream.on('response', answered => {
        code = Number(answered[':status']);
      });
      stream.on('data', part => {
        text += part;
      });
      stream.on('error', reject).on('end', () => resolve(heardFrom(code, text)));
    });
  } finally {
    session.destroy();
  }
}

function createOptions({ port }: Pick<AuthenticatingTarget, 'port'>, client: CertificatePair | undefined) {
  return { port, host: '127.0.0.1', rejectUnauthorized: false, ...client };
}

/** A certificate and its key, PEM. */
interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

/** A client that shows further certificates after its own. */
export function showing(client: CertificatePair, ...shown: readonly CertificatePair[]): CertificatePair {
  return { ...client, cert: createBundle([client, ...shown]) };
}

/** The authorities that a server trusts. */
export function trusting(trusted: {
  readonly clients?: readonly CertificatePair[];
  readonly proxies?: readonly CertificatePair[];
}): ClientAuthorities {
  return {
    clientCa: trusted.clients && createBundle(trusted.clients),
    proxyCa: trusted.proxies && createBundle(trusted.proxies),
  };
}

function createBundle(certificates: readonly CertificatePair[]): string {
  return certificates.map(({ cert }) => cert).join('');
}
