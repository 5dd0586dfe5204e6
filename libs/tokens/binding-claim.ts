import { tokens } from '@binnacle/api-names';

/** The private claim of a service-account token that says which objects it is bound to. */
export const bindingClaim = tokens.bindingClaim;

/**
 * The lifetime, in seconds, of the token that admission projects into each pod. The odd seven seconds tell it from lifetimes
 * that users choose: only a request for exactly this one is extended.
 */
export const podTokenSeconds = 3607;

/** The objects that a service-account token is bound to: it is good for as long as they live. */
export interface TokenBinding {
  readonly namespace: string;
  readonly serviceaccount: BoundObject;
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
  /** Seconds since 1970: the requested end of a token whose lifetime was extended. Use after it is counted. */
  readonly warnafter?: number;
}

/** An object by its name and by the uid that no other object of that name has. */
export interface BoundObject {
  readonly name: string;
  readonly uid: string;
}
