import {
  type ApiObject,
  equalJson,
  equalJsonExcept,
  formatApiVersion,
  type ManagedFieldsEntry,
  type ObjectMeta,
  splitApiVersion,
  timestampFrom,
} from '@binnacle/api-objects';
import type { TypeRegistry } from '@binnacle/api-types';
import { isWebhookConverted } from '@binnacle/conversion-webhooks';
import {
  decodeLongManagedFields,
  encodeLongManagedFields,
  type ManagedFields,
  noManagers,
  recordFullySteps,
  recordPlainly,
  type ServedVersions,
  type UpdateRequest,
  updateSteps,
} from '@binnacle/server-side-apply';
import type { ApiRequest } from '../../request/api-request.ts';
import { isLongWrite, yieldBetweenSteps } from '../../request/yield-between-steps.ts';
import {
  type ConversionServices,
  findKindVersions,
  findManagedKind,
  isConversionFailure,
  withConversions,
} from './managed-kind.ts';

/** The services that record managed fields. */
export interface RecordingServices extends ConversionServices {
  readonly clock: () => number;
}

/**
 * The entries of metadata.managedFields after the creation of an object, which the client may have sent with some: its
 * creator manages all fields that are set, defaults included.
 */
export function managedFieldsAfterCreate(
  request: ApiRequest,
  services: RecordingServices,
  object: ApiObject,
): ManagedFieldsEntry[] | Promise<ManagedFieldsEntry[]> {
  const { empty } = findManagedKind(request.definition);
  const { managedFields = [] } = object.metadata;
  const record = (managed: ManagedFields) =>
    encodedAfter(request, services, {
      update: { ...createRecording(request, services), live: empty, next: object, managed },
    });
  if (managedFields.length === 0 || isReset(managedFields)) return record(noManagers);
  const sent = readSentManagers(request, services, managedFields);
  return sent instanceof Promise ? sent.then(record) : record(sent);
}

/** An update, or a patch other than apply. */
interface RecordedUpdate {
  readonly live: ApiObject;
  /** The object after, with defaults. */
  readonly next: ApiObject;
  /** The entries that the client sent, or left as a patch found them. */
  readonly sent: readonly ManagedFieldsEntry[] | undefined;
  /** Whether an empty list of entries resets the record, as a list of one empty entry does; else it has no effect. */
  readonly emptyResets: boolean;
}

/**
 * The entries of metadata.managedFields after a write other than apply (spec 1, server-side apply, 4, 5 and 14). An
 * object without managed fields goes on without them until the first apply; a write that resets them records its
 * manager for the other fields that it changes. Subresources cannot change entries. Where a webhook fails to convert
 * the object to the version of other managers, only the change of its metadata is recorded for these.
 */
export function managedFieldsAfterUpdate(
  request: ApiRequest,
  services: RecordingServices,
  update: RecordedUpdate,
): ManagedFieldsEntry[] | Promise<ManagedFieldsEntry[]> {
  const { live, next } = update;
  const record = (managed: ManagedFields) => {
    if (managed.managers.size === 0 && !resetsManagers(request, update)) return [];
    const metadataAlone = isWebhookConverted(request.definition) && equalButMetadata(next, live);
    const recording = { ...createRecording(request, services), live, next, managed };
    const recorded = encodedAfter(request, services, { update: recording, metadataAlone });
    if (!(recorded instanceof Promise)) return recorded;
    return recorded.catch((thrown: unknown) => {
      if (!isConversionFailure(thrown)) throw thrown;
      // The object itself needs no conversion: managers in other versions keep their other fields.
      return encodedAfter(request, services, { update: recording, metadataAlone: true });
    });
  };
  const managed = managersBefore(request, services, update);
  return managed instanceof Promise ? managed.then(record) : record(managed);
}

/** Whether an update resets the record of managers. */
function resetsManagers({ info }: ApiRequest, { live, sent, emptyResets }: RecordedUpdate): boolean {
  if (info.subresource !== '') return false;
  const isTracked = (live.metadata.managedFields ?? []).length > 0;
  return isReset(sent) || (emptyResets && isTracked && sent?.length === 0);
}

/** The managers that the record of an update starts from: those of the client where it sent some. */
function managersBefore(
  request: ApiRequest,
  services: RecordingServices,
  update: RecordedUpdate,
): ManagedFields | Promise<ManagedFields> {
  const { live, sent } = update;
  if (resetsManagers(request, update)) return noManagers;
  // A patch leaves the entries as it found them, and many clients send those that they read.
  if (
    request.info.subresource !== '' ||
    sent === undefined ||
    equalEntries(sent, live.metadata.managedFields)
  )
    return readStoredManagers(live);
  const read = readSentManagers(request, services, sent);
  const orStored = (managed: ManagedFields) =>
    managed.managers.size > 0 ? managed : readStoredManagers(live);
  return read instanceof Promise ? read.then(orStored) : orStored(read);
}

function equalEntries(
  a: readonly ManagedFieldsEntry[],
  b: readonly ManagedFieldsEntry[] | undefined,
): boolean {
  return a.length === b?.length && a.every((entry, at) => equalJson(entry, b[at]));
}

interface Recording {
  readonly update: UpdateRequest<ServedVersions>;
  readonly metadataAlone?: boolean;
}

/** The entries of a record; without a promise unless the write is a long one or a webhook has to convert. */
function encodedAfter(
  request: ApiRequest,
  services: RecordingServices,
  recording: Recording,
): ManagedFieldsEntry[] | Promise<ManagedFieldsEntry[]> {
  if (isLongWrite(request)) return encodedInSlices(request, services, recording);
  const { update, metadataAlone = false } = recording;
  const recorded =
    recordPlainly(update) ??
    withConversions(request, services, { work: recordFullySteps(update), metadataAlone });
  return recorded instanceof Promise
    ? recorded.then(encodeLongManagedFields)
    : encodeLongManagedFields(recorded);
}

async function encodedInSlices(
  request: ApiRequest,
  services: RecordingServices,
  { update, metadataAlone = false }: Recording,
): Promise<ManagedFieldsEntry[]> {
  await yieldBetweenSteps(request);
  const managed = await withConversions(request, services, { work: updateSteps(update), metadataAlone });
  await yieldBetweenSteps(request);
  return await encodeLongManagedFields(managed);
}

/** The common part of every record of a write by this request. */
export function createRecording(request: ApiRequest, { registry, clock }: RecordingServices) {
  const { definition, info } = request;
  const { schema, resetFields } = findManagedKind(definition);
  return {
    manager: findFieldManager(request),
    apiVersion: recordedVersion(request),
    subresource: info.subresource,
    now: timestampFrom(clock()),
    schema,
    resetFields: resetFields(info.subresource),
    versions: findKindVersions(request, registry),
  };
}

/**
 * The version of a write with the name of its group in the path of the request. Kinds that have other names within objects through an
 * alias have the own names in the store, those of the record among them.
 */
function recordedVersion({ definition, info }: ApiRequest): string {
  const isOwn = info.group === definition.group || definition.rules.aliasNames !== undefined;
  return isOwn ? findManagedKind(definition).apiVersion : `${info.group}/${definition.version}`;
}

/** Reads entries that the server wrote, with yields where they are long. */
export function readStoredManagers({ metadata }: ApiObject): ManagedFields | Promise<ManagedFields> {
  return decodeLongManagedFields(metadata.managedFields, { stored: true });
}

/**
 * Reads entries that a client sent, which stay as they are; unreadable ones are left out. Kinds that have other names
 * within objects through an alias have the own ones in their entries. Yields where they are long.
 */
function readSentManagers(
  { definition }: ApiRequest,
  { registry }: { readonly registry: TypeRegistry },
  entries: readonly ManagedFieldsEntry[],
): ManagedFields | Promise<ManagedFields> {
  const hasOwnNames = definition.rules.aliasNames !== undefined;
  const read = hasOwnNames ? entries.map(entry => withCanonicalGroup(entry, registry)) : entries;
  return decodeLongManagedFields(read);
}

/** Whether a client asks to reset the record: a list of one empty entry (spec 1, server-side apply, 14). */
function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  const [only] = entries ?? [];
  return only !== undefined && entries?.length === 1 && isEmpty(only);
}

function withCanonicalGroup(entry: ManagedFieldsEntry, registry: TypeRegistry): ManagedFieldsEntry {
  const { apiVersion = '' } = entry;
  const { group, version } = splitApiVersion(apiVersion);
  if (group === '') return entry;
  return { ...entry, apiVersion: formatApiVersion({ group: registry.canonicalGroup(group), version }) };
}

function isEmpty(entry: ManagedFieldsEntry): boolean {
  return Object.values(entry).every(value => value === undefined || value === null || value === '');
}

/** Most bytes of the name of a manager. */
const longestName = 128;
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/**
 * The manager under which a write is recorded: the parameter `fieldManager`, else the part of its user agent before
 * the first slash as far as it can be printed and fits; '' if that is nothing (spec 1, server-side apply, 2).
 */
function findFieldManager({ query, userAgent }: Pick<ApiRequest, 'query' | 'userAgent'>): string {
  const given = query.get('fieldManager') ?? '';
  return given === '' ? nameFrom(userAgent) : given;
}

function nameFrom(userAgent: string): string {
  const [product = ''] = userAgent.split('/', 1);
  let name = '';
  let size = 0;
  for (const character of product) {
    if (unprintable.test(character)) continue;
    size += Buffer.byteLength(character);
    if (size > longestName) break;
    name += character;
  }
  return name;
}

/** Sets an object's managed fields as the last of its metadata; an object without managers has none. */
export function setManagedFields({ metadata }: ApiObject, entries: readonly ManagedFieldsEntry[]): void {
  // V8 keeps an object from which a member has been deleted as a table, which is larger and slower to encode.
  if (entries.length === 0 || !areManagedFieldsLast(metadata)) delete metadata.managedFields;
  if (entries.length > 0) metadata.managedFields = [...entries];
}

/** Whether no member follows the managed fields; the resourceVersion, which is not stored, may. */
function areManagedFieldsLast(metadata: ObjectMeta): boolean {
  let last = '';
  for (const name in metadata) if (name !== 'resourceVersion') last = name;
  return last === 'managedFields';
}

/** Whether two states of an object differ only in their metadata. */
export function equalButMetadata(next: ApiObject, current: ApiObject): boolean {
  return equalJsonExcept(next, current, 'metadata');
}
