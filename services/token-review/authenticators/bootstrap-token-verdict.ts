import { timingSafeEqual } from 'node:crypto';
import { type BootstrapToken, bootstrapTokenFrom } from '@binnacle/api-types';
import type { Secret } from '@binnacle/api-types/core/v1';

const groupForm = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const defaultGroup = 'system:bootstrappers';

/** The verdict on a bootstrap token. */
type Verdict =
  | { readonly kind: 'good'; readonly groups: string[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** A presented bootstrap token, with the time. */
interface PresentedToken {
  readonly id: string;
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Decides on a token by the Secret of its id, with checks in the order of kube-apiserver. The reason is for logs, not for the
 * caller.
 */
export function verdictOnBootstrapToken(stored: Secret | undefined, presented: PresentedToken): Verdict {
  if (stored === undefined) return refused('there is no such secret');
  if (stored.metadata.deletionTimestamp) return refused('the secret is being deleted');
  const token = bootstrapTokenFrom(stored);
  if (token === undefined) return refused('the secret is of another type');
  if (!isSame(token.secret, presented.secret)) return refused('token-secret does not match');
  if (token.id !== presented.id) return refused('token-id is not the id in the name of the secret');
  if (token.expiresAt <= presented.now)
    return refused('the token has expired, or its expiration is not a time');
  if (!token.usableForAuthentication) return refused('usage-bootstrap-authentication is not "true"');
  const groups = readGroups(token);
  return groups === undefined
    ? refused('auth-extra-groups holds a name that is not below system:bootstrappers:')
    : { kind: 'good', groups };
}

function refused(reason: string): Verdict {
  return { kind: 'refused', reason };
}

/** Compares in constant time; a difference in length is no secret, because all tokens have one length. */
function isSame(stored: string, presented: string): boolean {
  const [left, right] = [Buffer.from(stored), Buffer.from(presented)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Reads the groups, sorted and without repetitions; returns undefined when a token may not give one of them. */
function readGroups({ extraGroups }: BootstrapToken): string[] | undefined {
  const extra = extraGroups === '' ? [] : extraGroups.split(',');
  if (!extra.every(name => groupForm.test(name))) return undefined;
  return [...new Set([defaultGroup, ...extra])].sort();
}
