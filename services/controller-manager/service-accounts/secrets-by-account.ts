import type { Secret } from '@binnacle/api-types/core/v1';
import { namedAccountOf } from './token-secret.ts';

/** The names of the Secrets that name an account; names are `namespace/name`. */
export class SecretsByAccount {
  readonly #secrets = new Map<string, Set<string>>();

  /** Notes the account that a Secret names now, instead of the one that it named before. */
  note(secret: Secret, previous: Secret | undefined): void {
    if (previous) this.forget(previous);
    const account = accountKeyOf(secret);
    const secrets = this.#secrets.get(account) ?? new Set();
    this.#secrets.set(account, secrets.add(keyOf(secret.metadata)));
  }

  /** Forgets a Secret that is gone. */
  forget(secret: Secret): void {
    const account = accountKeyOf(secret);
    const secrets = this.#secrets.get(account);
    secrets?.delete(keyOf(secret.metadata));
    if (secrets?.size === 0) this.#secrets.delete(account);
  }

  of(account: string): Iterable<string> {
    return this.#secrets.get(account) ?? [];
  }
}

/** The name of an object with its namespace. */
export function keyOf({ namespace = '', name = '' }: Secret['metadata']): string {
  return `${namespace}/${name}`;
}

/** The name of the account that a Secret names, with its namespace. */
export function accountKeyOf(secret: Secret): string {
  return `${secret.metadata.namespace ?? ''}/${namedAccountOf(secret)?.name ?? ''}`;
}
