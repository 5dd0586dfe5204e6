import { type ApiObject, type ManagedFieldsEntry, timestampFrom } from '@binnacle/api-objects';
import { runInSlices } from '@binnacle/event-loop';
import {
  type Converting,
  encodeManagedFieldsSteps,
  type ManagedFields,
  noManagers,
  updateSteps,
} from '@binnacle/server-side-apply';
import type { ApiRequest } from '../../request/api-request.ts';
import { isLongWrite, restBetweenSteps } from '../../request/rest-between-steps.ts';
import { isWebhookConverted } from '../../versions/converted-bytes.ts';
import { type ConversionServices, isConversionFailure, withConversions } from './convert-versions.ts';
import { fieldManagerOf } from './field-manager.ts';
import { kindVersionsOf } from './kind-versions.ts';
import { managedKindOf } from './managed-kind.ts';
import { isReset, sentManagersOf, storedManagersOf } from './managers-of.ts';
import { equalButMetadata } from './unchanged.ts';

/** What managed fields are recorded with. */
export interface RecordingServices extends ConversionServices {
  readonly clock: () => number;
}

/**
 * The entries of metadata.managedFields after the creation of an object, which the client may have sent with some:
 * its creator manages what is set, defaults among it.
 */
export async function managedFieldsAfterCreate(
  request: ApiRequest,
  services: RecordingServices,
  object: ApiObject,
): Promise<ManagedFieldsEntry[]> {
  const { empty } = managedKindOf(request.definition);
  const { managedFields = [] } = object.metadata;
  const managed = isReset(managedFields)
    ? noManagers
    : await sentManagersOf(request, services, managedFields);
  const record = () => updateSteps({ ...recordingOf(request, services), live: empty, next: object, managed });
  return await encodedAfter(request, services, { record });
}

/** An update, or a patch other than apply. */
interface RecordedUpdate {
  readonly live: ApiObject;
  /** The object after, with defaults. */
  readonly next: ApiObject;
  /** The entries that the client sent, or left as a patch found them. */
  readonly sent: readonly ManagedFieldsEntry[] | undefined;
  /** An empty list of entries means a new beginning, as one of one empty entry does; else it says nothing. */
  readonly emptyResets: boolean;
}

/**
 * The entries of metadata.managedFields after a write other than apply (spec 1, server-side apply, 4, 5 and 14). An
 * object without managed fields goes on without them until the first apply; a write that begins them anew
 * leaves what else it changes to its manager. Subresources cannot change entries. Where a webhook fails to convert the object
 * to the version of other managers, only the change of its metadata is recorded for these.
 */
export async function managedFieldsAfterUpdate(
  request: ApiRequest,
  services: RecordingServices,
  { live, next, sent, emptyResets }: RecordedUpdate,
): Promise<ManagedFieldsEntry[]> {
  const isOwn = request.info.subresource === '';
  const isTracked = (live.metadata.managedFields ?? []).length > 0;
  const resets = isOwn && (isReset(sent) || (emptyResets && isTracked && sent?.length === 0));
  const before = isOwn && sent !== undefined ? await sentManagersOf(request, services, sent) : noManagers;
  const managed = resets ? noManagers : before.managers.size > 0 ? before : await storedManagersOf(live);
  if (!resets && managed.managers.size === 0) return [];
  const metadataAlone = isWebhookConverted(request.definition) && equalButMetadata(next, live);
  const record = () => updateSteps({ ...recordingOf(request, services), live, next, managed });
  try {
    return await encodedAfter(request, services, { record, metadataAlone });
  } catch (thrown) {
    if (!isConversionFailure(thrown)) throw thrown;
    // The webhook is not needed for the object itself: managers in other versions keep what they have of the rest.
    return await encodedAfter(request, services, { record, metadataAlone: true });
  }
}

/** The entries of what is recorded, with rests where the write is a long one. */
async function encodedAfter(
  request: ApiRequest,
  services: RecordingServices,
  {
    record,
    metadataAlone = false,
  }: { readonly record: () => Converting<ManagedFields>; readonly metadataAlone?: boolean },
): Promise<ManagedFieldsEntry[]> {
  if (isLongWrite(request)) await restBetweenSteps(request);
  const recorded = withConversions(request, services, { work: record(), metadataAlone });
  const managed = recorded instanceof Promise ? await recorded : recorded;
  if (isLongWrite(request)) await restBetweenSteps(request);
  return runInSlices(encodeManagedFieldsSteps(managed));
}

/** What every record of a write by this request has in common. */
export function recordingOf(request: ApiRequest, { registry, clock }: RecordingServices) {
  const { definition, info } = request;
  const { schema, resetFields } = managedKindOf(definition);
  return {
    manager: fieldManagerOf(request),
    apiVersion: recordedVersion(request),
    subresource: info.subresource,
    now: timestampFrom(clock()),
    schema,
    resetFields: resetFields(info.subresource),
    versions: kindVersionsOf(request, registry),
  };
}

/**
 * The version of a write with the name of its group in the path of the request. Kinds that have other names within objects through an
 * alias have the own names in the store, those of the record among them.
 */
function recordedVersion({ definition, info }: ApiRequest): string {
  const isOwn = info.group === definition.group || definition.rules.aliasNames !== undefined;
  return isOwn ? managedKindOf(definition).apiVersion : `${info.group}/${definition.version}`;
}
