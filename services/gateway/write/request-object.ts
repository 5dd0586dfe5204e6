import {
  type ApiObject,
  causeFromFieldError,
  fieldPath,
  invalidField,
  type ObjectMeta,
  removeDuplicateOwnerReferences,
  validateDeletionUntouched,
} from '@binnacle/api-objects';
import { type DecodedObject, decodeBody, type FieldValidation } from '@binnacle/codecs';
import { badRequest, conflict, invalid } from '@binnacle/status-errors';
import type { ApiRequest } from '../request/api-request.ts';
import { kindNameOf, namespaceOf, resourceNameOf } from '../request/names.ts';
import { withOwnNames } from '../versions/alias-form.ts';

/** Decodes the body of a request into an object in the request's namespace; `mayBeLarge` as in decodeBody. */
export async function decodeRequestObject(
  request: ApiRequest,
  fieldValidation: FieldValidation,
  mayBeLarge = false,
): Promise<DecodedObject> {
  const { definition, contentType } = request;
  const target = { definition, fieldValidation, mayBeLarge };
  const decoded = await decodeBody(await request.body(), contentType, target);
  const object = withOwnNames(request, decoded.object);
  placeInNamespace(request, object);
  noteSentObject(request, object);
  const warning = removeDuplicateOwnerReferences(object.metadata);
  const warnings = warning === undefined ? decoded.warnings : [...decoded.warnings, warning];
  return { ...decoded, object, warnings };
}

/** Records the identity of the object in the request body, when the request is audited. */
export function noteSentObject({ notes }: Pick<ApiRequest, 'notes'>, { metadata }: ApiObject): void {
  if (notes.sentObject === undefined) return;
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
  notes.sentObject = { namespace, name, uid, resourceVersion };
}

/** Gives an object the namespace of the request; throws BadRequest when it has another one. */
export function placeInNamespace(request: ApiRequest, object: ApiObject): void {
  const namespace = namespaceOf(request);
  const { metadata } = object;
  if (namespace === '') {
    delete metadata.namespace;
    return;
  }
  if ((metadata.namespace ?? '') !== '' && metadata.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  metadata.namespace = namespace;
}

/** Throws BadRequest unless an object has the name of the request. */
export function assertNameMatches(request: ApiRequest, object: ApiObject): void {
  const { name } = request.info;
  const given = object.metadata.name ?? '';
  if (given === name) return;
  throw badRequest(
    given === ''
      ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${given}) does not match the name on the URL (${name})`,
  );
}

const emptiableMetadata = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'generateName'] as const;

/** Leaves out of the metadata what is empty: it says the same as what is absent. */
export function dropEmptyMetadata({ metadata }: ApiObject): void {
  for (const key of emptiableMetadata) {
    const value = metadata[key];
    if (value !== undefined && Object.keys(value).length === 0) delete metadata[key];
  }
}

/**
 * Throws Invalid when an update names another uid than the object has, or sets a deletion time or another grace period. A
 * deletion time that the object has already stays, whatever the update says of it.
 */
export function assertIdentityUntouched(request: ApiRequest, object: ApiObject, old: ApiObject): void {
  const errors = validateDeletionUntouched(mindedMetadata(request, object), old.metadata);
  const { uid = '' } = object.metadata;
  if (uid !== '' && uid !== old.metadata.uid)
    errors.unshift(invalidField(fieldPath('metadata', 'uid'), uid, 'field is immutable'));
  if (errors.length > 0)
    throw invalid(kindNameOf(request.definition), request.info.name, errors.map(causeFromFieldError));
}

/** Writes of a status do not mind the metadata of custom objects, nor a deletion time of pods. */
function mindedMetadata({ definition, info }: ApiRequest, { metadata }: ApiObject): ObjectMeta {
  if (info.subresource !== 'status') return metadata;
  if (definition.message.structure !== undefined) return {};
  if (definition.kind !== 'Pod') return metadata;
  const { deletionTimestamp: _, ...minded } = metadata;
  return minded;
}

/** Throws Conflict when a body names another uid than the object has: it is for another object of the name. */
export function assertSentUid(
  request: ApiRequest,
  { metadata }: ApiObject,
  current: ApiObject | undefined,
): void {
  const { uid = '' } = metadata;
  const actual = current?.metadata.uid ?? '';
  if (uid === '' || uid === actual) return;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${actual}`;
  throw conflict(resourceNameOf(request.definition), request.info.name, why);
}
