import type { ApiObject } from '@binnacle/api-objects';
import type { Operation } from '@binnacle/proto';
import { conflict, notFound } from '@binnacle/status-errors';
import type { ApiRequest, GatewayServices } from '../pipeline/api-request.ts';
import { storedForm } from '../versions/stored-form.ts';
import { claimsOf, claimTaken } from '../write/claims.ts';
import { type CommitOutcome, commitChange } from '../write/commit.ts';
import { type CurrentObject, currentOf, readCurrent } from '../write/current-object.ts';
import { resourceNameOf } from '../write/names.ts';
import { isUnchanged } from '../write/ownership/unchanged.ts';
import { type Reviewed, reviewWrite } from '../write/review.ts';
import { untilRequiredHolds } from '../write/until-required-holds.ts';
import type { WriteOptions } from '../write/write-options.ts';

/** What admission sees of a write to a subresource. */
export interface ShownObject {
  readonly object: ApiObject;
  /** What the subresource was before; undefined for one that is only ever created. */
  readonly oldObject?: ApiObject;
}

/** A write that changes an object through a subresource of another kind. */
export interface ThroughSubresource {
  readonly options: WriteOptions;
  readonly operation: Extract<Operation, 'CREATE' | 'UPDATE'>;
  /** What admission is asked about. Called anew for each attempt; throws what refuses the write. */
  show(current: CurrentObject): ShownObject;
  /** The next state of the object itself, from what admission made of the subresource. Called anew for each attempt. */
  apply(shown: ApiObject, current: CurrentObject): ApiObject;
}

/** How often a write starts again from a newer object before it answers with a conflict. */
const attempts = 16;
const modified =
  'the object has been modified; please apply your changes to the latest version and try again';

/**
 * Changes the object behind a subresource: admission is asked about the subresource, then one transaction compares and
 * swaps the object. Answers with the object as it is afterwards. Throws NotFound when there is none.
 */
export async function writeThrough(
  request: ApiRequest,
  services: GatewayServices,
  plan: ThroughSubresource,
): Promise<ApiObject> {
  const { definition, info } = request;
  let current = await readCurrent(request, services);
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (current === undefined) throw notFound(resourceNameOf(definition), info.name);
    const { next, outcome } = await attemptWrite(request, services, { plan, current });
    if (outcome.kind === 'committed') return atRevision(next, outcome.revision || current.revision);
    if (outcome.kind === 'claim-taken') throw claimTaken(definition, next, outcome.claim);
    current = outcome.current && (await currentOf(request, services, outcome.current));
  }
  throw conflict(resourceNameOf(definition), info.name, modified);
}

interface Attempt {
  readonly plan: ThroughSubresource;
  readonly current: CurrentObject;
}

async function attemptWrite(request: ApiRequest, services: GatewayServices, { plan, current }: Attempt) {
  const { reviewed, outcome } = await untilRequiredHolds(request, services, {
    operation: plan.operation === 'CREATE' ? 'create' : 'update',
    reviewAndCommit: async again => {
      const review = await reviewWrite(request, services, {
        ...plan.show(current),
        operation: plan.operation,
        name: request.info.name,
        options: plan.options.json,
        dryRun: plan.options.dryRun,
        again,
      });
      const next = plan.apply(review.object, current);
      const committed = await commitNext(request, services, { plan, current, next, review });
      return { reviewed: { next, warnings: review.warnings }, outcome: committed };
    },
  });
  if (outcome.kind === 'committed') request.warnings.push(...reviewed.warnings);
  return { next: reviewed.next, outcome };
}

interface Next extends Attempt {
  readonly next: ApiObject;
  readonly review: Pick<Reviewed, 'required' | 'companions'>;
}

async function commitNext(
  { definition, call }: ApiRequest,
  { storage, conversions }: GatewayServices,
  { plan, current, next, review }: Next,
): Promise<CommitOutcome> {
  if (isUnchanged(next, current.object)) return { kind: 'committed', revision: current.revision };
  const form = storedForm(definition, next, { conversions, call });
  const put = form instanceof Promise ? await form : form;
  const change = {
    key: current.key,
    from: current.revision,
    put,
    required: review.required,
    claimsBefore: claimsOf(definition, current.object),
    claimsAfter: claimsOf(definition, next),
    companions: review.companions.onStore,
  };
  return await commitChange(change, storage, { call, dryRun: plan.options.dryRun });
}

function atRevision(object: ApiObject, revision: number): ApiObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}
