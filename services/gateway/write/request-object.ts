import { type ApiObject, removeDuplicateOwnerReferences } from '@binnacle/api-objects';
import { type DecodedObject, decodeBody, type FieldValidation } from '@binnacle/codecs';
import { badRequest, conflict } from '@binnacle/status-errors';
import type { ApiRequest } from '../request/api-request.ts';
import { namespaceOf, resourceNameOf } from '../request/names.ts';
import { withOwnNames } from '../versions/alias-form.ts';

/** Options of decoding the body of a request. */
interface DecodeOptions {
  readonly fieldValidation: FieldValidation;
  /** As the option of `decodeBody`. */
  readonly mayBeLarge?: boolean;
}

/** Decodes the body of a request into an object in the request's namespace; without a promise where the body is short. */
export function decodeRequestObject(
  request: ApiRequest,
  body: Buffer,
  { fieldValidation, mayBeLarge = false }: DecodeOptions,
): DecodedObject | Promise<DecodedObject> {
  const { definition, contentType } = request;
  const decoding = decodeBody(body, contentType, { definition, fieldValidation, mayBeLarge });
  return decoding instanceof Promise
    ? decoding.then(decoded => placedObject(request, decoded))
    : placedObject(request, decoding);
}

function placedObject(request: ApiRequest, decoded: DecodedObject): DecodedObject {
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
