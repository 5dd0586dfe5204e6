import type { TokenReviewService } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import type { Logger } from '@binnacle/telemetry';
import { askTokenReview } from '../authentication/bearer-token.ts';
import type { Credential } from '../request/credential.ts';

/** A request that ends with the credential that it began with. */
interface CredentialHolder {
  /** Ends the holder: the credential is no longer valid. */
  expire(): void;
}

/** Options of the checks. */
interface CredentialCheckOptions {
  readonly tokenReview: TokenReviewService;
  /** Each credential is checked this often, in ms; 0: never. */
  readonly everyMs: number;
  readonly logger: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

interface Identity {
  readonly username: string;
  readonly uid: string;
}

/** The holders of one token. */
interface TokenHolders {
  /** The holders, each with the user of the token when it began. */
  readonly holders: Map<CredentialHolder, Identity>;
  nextCheckAt: number;
}

/** Reviews under way at a time. */
const maxReviews = 8;
const reviewTimeoutMs = 10_000;
/** Searches for due credentials in one interval, over which the checks are spread. */
const looksPerInterval = 12;
/** The part of the interval that checks are spread by: they come early, never late. */
const spread = 0.2;

/**
 * Ends watches and other long requests with the credential that they began with: a token that token-review no longer
 * accepts or accepts for another user, or an expired certificate. One timer serves all, a token is reviewed once for
 * all its holders, and a review that fails, or cannot decide because a webhook or a provider is down, changes nothing
 * until the next one. Authorization is not repeated, as in kube-apiserver once a watch has begun.
 */
export class CredentialChecks implements Disposable {
  readonly #options: CredentialCheckOptions;
  readonly #tokens = new Map<string, TokenHolders>();
  /** Holders by the time at which their certificates expire. */
  readonly #certificates = new Map<number, Set<CredentialHolder>>();
  readonly #timer: NodeJS.Timeout | undefined;
  #isChecking = false;

  constructor(options: CredentialCheckOptions) {
    this.#options = options;
    const { everyMs } = options;
    if (everyMs > 0)
      this.#timer = setInterval(() => void this.check(), Math.max(1, everyMs / looksPerInterval)).unref();
  }

  /** Adds a holder, which then ends with the credential. */
  add(credential: Credential, holder: CredentialHolder): void {
    if (this.#options.everyMs === 0) return;
    switch (credential.kind) {
      case 'none':
        return;
      case 'certificate': {
        const holders = this.#certificates.get(credential.expiresAt) ?? new Set();
        this.#certificates.set(credential.expiresAt, holders.add(holder));
        return;
      }
      case 'token': {
        const { token, username, uid } = credential;
        const known = this.#tokens.get(token) ?? { holders: new Map(), nextCheckAt: this.#nextCheckAt() };
        known.holders.set(holder, { username, uid });
        this.#tokens.set(token, known);
      }
    }
  }

  /** Removes a holder that has ended. */
  delete(credential: Credential, holder: CredentialHolder): void {
    if (credential.kind === 'certificate') {
      const holders = this.#certificates.get(credential.expiresAt);
      holders?.delete(holder);
      if (holders?.size === 0) this.#certificates.delete(credential.expiresAt);
    } else if (credential.kind === 'token') {
      const known = this.#tokens.get(credential.token);
      known?.holders.delete(holder);
      if (known?.holders.size === 0) this.#tokens.delete(credential.token);
    }
  }

  /** Checks the due credentials; resolves when that is done. Reviews no token while another check is under way. */
  async check(): Promise<void> {
    this.#expireCertificates();
    if (this.#isChecking) return;
    this.#isChecking = true;
    try {
      await this.#reviewTokens();
    } finally {
      this.#isChecking = false;
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #nextCheckAt(): number {
    const { everyMs, clock, random } = this.#options;
    return clock() + everyMs * (1 - 1 / looksPerInterval - spread * random());
  }

  #expireCertificates(): void {
    const now = this.#options.clock();
    for (const [expiresAt, holders] of [...this.#certificates])
      if (expiresAt <= now) for (const holder of [...holders]) holder.expire();
  }

  async #reviewTokens(): Promise<void> {
    const { clock, everyMs } = this.#options;
    const now = clock();
    // A time further away than an interval was computed before the clock was set back.
    const isDue = (nextCheckAt: number) => nextCheckAt <= now || nextCheckAt > now + everyMs;
    const due = [...this.#tokens].filter(([, { nextCheckAt }]) => isDue(nextCheckAt)).values();
    let failure: unknown;
    const work = async () => {
      for (const [token, known] of due) {
        known.nextCheckAt = this.#nextCheckAt();
        try {
          await this.#review(token, known);
        } catch (error) {
          failure = error;
        }
      }
    };
    await Promise.all(Array.from({ length: maxReviews }, work));
    if (failure !== undefined)
      this.#options.logger.warn('cannot check the tokens of watches', { cause: failure });
  }

  async #review(token: string, { holders }: TokenHolders): Promise<void> {
    using call = createCallContext({ timeoutMs: reviewTimeoutMs });
    const question = { token, audiences: [] };
    const { authenticated, user, undecided } = await askTokenReview(
      question,
      this.#options.tokenReview,
      call,
    );
    if (undecided) throw new Error('the authenticator of the token did not answer');
    for (const [holder, { username, uid }] of [...holders]) {
      const isSame = authenticated && user?.username === username && user.uid === uid;
      if (!isSame) holder.expire();
    }
  }
}
