import type { EventEmitter } from 'node:events';
import type { ClientTls } from '@binnacle/backend-access';
import { InterceptingCall, type Interceptor, type StatusObject } from '@grpc/grpc-js';
import { Etcd3, type IOptions } from 'etcd3';
import type { AccessReport } from './access-report.ts';
import type { EtcdOptions } from './etcd-options.ts';
import { isStaleToken, staleToken } from './etcd-refusal.ts';
import { findGrpcCode, grpcCode, wasClosedBefore, wasNotSent } from './grpc-code.ts';
import { MemberProbes, type MemberState } from './member-probes.ts';
import { type EtcdUser, MemberToken } from './member-token.ts';

/**
 * The members of an etcd cluster, of which one is in use. Each has a client of its own and, where there is a user, a token.
 *
 * The service switches to the next member when a request is not answered in time or finds no connection, and when probes find the
 * member silent or without a leader while another one serves. Requests that wait for the old member then fail with `MemberLeft`, so
 * that a suspended or isolated member costs two seconds and not the deadline of each request.
 */
export interface EtcdMembers {
  /**
   * Runs a request on the member in use. Retries on the next one when the request certainly was not sent, or when it is repeatable and
   * the member no longer answers.
   */
  run<T>(request: (member: Etcd3) => Promise<T>, options?: { readonly isRepeatable?: boolean }): Promise<T>;
  /**
   * Opens a stream on the member in use; it fails when the service switches to another member. When the stream breaks, the service
   * switches.
   */
  open<S extends EventedStream>(open: (member: Etcd3) => Promise<S>): Promise<S>;
  /** Runs a request on the member at an endpoint. */
  runOn<T>(endpoint: string, request: (member: Etcd3) => Promise<T>): Promise<T>;
  close(): void;
}

interface EventedStream {
  on(event: 'error', listener: (error: Error) => void): unknown;
  cancel(): void;
}

interface Member {
  readonly endpoint: string;
  readonly client: Etcd3;
  readonly token: MemberToken | undefined;
  /** Functions that fail the requests waiting for this member. */
  readonly waiting: Set<(error: Error) => void>;
}

/** The error of a request whose member was left while it waited: its outcome is unknown. */
class MemberLeft extends Error {
  readonly code = grpcCode.unavailable;

  constructor() {
    super('the member of etcd is silent, or cut off from the others');
  }
}

/** Channel options: half-open connections are detected within 13 s; reconnects begin at once with short pauses. */
const channelOptions = {
  'grpc.max_receive_message_length': -1,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 3000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
};

const authenticateTimeoutMs = 5000;

/** Milliseconds after which a client with earlier certificates is closed: no request takes as long. */
const retirementMs = 10_000;

const never = new AbortController().signal;

/** The library retries transactions and opens circuit breakers by default; neither is safe for a compare-and-swap. */
const noFaultHandling = {
  execute: <T>(work: (context: { signal: AbortSignal }) => T) =>
    Promise.resolve({ signal: never }).then(work),
};

/** Creates a client for each endpoint, and other ones when certificates change. */
export function createMembers(options: EtcdOptions, report: AccessReport): EtcdMembers {
  const members = options.endpoints.map(endpoint => createMember(endpoint, options, report));
  const { onMembers } = options;
  const retired = renewWithCertificates(members, options, report);
  const hasOthers = members.length > 1;
  let inUse = Math.floor(Math.random() * members.length);

  const current = (): Member => {
    const member = members[inUse % members.length];
    if (member === undefined) throw new Error('etcd needs at least one endpoint');
    return member;
  };
  /** Switches to the next member, unless another request did so already. */
  const leave = (failed: Member, thrown: unknown): void => {
    const code = findGrpcCode(thrown);
    const gone = code === grpcCode.unavailable || code === grpcCode.deadlineExceeded;
    if (gone && members[inUse % members.length] === failed) inUse++;
  };
  /** Switches from a member that does not serve to one that does, if there is one. */
  const followProbes = (states: ReadonlyMap<string, MemberState>): void => {
    const member = current();
    const serving = members.findIndex(({ endpoint }) => states.get(endpoint) === 'serving');
    if (states.get(member.endpoint) === 'serving' || serving === -1) return;
    inUse = serving;
    for (const fail of [...member.waiting]) fail(new MemberLeft());
  };
  const probes =
    hasOthers || onMembers !== undefined
      ? new MemberProbes(members, states => {
          onMembers?.(states);
          followProbes(states);
        })
      : undefined;
  return {
    async run(request, { isRepeatable = false } = {}) {
      for (let failures = 0; ; ) {
        const member = current();
        let isSent = false;
        let isGivenUp = false;
        const send = (client: Etcd3) => {
          // The token came after the switch: the request has gone to another member.
          if (isGivenUp) throw new MemberLeft();
          isSent = true;
          return request(client);
        };
        try {
          const work = runAuthenticated(member, send);
          return await (hasOthers ? unlessLeft(member, work) : work);
        } catch (thrown) {
          isGivenUp = true;
          leave(member, thrown);
          // A switch by probes is no failure: there is at most one a second, but during an election there may be more than members.
          if (!(thrown instanceof MemberLeft)) failures++;
          const most = wasClosedBefore(thrown) ? members.length + 1 : members.length;
          const isLost = findGrpcCode(thrown) === grpcCode.unavailable && (isRepeatable || !isSent);
          if (failures >= most || !(wasNotSent(thrown) || isLost)) throw thrown;
        }
      }
    },
    async open(open) {
      const member = current();
      const { token, stream } = await openOn(member, open);
      stream.on('error', error => {
        if (isStaleToken(error, token)) member.token?.drop(token);
        leave(member, error);
      });
      return stream;
    },
    async runOn(endpoint, request) {
      const member = members[options.endpoints.indexOf(endpoint)];
      if (member === undefined) throw new Error(`no member of etcd has the endpoint ${endpoint}`);
      return await runAuthenticated(member, request);
    },
    close() {
      probes?.[Symbol.dispose]();
      for (const { client } of [...members, ...retired]) client.close();
      retired.clear();
    },
  };
}

/**
 * Replaces each member by one with a client of its own whenever certificates change. A client of before serves what is under way, and is
 * closed later; returns those that are not closed yet.
 */
function renewWithCertificates(members: Member[], options: EtcdOptions, report: AccessReport): Set<Member> {
  const retired = new Set<Member>();
  const close = (member: Member): void => {
    if (!retired.delete(member)) return;
    // Only streams are left: they are opened anew, on the member that has replaced this one.
    for (const fail of [...member.waiting]) fail(new MemberLeft());
    member.client.close();
  };
  options.onTlsChange?.(() => {
    for (const [index, member] of members.entries()) {
      members[index] = createMember(member.endpoint, options, report);
      retired.add(member);
      setTimeout(() => close(member), retirementMs).unref();
    }
  });
  return retired;
}

/** Waits for work with a member; fails with `MemberLeft` as soon as the service switches to another one. */
function unlessLeft<T>(member: Member, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    member.waiting.add(reject);
    work.then(
      value => {
        member.waiting.delete(reject);
        resolve(value);
      },
      (thrown: unknown) => {
        member.waiting.delete(reject);
        reject(thrown);
      },
    );
  });
}

/** Opens a stream on a member, with its current token; the stream fails when the service switches to another member. */
async function openOn<S extends EventedStream>(
  member: Member,
  open: (member: Etcd3) => Promise<S>,
): Promise<{ readonly token: string | undefined; readonly stream: S }> {
  const opening = (async () => {
    const token = await member.token?.ready();
    return { token, stream: await open(member.client) };
  })();
  const opened = await unlessLeft(member, opening).catch(thrown => {
    // A stream that opens later has no reader.
    opening.then(late => late.stream.cancel()).catch(() => {});
    throw thrown;
  });
  const emitter = opened.stream as unknown as EventEmitter; // A stream of gRPC, which the library types narrowly.
  // The library's listener closes all connections to the member, even for a stream that this service cancelled.
  emitter.removeAllListeners('error');
  const fail = (error: Error): void => {
    opened.stream.cancel();
    emitter.emit('error', error);
  };
  member.waiting.add(fail);
  const forget = () => member.waiting.delete(fail);
  emitter.on('error', forget);
  emitter.on('close', forget);
  return opened;
}

/** Runs a request with a token, and a second time with a new one when etcd no longer knows the token. */
async function runAuthenticated<T>(
  { client, token }: Member,
  request: (member: Etcd3) => Promise<T>,
): Promise<T> {
  if (token === undefined) return await request(client);
  const used = await token.ready();
  try {
    return await request(client);
  } catch (thrown) {
    if (!isStaleToken(thrown, used)) throw thrown;
    token.drop(used);
    await token.ready();
    return await request(client);
  }
}

function createMember(endpoint: string, { tls, user }: EtcdOptions, report: AccessReport): Member {
  type Policy = NonNullable<NonNullable<IOptions['faultHandling']>['global']>;
  const policy = noFaultHandling as unknown as Policy; // The library calls nothing but `execute`.
  const withToken = { interceptors: [carryToken(() => token?.value)] };
  const client = new Etcd3({
    hosts: [endpoint],
    ...(tls === undefined ? {} : { credentials: credentialsFrom(tls) }),
    grpcOptions: user === undefined ? channelOptions : { ...channelOptions, ...withToken },
    faultHandling: { global: policy, host: () => policy },
  });
  keepConnections(client);
  const token = user && createToken(client, user, report);
  return { endpoint, client, token, waiting: new Set() };
}

/** The private parts of the library's connections that this file uses. */
interface ClientInternals {
  readonly pool: { readonly hosts: readonly Host[] };
}
interface Host {
  closed: boolean;
  resetAllServices(): void;
  close(): void;
}

/**
 * Keeps the connections of a client open. The library closes every connection to a member when one request fails. Requests that wait
 * for a new connection fail with it, which closes the next one: while a TLS handshake takes longer than the time between requests, none
 * succeeds. gRPC reconnects by itself, so connections are closed only with the client.
 */
function keepConnections(client: Etcd3): void {
  const { hosts } = (client as unknown as ClientInternals).pool; // The tests of faults fail where this changes.
  for (const host of hosts) {
    const closeConnections = host.resetAllServices.bind(host);
    host.resetAllServices = () => {};
    host.close = () => {
      closeConnections();
      host.closed = true;
    };
  }
}

/**
 * Creates an interceptor that puts the token into the metadata of every call. The library's own authentication is not used: it opens a
 * connection for each authentication, never closes it, and does not handle stale tokens of streams.
 */
function carryToken(token: () => string | undefined): Interceptor {
  return (options, nextCall) =>
    new InterceptingCall(nextCall(options), {
      start(metadata, _listener, next) {
        const value = token();
        if (value !== undefined) metadata.set('token', value);
        next(metadata, { onReceiveStatus: (status, pass) => pass(hidden(status)) });
      },
    });
}

/** Replaces etcd's message for a stale token: at the original message the library retries the request without end. */
function hidden(status: StatusObject): StatusObject {
  return status.code === grpcCode.unauthenticated ? { ...status, details: staleToken } : status;
}

function createToken(client: Etcd3, user: EtcdUser, report: AccessReport): MemberToken {
  return new MemberToken({
    user,
    async authenticate(name, password) {
      try {
        const limits = { deadline: Date.now() + authenticateTimeoutMs };
        const { token } = await client.auth.authenticate({ name, password }, limits);
        report.authenticationIs('on');
        return token;
      } catch (thrown) {
        const isOff = thrown instanceof Error && thrown.message.includes('authentication is not enabled');
        if (!isOff) throw thrown;
        report.authenticationIs('off');
        return undefined;
      }
    },
  });
}

function credentialsFrom({ ca, identity }: ClientTls): NonNullable<IOptions['credentials']> {
  return {
    rootCertificate: ca,
    ...(identity === undefined ? {} : { privateKey: identity.key, certChain: identity.cert }),
  };
}
