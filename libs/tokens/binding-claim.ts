import { tokens } from '@binnacle/api-names';

/** The private claim of a service-account token with the objects that it is bound to. */
export const bindingClaim = tokens.bindingClaim;

/**
 * The lifetime of the token that admission projects into each pod, in seconds. The odd 7 s distinguish it from lifetimes
 * that users choose: only a request for exactly this lifetime is extended.
 */
export const podTokenSeconds = 3607;

/** The objects that a service-account token is bound to: the token is valid while they exist. */
export interface TokenBinding {
  readonly namespace: string;
  readonly serviceaccount: BoundObject;
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
  /** Requested expiry of a token whose lifetime was extended, in Unix seconds. Use after it is counted. */
  readonly warnafter?: number;
}

/** An object by its name and uid; the uid differs from that of any other object of the same name. */
export interface BoundObject {
  readonly name: string;
  readonly uid: string;
}
