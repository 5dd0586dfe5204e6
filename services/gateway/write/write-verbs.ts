import { methodNotAllowed } from '@binnacle/status-errors';
import type { ResourceVerb } from '../pipeline/api-request.ts';
import { createVerb } from './create.ts';
import { deleteVerb } from './delete.ts';
import { deleteCollectionVerb } from './delete-collection.ts';
import { finalizeVerb } from './finalize.ts';
import { patchVerb } from './patch.ts';
import { updateVerb } from './update.ts';

/** The verbs that write. */
interface WriteVerbs {
  readonly create: ResourceVerb;
  readonly update: ResourceVerb;
  readonly patch: ResourceVerb;
  readonly delete: ResourceVerb;
  readonly deletecollection: ResourceVerb;
}

/** The verbs that write, each for the resource itself and for the subresources that it knows (`status`, `finalize`). */
export const writeVerbs: WriteVerbs = {
  create: (request, services) => dispatch(request.info.subresource, { '': createVerb })(request, services),
  update: (request, services) =>
    dispatch(request.info.subresource, { '': updateVerb, status: updateVerb, finalize: finalizeVerb })(
      request,
      services,
    ),
  patch: (request, services) =>
    dispatch(request.info.subresource, { '': patchVerb, status: patchVerb })(request, services),
  delete: (request, services) => dispatch(request.info.subresource, { '': deleteVerb })(request, services),
  deletecollection: deleteCollectionVerb,
};

function dispatch(subresource: string, verbs: Readonly<Record<string, ResourceVerb>>): ResourceVerb {
  const verb = Object.hasOwn(verbs, subresource) ? verbs[subresource] : undefined;
  if (verb === undefined) throw methodNotAllowed();
  return verb;
}
