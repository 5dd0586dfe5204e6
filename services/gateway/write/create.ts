import { type ApiObject, copyJson, generateNameFrom, parseResourceVersion } from '@binnacle/api-objects';
import { decodeLongStored } from '@binnacle/codecs';
import { alreadyExists, badRequest, StatusError } from '@binnacle/status-errors';
import type { StorageRecord } from '@binnacle/storage-contract';
import { isAllowed } from '../authorization/authorizer.ts';
import { denial } from '../authorization/denial.ts';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { namespaceOf, resourceNameOf } from '../request/names.ts';
import { changedObject } from './changed-object.ts';
import { runWrite, type WriteServices } from './engine/run-write.ts';
import { decodeRequestObject } from './request-object.ts';
import { parseWriteOptions } from './write-options.ts';

/**
 * POST on a collection: creates an object under its own name, or under one generated from metadata.generateName. Throws
 * AlreadyExists when the name is taken; a generated name that is taken is replaced by another one.
 */
export async function createVerb(request: ApiRequest, services: WriteServices): Promise<ApiResult> {
  if (!request.definition.verbs.includes('get')) throw operationNotServed(request);
  const options = parseWriteOptions(request.query, 'CreateOptions');
  const decoding = decodeRequestObject(request, await request.body(), options);
  const { object: sent, warnings } = decoding instanceof Promise ? await decoding : decoding;
  request.warnings.push(...warnings);
  if (parseResourceVersion(sent.metadata.resourceVersion ?? '') !== 0)
    throw badRequest('resourceVersion should not be set on objects to be created');
  const { generateName = '', name = '' } = sent.metadata;
  const generates = name === '' && generateName !== '';
  return await runWrite(request, services, {
    dryRun: options.dryRun,
    start: {
      from: 'nothing',
      async whenTaken({ object, current }, budget) {
        if (generates && (await budget.take('name')) !== 'none') return;
        throw await nameTaken(request, object, current);
      },
    },
    attempt() {
      const object = generates ? withGeneratedName(sent, generateName) : sent;
      return changedObject(request, services, { object, current: undefined, options });
    },
  });
}

function withGeneratedName(sent: ApiObject, generateName: string): ApiObject {
  const object = copyJson(sent);
  object.metadata.name = generateNameFrom(generateName);
  return object;
}

/**
 * The AlreadyExists error for a new object whose name `current` has. Where the name is generated, it tells the client
 * when to retry.
 */
async function nameTaken(
  request: ApiRequest,
  { metadata: { name = '', generateName = '' } }: ApiObject,
  current: StorageRecord | undefined,
): Promise<StatusError> {
  const error = alreadyExists(resourceNameOf(request.definition), name, {
    ...(generateName !== '' && { retryAfterSeconds: 1 }),
  });
  const found = current && (await decodeLongStored(current.value, current.revision));
  const deleting = found?.metadata.deletionTimestamp;
  if (!deleting) return error;
  const { reason, code, details } = error;
  return new StatusError({ reason, code, details, message: `object is being deleted: ${error.message}` });
}

/** A type that can only be created is an operation, not an object: its answer is made elsewhere, and never stored. */
function operationNotServed({ definition: { kind } }: ApiRequest): StatusError {
  const message = `this server does not support the operation ${kind}`;
  return new StatusError({ reason: 'MethodNotAllowed', code: 405, message, details: {} });
}

/**
 * Throws Forbidden unless the user may create the object of the request: a request that was authorized as an update or
 * a patch checks this before it creates an object that it did not find.
 */
export async function assertMayCreate(
  request: ApiRequest,
  { authorizer }: Pick<WriteServices, 'authorizer'>,
): Promise<void> {
  const { definition, info, user, call } = request;
  const access = {
    kind: 'resource',
    verb: 'create',
    group: definition.group,
    resource: definition.resource,
    subresource: '',
    namespace: namespaceOf(request),
    name: info.name,
  } as const;
  if (!(await isAllowed(authorizer, { user, access, call })))
    throw denial(user, { ...access, group: info.group });
}
