import {
  type ApiObject,
  causeFromFieldError,
  type FieldError,
  invalidField,
  type JsonObject,
  type JsonValue,
} from '@binnacle/api-objects';
import { applyDefaults } from '@binnacle/api-types';
import { invalid, StatusError } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { kindNameOf } from '../request/names.ts';
import { type ReviewServices, reviewWrite } from '../write/engine/review.ts';
import { decodeRequestObject } from '../write/request-object.ts';
import { parseWriteOptions } from '../write/write-options.ts';

/**
 * Decodes the body of an operation, with its warnings for the client and its defaults filled in, and has admission review
 * it: the operation as admission leaves it. Throws what admission refuses.
 */
export async function reviewOperation(request: ApiRequest, services: ReviewServices): Promise<ApiObject> {
  const options = parseWriteOptions(request.query, 'CreateOptions');
  const { object, warnings } = await decodeRequestObject(request, await request.body(), options);
  request.warnings.push(...warnings);
  applyDefaults(request.definition, object);
  const reviewed = await reviewWrite(request, services, {
    operation: 'CREATE',
    name: object.metadata.name ?? '',
    object,
    options: options.json,
    dryRun: options.dryRun,
  });
  request.warnings.push(...reviewed.warnings);
  return reviewed.object;
}

/** The answer to an operation: its object with the status filled in. Nothing of it is kept. */
export function answered(object: ApiObject, status: JsonObject): ApiResult {
  // It was never created, and existing clients expect a null for that.
  const metadata = { ...object.metadata, creationTimestamp: null } as unknown as ApiObject['metadata'];
  return { kind: 'object', code: 201, object: { ...object, metadata, status } };
}

/** Throws Invalid (422) when there are findings. */
export function assertNoErrors(request: ApiRequest, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const causes = errors.map(causeFromFieldError);
  const { reason, code, message, details } = invalid(kindNameOf(request.definition), '', causes);
  // There is no object that the failure could be about, so the details name no kind.
  const { kind: _kind, ...rest } = details ?? {};
  throw new StatusError({ reason, code, message, details: rest });
}

/** The finding about metadata on an operation: it has no name, and nothing else of its own but the namespace. */
export function metadataErrors({ metadata }: ApiObject): FieldError[] {
  const { namespace: _namespace, managedFields: _managedFields, ...rest } = metadata as JsonObject;
  const given = Object.values(rest).some(value => value !== null && !isEmpty(value));
  return given ? [invalidField('metadata', rest, 'must be empty')] : [];
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === '' || value === 0;
}
