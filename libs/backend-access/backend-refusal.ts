/** The backends that services connect to. */
type BackendName = 'etcd' | 'kafka' | 'redis';

/** The kinds of refusal between a service and a reachable backend. */
export type RefusalKind =
  /** The backend does not accept the user, password or client certificate. */
  | 'credentials'
  /** The backend accepts the user but not the operation. */
  | 'permission'
  /** The backend's certificate cannot be verified, or only one side uses TLS. */
  | 'tls'
  /** The backend is another one than before: its data was replaced or set back, or its address leads elsewhere. */
  | 'replaced'
  /** The records of the backend are not encrypted as this service expects. */
  | 'record';

/**
 * The error for a dependency that refuses this service, or that this service cannot use: retries do not help, the
 * configuration must change. The message may be shown in `/readyz`; `cause` holds details for the log.
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
}

/**
 * The error for a backend that refuses this service: retries do not help, the configuration must change. The message
 * names only the backend and the kind, so that it may be shown in `/readyz`; `cause` holds details for the log.
 */
export class BackendRefusal extends Refusal {
  override readonly name = 'BackendRefusal';
  readonly backend: BackendName;
  readonly kind: RefusalKind;

  constructor(backend: BackendName, kind: RefusalKind, options?: ErrorOptions) {
    super(refusalTexts[kind](backend), options);
    this.backend = backend;
    this.kind = kind;
  }
}

const refusalTexts: Readonly<Record<RefusalKind, (backend: BackendName) => string>> = {
  credentials: backend => `${backend} refuses the credentials of this service`,
  permission: backend => `${backend} denies this service an operation that it needs`,
  tls: backend => `the TLS handshake with ${backend} fails`,
  replaced: backend => `${backend} was replaced or set back since this process began`,
  record: backend => `${backend} record cannot be opened with the keys of this service`,
};

/** Finds the refusal by a backend in an error or its causes. */
export function backendRefusalIn(error: unknown): BackendRefusal | undefined {
  const refusal = refusalIn(error);
  return refusal instanceof BackendRefusal ? refusal : undefined;
}

/** Finds the refusal in an error or its causes. */
export function refusalIn(error: unknown): Refusal | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++)
    if (at instanceof Refusal) return at;
  return undefined;
}
