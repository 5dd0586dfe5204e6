import type { DefaultsTooLarge } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { type StoredItem, storedItem } from '@binnacle/codecs';
import { isWebhookConverted } from '@binnacle/conversion-webhooks';
import { sharedSlices } from '@binnacle/event-loop';
import { StatusError } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { isStoredForm, serverConverted, type VersionBytes, type VersionForm } from './kept-forms.ts';
import { formInVersion, longFormInVersion } from './version-form.ts';
import type { WebhookConversions } from './webhook-conversions.ts';

type StoredResult<Bytes extends Buffer> = Extract<ApiResult<Bytes>, { readonly kind: 'stored' }>;
type ListResult<Bytes extends Buffer> = Extract<ApiResult<Bytes>, { readonly kind: 'list' }>;

/**
 * A result whose objects are in the version of the request: itself, and no promise, where they are so as they are stored. Warns of
 * objects without defaults; throws a StatusError where an object cannot be converted, and for the object of a get that lacks defaults.
 */
export function resultInVersion(
  request: ApiRequest,
  result: ApiResult,
  conversions: WebhookConversions,
): ApiResult<VersionBytes> | Promise<ApiResult<VersionBytes>> {
  const { definition } = request;
  switch (result.kind) {
    case 'success':
    case 'object':
      return result;
    case 'stored':
      return isStoredForm(definition, result.stored)
        ? (result as StoredResult<VersionBytes>) // whose bytes these are
        : objectInVersion(request, result, conversions);
    case 'list':
      return areAllInVersion(definition, result.items)
        ? (result as ListResult<Buffer> as ListResult<VersionBytes>) // whose bytes all are
        : listInVersion(request, result, conversions);
  }
}

function areAllInVersion(definition: ResourceDefinition, items: readonly StoredItem[]): boolean {
  const { storage, rules } = definition;
  if (storage === undefined && rules.migration === undefined) return true;
  return items.every(({ stored }) => isStoredForm(definition, stored));
}

function objectInVersion(
  { definition, info, warnings, call }: ApiRequest,
  result: StoredResult<Buffer>,
  conversions: WebhookConversions,
): StoredResult<VersionBytes> | Promise<StoredResult<VersionBytes>> {
  const { stored } = result;
  const shown = ({ bytes, fault }: VersionForm): StoredResult<VersionBytes> => {
    // A client that reads an object relies on its defaults; one that changed it learns that they are missing.
    if (fault !== undefined && info.verb === 'get') throw incompleteObject(definition, fault);
    if (fault !== undefined) warnings.push(incompleteWarning(definition, 1));
    return { ...result, stored: bytes };
  };
  const form = isWebhookConverted(definition)
    ? (longFormInVersion(definition, stored) ??
      firstForm(conversions.formsInVersion(definition, [stored], { call })))
    : longFormInVersion(serverConverted(definition), stored);
  return form instanceof Promise ? form.then(shown) : shown(form);
}

async function firstForm(
  forms: readonly VersionForm[] | Promise<readonly VersionForm[]>,
): Promise<VersionForm> {
  return (await forms)[0]!; // as many as bytes
}

/** Brings the items of a list into the version in slices, before the answer begins: what they lack is said in its head. */
async function listInVersion(
  { definition, warnings, call }: ApiRequest,
  result: ListResult<Buffer>,
  conversions: WebhookConversions,
): Promise<ListResult<VersionBytes>> {
  let incomplete = 0;
  const shown = ({ bytes, fault }: VersionForm, { revision }: StoredItem): StoredItem<VersionBytes> => {
    if (fault !== undefined) incomplete++;
    return storedItem(bytes, revision);
  };
  const { signal } = call;
  let items: StoredItem<VersionBytes>[];
  if (isWebhookConverted(definition)) {
    const stored = result.items.map(item => item.stored);
    const forms = await conversions.formsInVersion(definition, stored, { call });
    items = await mapInSlices(result.items, (item, index) => shown(forms[index]!, item), signal); // as many as items
  } else {
    const converted = serverConverted(definition);
    items = await mapInSlices(
      result.items,
      item =>
        isStoredForm(converted, item.stored)
          ? (item as StoredItem as StoredItem<VersionBytes>) // whose bytes these are
          : shown(formInVersion(converted, item.stored), item),
      signal,
    );
  }
  if (incomplete > 0) warnings.push(incompleteWarning(definition, incomplete));
  return { ...result, items };
}

/** Maps items one after the other; other requests go on in between. */
export async function mapInSlices<T, U>(
  items: readonly T[],
  map: (item: T, index: number) => U,
  signal: AbortSignal,
): Promise<U[]> {
  const mapped: U[] = [];
  for (const [index, item] of items.entries()) {
    if (sharedSlices.isOver()) await sharedSlices.yield(signal);
    mapped.push(map(item, index));
  }
  return mapped;
}

/** The failure of a request for an object that is stored and cannot be completed. */
function incompleteObject({ group, resource }: ResourceDefinition, fault: DefaultsTooLarge): StatusError {
  return new StatusError({
    reason: 'InternalError',
    code: 500,
    message: `${fault.why}; lists, watches and metadata show it without defaults, and it can be deleted`,
    details: { group, kind: resource },
  });
}

/** The warning for clients that are shown objects without defaults. */
function incompleteWarning({ resource, group }: ResourceDefinition, count: number): string {
  const objects = count === 1 ? '1 object is' : `${count} objects are`;
  return `${objects} shown without the defaults of customresourcedefinition ${JSON.stringify(`${resource}.${group}`)}, which would make them too large`;
}
