import type { ApiObject } from '@binnacle/api-objects';
import { objectKey } from '@binnacle/api-types';
import type { Operation } from '@binnacle/proto';
import { notFound } from '@binnacle/status-errors';
import type { ApiRequest } from '../request/api-request.ts';
import { namespaceOf, resourceNameOf } from '../request/names.ts';
import { storedForm } from '../versions/stored-form.ts';
import { claimsOf } from '../write/claims.ts';
import { type CurrentObject, currentOf, readCurrent } from '../write/engine/current-object.ts';
import { runWrite } from '../write/engine/run-write.ts';
import type { Basis, PlannedChange, Proposal, WritePlan } from '../write/engine/write-plan.ts';
import { isUnchanged } from '../write/managed-fields/unchanged.ts';
import type { WriteOptions } from '../write/write-options.ts';
import type { WriteServices } from '../write/write-services.ts';

/** What admission sees of a write to a subresource. */
interface ShownObject {
  readonly object: ApiObject;
  /** What the subresource was before; undefined for one that is only ever created. */
  readonly oldObject?: ApiObject;
}

/** A write that changes an object through a subresource of another kind. */
interface ThroughSubresource {
  readonly options: WriteOptions;
  readonly operation: Extract<Operation, 'CREATE' | 'UPDATE'>;
  /** What admission is asked about. Called anew for each attempt; throws what refuses the write. */
  show(current: CurrentObject): ShownObject | Promise<ShownObject>;
  /** The next state of the object itself, from what admission made of the subresource. Called anew for each attempt. */
  apply(shown: ApiObject, current: CurrentObject): ApiObject;
}

interface ThroughBasis extends Basis {
  /** Undefined when there is none. */
  readonly current: CurrentObject | undefined;
}

interface ThroughProposal extends Proposal {
  readonly object: ApiObject;
  readonly current: CurrentObject;
}

/**
 * Changes the object behind a subresource: admission is asked about the subresource, then one transaction compares and
 * swaps the object; anew when the object changed in between. Answers with the object as it is afterwards. Throws NotFound when there is none.
 */
export function writeThrough(
  request: ApiRequest,
  services: WriteServices,
  through: ThroughSubresource,
): Promise<ApiObject> {
  return runWrite(request, services, planThrough(request, services, through));
}

function planThrough(
  request: ApiRequest,
  services: WriteServices,
  through: ThroughSubresource,
): WritePlan<ThroughBasis, ThroughProposal, ApiObject> {
  const { definition, info } = request;
  const { operation, options } = through;
  return {
    dryRun: options.dryRun,
    objectKey: objectKey(definition, namespaceOf(request), info.name),
    read: async () => ({ current: await readCurrent(request, services) }),
    async propose({ current }) {
      if (current === undefined) throw notFound(resourceNameOf(definition), info.name);
      const shown = await through.show(current);
      return { ...shown, operation, name: info.name, options: options.json, current };
    },
    change: ({ proposal: { current }, reviewed }) =>
      changeOf(request, services, { current, next: through.apply(reviewed.object, current) }),
    async retryAfter(failure) {
      const current = failure.kind === 'object' ? failure.current : undefined;
      return {
        from: 'basis',
        basis: { current: current && (await currentOf(request, services, current)) },
      };
    },
  };
}

async function changeOf(
  { definition, call }: ApiRequest,
  { conversions }: WriteServices,
  { current, next }: { readonly current: CurrentObject; readonly next: ApiObject },
): Promise<PlannedChange<ApiObject>> {
  const { key, revision: from } = current;
  // What was not written is shown at the version that it has.
  const answer = (revision: number): ApiObject => atRevision(next, revision || from);
  const unchanged = isUnchanged(next, current.object, current.stored.length);
  if (unchanged instanceof Promise ? await unchanged : unchanged) return { write: undefined, answer };
  const put = await storedForm(definition, next, {
    conversions,
    call,
    before: current.stored,
  });
  const claims = { before: claimsOf(definition, current.object), after: claimsOf(definition, next) };
  return { write: { object: { key, from, put }, claims, jointWrites: [] }, answer };
}

function atRevision(object: ApiObject, revision: number): ApiObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}
