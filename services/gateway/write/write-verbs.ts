import { methodNotAllowed } from '@binnacle/status-errors';
import type { RequestInfo, ResourceVerb, ResourceVerbs } from '../request/api-request.ts';
import { createVerb } from './create.ts';
import { deleteVerb } from './delete.ts';
import { deleteCollectionVerb } from './delete-collection.ts';
import type { WriteServices } from './engine/run-write.ts';
import { patchVerb } from './patch.ts';
import { updateVerb } from './update.ts';

const ofResource: ResourceVerbs<WriteServices> = {
  create: createVerb,
  update: updateVerb,
  patch: patchVerb,
  delete: deleteVerb,
  deletecollection: deleteCollectionVerb,
};
const ofStatus: ResourceVerbs<WriteServices> = { update: updateVerb, patch: patchVerb };

/** The verb that serves a request to write the resource itself or its status. Throws MethodNotAllowed for another subresource. */
export function writeVerb({ subresource, verb }: RequestInfo): ResourceVerb<WriteServices> {
  const verbs = subresource === '' ? ofResource : subresource === 'status' ? ofStatus : undefined;
  const found = verbs?.[verb];
  if (found === undefined) throw methodNotAllowed();
  return found;
}
