import type { ApiObject } from '@binnacle/api-objects';

/** What the server itself changes on an object that an update or a patch results in; `now` is in ms since 1970. */
export type Adjustment = (object: ApiObject, old: ApiObject, now: number) => void;

/** Changes nothing. */
export const noAdjustment: Adjustment = () => {};
