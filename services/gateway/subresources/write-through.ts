import type { ApiObject } from '@binnacle/api-objects';
import { notFound } from '@binnacle/status-errors';
import type { ApiRequest, ApiResult } from '../request/api-request.ts';
import { resourceNameOf } from '../request/names.ts';
import { storedForm } from '../versions/stored-form.ts';
import type { CurrentObject } from '../write/engine/current-object.ts';
import { runWrite, type WriteServices } from '../write/engine/run-write.ts';
import { isUnchanged, reservationsFor } from '../write/engine/stored-change.ts';
import type { Change } from '../write/engine/transaction.ts';
import type { WriteOptions } from '../write/write-options.ts';

/** The subresource of a write, as admission reviews it. */
interface ShownObject {
  readonly object: ApiObject;
  /** The subresource before; undefined for one that is only ever created. */
  readonly oldObject?: ApiObject;
}

/** A write that changes an object through a subresource of another kind. */
interface ThroughSubresource {
  readonly options: WriteOptions;
  readonly operation: 'CREATE' | 'UPDATE';
  /** Returns the object that admission reviews. Called anew for each attempt; throws to refuse the write. */
  show(current: CurrentObject): ShownObject | Promise<ShownObject>;
  /** The next state of the object itself, from the subresource as admission left it. Called anew for each attempt. */
  apply(shown: ApiObject, current: CurrentObject): ApiObject;
  /** The answer, from the object as it is afterwards. */
  answer(object: ApiObject): ApiResult;
}

/**
 * Changes the object behind a subresource: admission reviews the subresource, then one transaction compares and
 * swaps the object; anew when the object changed in between. Throws NotFound when there is none.
 */
export async function writeThrough(
  request: ApiRequest,
  services: WriteServices,
  through: ThroughSubresource,
): Promise<ApiResult> {
  const { definition, info } = request;
  const { operation, options } = through;
  return await runWrite(request, services, {
    dryRun: options.dryRun,
    start: { from: 'store' },
    async attempt(current) {
      if (current === undefined) throw notFound(resourceNameOf(definition), info.name);
      const { object, oldObject } = await through.show(current);
      return {
        operation,
        name: info.name,
        object,
        oldObject,
        options: options.json,
        change: reviewed => changeThrough(request, services, { through, current, reviewed }),
      };
    },
  });
}

interface ReviewedSubresource {
  readonly through: ThroughSubresource;
  readonly current: CurrentObject;
  readonly reviewed: ApiObject;
}

async function changeThrough(
  { definition, call }: ApiRequest,
  { conversions }: WriteServices,
  { through, current, reviewed }: ReviewedSubresource,
): Promise<Change> {
  const { key, revision: from } = current;
  const next = through.apply(reviewed, current);
  // An object that was not written is shown at the version that it has.
  const answer = (revision: number) => through.answer(atRevision(next, revision || from));
  if (await isUnchanged(next, current.object, current.stored.length)) return { write: undefined, answer };
  const put = await storedForm(definition, next, { conversions, call, before: current });
  const reservations = {
    before: reservationsFor(definition, current.object),
    after: reservationsFor(definition, next),
  };
  return { write: { object: { key, from, put }, reservations, jointWrites: [] }, answer };
}

function atRevision(object: ApiObject, revision: number): ApiObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}
