import type { TokenReviewService } from '@binnacle/proto';
import { createCallContext } from '@binnacle/rpc';
import type { Logger } from '@binnacle/telemetry';
import { askTokenReview } from '../authentication/bearer-token.ts';
import type { Credential } from '../request/credential.ts';

/** Something that lasts no longer than the credential it began with. */
interface CredentialHolder {
  /** The credential is good no longer. */
  expire(): void;
}

/** How credentials are checked. */
interface CredentialCheckOptions {
  readonly tokenReview: TokenReviewService;
  /** Each credential is checked this often, in ms; 0: never. */
  readonly everyMs: number;
  readonly logger: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** 0 to 1. */
  readonly random: () => number;
}

interface Identity {
  readonly username: string;
  readonly uid: string;
}

/** All that began with one token. */
interface TokenHolders {
  /** With the user whom the token was for when each began. */
  readonly holders: Map<CredentialHolder, Identity>;
  nextCheckAt: number;
}

/** Reviews under way at a time. */
const maxReviews = 8;
const reviewTimeoutMs = 10_000;
/** Looks for credentials that are due within one interval: the checks of one minute are spread over it. */
const looksPerInterval = 12;
/** The part of the interval that checks are spread by: they come early, never late. */
const spread = 0.2;

/**
 * Ends watches, and whatever else lasts, with the credential that it began with: a token that token-review does not know
 * any more or knows for another user, a certificate whose time is over. One timer serves all, a token is reviewed once
 * for all that began with it, and a review that fails, or cannot decide because a webhook or a provider is down, leaves everything
 * as it is until the next. What users may do is not looked at, as kube-apiserver does not once a watch has begun.
 */
export class CredentialChecks implements Disposable {
  readonly #options: CredentialCheckOptions;
  readonly #tokens = new Map<string, TokenHolders>();
  /** By the time at which their certificates expire. */
  readonly #certificates = new Map<number, Set<CredentialHolder>>();
  readonly #timer: NodeJS.Timeout | undefined;
  #isChecking = false;

  constructor(options: CredentialCheckOptions) {
    this.#options = options;
    const { everyMs } = options;
    if (everyMs > 0)
      this.#timer = setInterval(() => void this.check(), Math.max(1, everyMs / looksPerInterval)).unref();
  }

  /** From now on the holder ends with the credential. */
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

  /** The holder has ended. */
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

  /** Checks what is due; resolves when that is done. Reviews no token while another check is under way. */
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
    // One that is further away than an interval was set before the clock was set back.
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
