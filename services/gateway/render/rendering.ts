import type { Representation } from '../negotiate/representation.ts';
import type { ApiRequest } from '../request/api-request.ts';

/** How a result is to be shown. */
export interface Rendering {
  readonly request: ApiRequest;
  readonly representation: Representation;
  readonly now: number;
}
