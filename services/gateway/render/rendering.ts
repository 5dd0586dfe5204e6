import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import type { VersionBytes } from '../versions/kept-forms.ts';
import type { Representation } from './representation.ts';

/** The request and form that a result is rendered for. */
export interface ShownAs {
  readonly request: ApiRequest;
  readonly representation: Representation;
  readonly now: number;
}

/** Objects shown whole, or as rows of a Table: from their bytes in the version of the request. */
export interface WholeRendering extends ShownAs {
  readonly shows: 'objects';
  readonly result: ApiResult<VersionBytes>;
}

/** Objects of which the metadata alone is shown: from their bytes as they are stored. */
export interface MetadataRendering extends ShownAs {
  readonly shows: 'metadata';
  readonly result: ApiResult;
}

/** A result, and the form that it is rendered in. */
export type Rendering = WholeRendering | MetadataRendering;
