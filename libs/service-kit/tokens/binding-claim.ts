/** The private claim of a service-account token that says which objects it is bound to. */
export const bindingClaim = 'cluster.io';

/** What a service-account token is bound to: it is good for as long as these objects live. */
export interface TokenBinding {
  readonly namespace: string;
  readonly serviceaccount: BoundObject;
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
}

/** An object by its name and by the uid that no other object of that name has. */
export interface BoundObject {
  readonly name: string;
  readonly uid: string;
}
