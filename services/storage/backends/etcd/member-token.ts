import { type BackendRefusal, readSecretFile } from '@binnacle/backend-access';
import { etcdRefusalFrom } from './etcd-refusal.ts';
import { RequestNotSent } from './grpc-code.ts';

/** The user of etcd as which this service authenticates. */
export interface EtcdUser {
  readonly name: string;
  /** File with the password; read for each authentication, so that a new password needs no restart. */
  readonly passwordFile: string;
}

/** Options of a member's token. */
interface MemberTokenOptions {
  readonly user: EtcdUser;
  /** Requests a token from one member of etcd; returns undefined when authentication is off there. */
  authenticate(name: string, password: string): Promise<string | undefined>;
  /** Milliseconds by the monotonic clock. */
  readonly now?: () => number;
}

/**
 * Milliseconds for which a refusal of the password is kept before the next attempt, since each attempt costs etcd a password hash. A
 * password that was changed in its file is tried at once.
 */
const refusalMs = 2000;

/**
 * The token under which one member of etcd knows this service.
 *
 * etcd drops tokens five minutes after their last use, when it restarts, and when its users change. Requests then fail before they are
 * processed; the caller drops the token and requests another one. Requests that need a token at the same time share one
 * authentication.
 */
export class MemberToken {
  readonly #options: MemberTokenOptions;
  /** The current token; undefined: none yet. An undefined value inside: authentication is off in etcd. */
  #held: { readonly value: string | undefined } | undefined;
  #pending: Promise<string | undefined> | undefined;
  #refused:
    | { readonly refusal: BackendRefusal; readonly password: string; readonly until: number }
    | undefined;

  constructor(options: MemberTokenOptions) {
    this.#options = options;
  }

  /** The token that requests carry now. */
  get value(): string | undefined {
    return this.#held?.value;
  }

  /** Returns the token, requested if there is none; throws a BackendRefusal when etcd refuses the user. */
  async ready(): Promise<string | undefined> {
    if (this.#held !== undefined) return this.#held.value;
    this.#pending ??= this.#authenticate().finally(() => {
      this.#pending = undefined;
    });
    return await this.#pending;
  }

  /** Drops a token, unless another one has replaced it. */
  drop(token: string | undefined): void {
    if (this.#held?.value === token) this.#held = undefined;
  }

  async #authenticate(): Promise<string | undefined> {
    const { user, authenticate, now = () => performance.now() } = this.#options;
    const password = await readSecretFile(user.passwordFile).catch((cause: unknown) => {
      throw new RequestNotSent('the password of the etcd user cannot be read', { cause });
    });
    const refused = this.#refused;
    if (refused !== undefined && refused.password === password && now() < refused.until)
      throw refused.refusal;
    try {
      this.#held = { value: await authenticate(user.name, password) };
      this.#refused = undefined;
      return this.#held.value;
    } catch (cause) {
      const refusal = etcdRefusalFrom(cause);
      if (refusal === undefined) throw new RequestNotSent('etcd returned no token', { cause });
      this.#refused = { refusal, password, until: now() + refusalMs };
      throw refusal;
    }
  }
}
