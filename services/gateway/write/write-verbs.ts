import { methodNotAllowed } from '@binnacle/status-errors';
import type { RequestInfo, ResourceVerb, ResourceVerbs } from '../request/api-request.ts';
import { createVerb } from './create.ts';
import { deleteVerb } from './delete.ts';
import { deleteCollectionVerb } from './delete-collection.ts';
import { patchVerb } from './patch.ts';
import { updateVerb } from './update.ts';
import type { UpdateServices } from './write-services.ts';

const ofResource: ResourceVerbs<UpdateServices> = {
  create: createVerb,
  update: updateVerb,
  patch: patchVerb,
  delete: deleteVerb,
  deletecollection: deleteCollectionVerb,
};
const ofStatus: ResourceVerbs<UpdateServices> = { update: updateVerb, patch: patchVerb };

/** What serves a request that writes, to the resource itself or its status. Throws MethodNotAllowed for another subresource. */
export function writeVerb({ subresource, verb }: RequestInfo): ResourceVerb<UpdateServices> {
  const verbs = subresource === '' ? ofResource : subresource === 'status' ? ofStatus : undefined;
  const found = verbs?.[verb];
  if (found === undefined) throw methodNotAllowed();
  return found;
}
