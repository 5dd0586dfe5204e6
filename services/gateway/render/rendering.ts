import type { ApiRequest } from '../request/api-request.ts';
import type { Representation } from './representation.ts';

/** How a result is to be shown. */
export interface Rendering {
  readonly request: ApiRequest;
  readonly representation: Representation;
  readonly now: number;
}
