import { Etcd3, type IOptions } from 'etcd3';
import type { EtcdOptions } from './connection.ts';
import { grpcCode, grpcCodeOf, wasNotSent } from './etcd-errors.ts';

/** The members of an etcd cluster, one of them in use: each has a client of its own. */
export interface EtcdMembers {
  /** Runs a request on the member in use; on the next one as well when the request certainly was not sent. */
  run<T>(request: (member: Etcd3) => Promise<T>): Promise<T>;
  /** Opens a stream on the member in use; when it breaks the next member is used. */
  open<S extends EventedStream>(open: (member: Etcd3) => Promise<S>): Promise<S>;
  close(): void;
}

interface EventedStream {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Half-open connections are found within 13 s; reconnects begin at once and never wait long. */
const channelOptions = {
  'grpc.max_receive_message_length': -1,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 3000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
};

const never = new AbortController().signal;

/** The library retries transactions and opens circuit breakers by default; neither is safe for a compare-and-swap. */
const noFaultHandling = {
  execute: <T>(work: (context: { signal: AbortSignal }) => T) =>
    Promise.resolve({ signal: never }).then(work),
};

/** Prepares a client for each endpoint. */
export function createMembers(options: EtcdOptions): EtcdMembers {
  const members = options.endpoints.map(endpoint => createMember(endpoint, options.tls));
  let inUse = Math.floor(Math.random() * members.length);

  const current = (): Etcd3 => {
    const member = members[inUse % members.length];
    if (member === undefined) throw new RangeError('etcd needs at least one endpoint');
    return member;
  };
  /** Moves on, unless somebody else did so already. */
  const leave = (failed: Etcd3, thrown: unknown): void => {
    const code = grpcCodeOf(thrown);
    const gone = code === grpcCode.unavailable || code === grpcCode.deadlineExceeded;
    if (gone && members[inUse % members.length] === failed) inUse++;
  };
  return {
    async run(request) {
      for (let attempt = 1; ; attempt++) {
        const member = current();
        try {
          return await request(member);
        } catch (thrown) {
          leave(member, thrown);
          if (attempt >= members.length || !wasNotSent(thrown)) throw thrown;
        }
      }
    },
    async open(open) {
      const member = current();
      const stream = await open(member);
      stream.on('error', error => leave(member, error));
      return stream;
    },
    close() {
      for (const member of members) member.close();
    },
  };
}

function createMember(endpoint: string, tls: EtcdOptions['tls']): Etcd3 {
  type Policy = NonNullable<NonNullable<IOptions['faultHandling']>['global']>;
  const policy = noFaultHandling as unknown as Policy; // The library calls nothing but `execute`.
  return new Etcd3({
    hosts: [endpoint],
    ...(tls === undefined ? {} : { credentials: credentialsFrom(tls) }),
    grpcOptions: channelOptions,
    faultHandling: { global: policy, host: () => policy },
  });
}

function credentialsFrom(tls: NonNullable<EtcdOptions['tls']>): NonNullable<IOptions['credentials']> {
  return {
    rootCertificate: tls.ca,
    ...(tls.key === undefined ? {} : { privateKey: tls.key }),
    ...(tls.certificate === undefined ? {} : { certChain: tls.certificate }),
  };
}
