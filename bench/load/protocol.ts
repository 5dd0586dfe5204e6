/** The server of a load and the user that sends it. Paths of PEM files, so that keys do not travel between processes. */
export interface LoadTarget {
  readonly server: string;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  /** Bearer token, where there is no TLS to show a certificate in. */
  readonly token?: string;
  /** The user that the requests are made as, by impersonation. */
  readonly user?: string;
}

/** Requests of one kind, sent as fast as the given number of connections allows. */
export interface RequestLoad {
  readonly kind: 'requests';
  readonly target: LoadTarget;
  readonly operation: 'create' | 'get' | 'list' | 'update' | 'patch' | 'apply' | 'delete';
  /** Path of the collection; with `namespaces`, `{n}` in it is the number of the object's namespace. */
  readonly collection: string;
  /** Namespaces that the objects are spread over. */
  readonly namespaces?: number;
  /** Objects are named `object-<number>`; requests go round them. */
  readonly objects: number;
  /** Number of the first object that is created or deleted; 0 by default. */
  readonly first?: number;
  /** Labels of created objects besides `app` and `shard`. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly objectBytes: number;
  readonly requests: number;
  readonly connections: number;
  /** Requests a second; 0: as many as there can be. */
  readonly rate: number;
  /** Appended to the path of a list. */
  readonly query: string;
  /** Identifies the run for watchers: the value of `data.run` of written objects. */
  readonly run: string;
  /** W3C trace flags of the requests in turn, each of a trace of its own; '': the request brings no trace, as without it all do. */
  readonly traceFlags?: readonly string[];
}

/** Watches on one collection. */
export interface WatchLoad {
  readonly kind: 'watch';
  readonly target: LoadTarget;
  readonly watchers: number;
  /** Path and query of each watch, used in turn. */
  readonly paths: readonly string[];
  /** Connections of HTTP/2 that the watches share; without it each has a connection of HTTP/1.1. */
  readonly http2Connections?: number;
}

/** One user that sends as much as it can until it is stopped. */
export interface FloodLoad {
  readonly kind: 'flood';
  readonly target: LoadTarget;
  /** Path of the collection, whose objects are named `object-<number>`. */
  readonly collection: string;
  readonly objects: number;
  /** Connections that write without a pause. */
  readonly writers: number;
  /** Lists whose answers are not read; each one that is refused is sent again. */
  readonly lists: number;
  /** Requests of which half a body is sent. */
  readonly bodies: number;
}

/** A command of the bench to a load process. */
export type LoadCommand =
  | RequestLoad
  | WatchLoad
  | FloodLoad
  /** Begins the usage of a load that goes on anew. */
  | { readonly kind: 'measure' }
  | { readonly kind: 'stop' };

/** The processor time that a load process has used. */
export interface LoadUsage {
  readonly cpuMicros: number;
  /** Part of the time that its event loop was busy, 0 to 1: near 1 the load is late, whatever the server does. */
  readonly loopUtilization: number;
}

/** A message of a load process. */
export type LoadMessage =
  /** Requests answered, or events received, since the start. */
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'open' }
  | {
      readonly kind: 'done';
      readonly latencies: readonly number[];
      readonly bytes: number;
      readonly failures: Record<string, number>;
      readonly usage: LoadUsage;
    }
  | { readonly kind: 'failed'; readonly message: string };
