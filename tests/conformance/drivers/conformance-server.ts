import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import type { VariantNeeds } from './running-form.ts';

export { at } from '../../journeys/setup/json-parts.ts';

/** The users that every server under test knows by their tokens. Only the administrator has rights. */
export const users = ['admin', 'alice', 'bob'] as const;

/** One of them. */
export type User = (typeof users)[number];

/** The parts of a request besides its method and path. */
export interface Sent {
  /** Text and bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
  /** Default: `application/json` where there is a body. Null: no such header. */
  readonly contentType?: string | null;
  /** The `Accept` header; none by default. */
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the administrator. Null: no credentials. */
  readonly user?: User | null;
  /** The index of the gateway that is asked; by default each request goes to the next one. */
  readonly gateway?: number;
}

/** An answer that has come to its end. */
export interface Answer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON; throws where it is none. */
  readonly body: JsonObject;
  /** The texts of the `Warning: 299 - "…"` headers, unescaped. */
  readonly warnings: readonly string[];
  /** The value at a path of keys and indexes in the body; undefined where the way ends before. */
  at(...path: (string | number)[]): JsonValue | undefined;
}

/** One event of a watch. */
export interface WatchEvent {
  readonly type: string;
  readonly object: JsonObject;
  at(...path: (string | number)[]): JsonValue | undefined;
}

/** The events of a JSON watch as they come. */
export interface WatchStream extends Disposable {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly events: readonly WatchEvent[];
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  /** Waits until that many events have come; gives those that have. */
  heard(count: number): Promise<readonly WatchEvent[]>;
}

/**
 * A running server of either form, as its clients see it.
 *
 * The gateways are one server: requests of a test go to all of them in turn, so that what one has answered must
 * hold at the others. Tests never ask which form it is, and leave everybody else's objects alone.
 */
export interface ConformanceServer {
  /** `https://host:port` of each gateway: one in the standalone form, two in the distributed form. */
  readonly gateways: readonly string[];
  /** PEM of the authority of their certificates. */
  readonly ca: string;
  /** The folder with the `admin.conf` and the `pki` of the server. */
  readonly dataDirectory: string;
  /** The protocol between the suite and its gateways. */
  readonly protocol: 'http/1.1' | 'h2';
  request(method: string, path: string, sent?: Sent): Promise<Answer>;
  /** A request that must be answered with this code. */
  expect(code: number, method: string, path: string, sent?: Sent): Promise<Answer>;
  /** Sends a GET and follows the stream of events that it is answered with. */
  watch(path: string, sent?: Sent): Promise<WatchStream>;
  /** Sends a request and gives the answer before its body has been read. */
  open(method: string, path: string, sent?: Sent): Promise<IncomingMessage>;
  /** Asks for another protocol; the socket when the server has agreed, otherwise the answer. */
  upgrade(path: string, sent: Sent): Promise<Duplex | Answer>;
  /** Creates a namespace; gives its name. */
  namespace(labels?: Readonly<Record<string, string>>): Promise<string>;
  /**
   * A server with other flags, such as `{ 'history-window': '2s' }`; its objects may be those of this one. It is started
   * when it is first asked for and is the same for everybody who asks for the same flags and needs; it ends with this one.
   */
  variant(flags: Readonly<Record<string, string>>, needs?: VariantNeeds): Promise<ConformanceServer>;
  /** Kills the process of a gateway, starts it again and waits until it is ready: for variants of one's own, of processes. */
  restart(gateway: number): Promise<void>;
  /** The log of a gateway's process so far. */
  log(gateway: number): Promise<string>;
  /** Sends a signal to the process of a gateway. */
  signal(gateway: number, signal: NodeJS.Signals): void;
}

/** The test of one title. */
type ConformanceTest = (server: ConformanceServer) => Promise<void>;

/**
 * Tests by their titles. A title begins with the place of the statement that it checks, a space, and the behaviour:
 * `1/Watch/4 an expired version is answered with 410`.
 */
export type ConformanceTests = Readonly<Record<string, ConformanceTest>>;

/** One normative statement of the specification. */
export interface Statement {
  /** `<document>/<heading>/<number, row or letter>`. */
  readonly place: string;
  /** The statement, in one line. */
  readonly says: string;
  /** Why no request can show it; a statement with a reason has no test. */
  readonly untestable?: string;
}
