import type { BackendRefusal } from '@binnacle/backend-access';

/** A change in the access of this service to etcd, reported once. */
export type EtcdAccess =
  /** etcd refuses this service, or an operation of it. */
  | { readonly kind: 'refused'; readonly refusal: BackendRefusal; readonly operation: string }
  /** An operation that was refused works again. */
  | { readonly kind: 'accepted'; readonly operation: string }
  /** A user is configured, and authentication is off in etcd. */
  | { readonly kind: 'authentication-off' };

/** Reports the beginning and end of refusals, not each refused request. */
export class AccessReport {
  readonly #tell: (access: EtcdAccess) => void;
  readonly #refused = new Map<string, BackendRefusal['kind']>();
  #isOff = false;

  constructor(tell: (access: EtcdAccess) => void = () => {}) {
    this.#tell = tell;
  }

  refused(operation: string, refusal: BackendRefusal): void {
    // A password or certificate is refused for all operations alike.
    const subject = refusal.kind === 'permission' ? operation : everything;
    if (this.#refused.get(subject) === refusal.kind) return;
    this.#refused.set(subject, refusal.kind);
    this.#tell({ kind: 'refused', refusal, operation });
  }

  accepted(operation: string): void {
    if (this.#refused.size === 0) return;
    const wasRefused = [everything, operation].filter(subject => this.#refused.delete(subject));
    if (wasRefused.length > 0) this.#tell({ kind: 'accepted', operation });
  }

  authenticationIs(state: 'on' | 'off'): void {
    const isOff = state === 'off';
    if (isOff && !this.#isOff) this.#tell({ kind: 'authentication-off' });
    this.#isOff = isOff;
  }
}

/** The subject of refusals that do not depend on the operation. */
const everything = '*';
