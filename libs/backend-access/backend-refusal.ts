/** The backends that services connect to. */
type BackendName = 'etcd' | 'kafka' | 'redis';

/** The kinds of refusal between a service and a backend that can be reached. */
export type RefusalKind =
  /** The backend does not accept the user, password or client certificate. */
  | 'credentials'
  /** The backend accepts the user but not the operation. */
  | 'permission'
  /** The certificate of the backend does not verify, or one side speaks TLS and the other does not. */
  | 'tls'
  /** The records of the backend are not encrypted as this service expects it. */
  | 'record';

/**
 * A dependency answers and refuses this service, or cannot be used by it: waiting does not help, the configuration has to change. The
 * message may be shown in `/readyz`; details are in `cause`, for the log.
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
}

/**
 * A backend answers and refuses the service: waiting does not help, the configuration has to change. The message names
 * the backend and the kind alone, so that it may be shown in `/readyz`; details are in `cause`, for the log.
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
  record: backend => `${backend} record cannot be opened with the keys of this service`,
};

/** Finds the refusal by a backend in an error or in what caused it. */
export function backendRefusalIn(error: unknown): BackendRefusal | undefined {
  const refusal = refusalIn(error);
  return refusal instanceof BackendRefusal ? refusal : undefined;
}

/** Finds the refusal in an error or in what caused it. */
export function refusalIn(error: unknown): Refusal | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++)
    if (at instanceof Refusal) return at;
  return undefined;
}
