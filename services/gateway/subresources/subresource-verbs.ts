import type { RequestVerb, ResourceVerb } from '../pipeline/api-request.ts';

/** What a subresource does for each verb that it has. */
export type SubresourceVerbs = Readonly<Partial<Record<RequestVerb, ResourceVerb>>>;
