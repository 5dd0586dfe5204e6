import {
  type FieldError,
  invalidField,
  isInt64,
  notSupportedField,
  numberFromText,
} from '@binnacle/api-objects';
import type { DeleteOptions as SentOptions } from '@binnacle/api-types/meta/v1';
import { decodeOptions } from '@binnacle/codecs';
import { badRequest } from '@binnacle/status-errors';
import type { ApiRequest } from '../request/api-request.ts';
import type { PropagationPolicy } from './deletion-decision.ts';
import { dryRunErrors, dryRunValues, invalidOptions, optionsJson } from './write-options.ts';

/** What a client asked of a deletion (spec 1, "Query parameters" and DeleteOptions). */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly propagationPolicy: PropagationPolicy | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly gracePeriodSeconds: number | bigint | undefined;
  /** What the object must be for the deletion to happen. */
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** The options as JSON for admission. */
  readonly json: string;
}

const policies: readonly string[] = ['Orphan', 'Background', 'Foreground'];

/**
 * Reads the options of a deletion from the body, or from the query when there is no body.
 *
 * Throws Invalid (422) for values that break the rules, BadRequest for what cannot be read.
 */
export async function parseDeleteOptions(request: ApiRequest): Promise<DeleteOptions> {
  const body = await request.body();
  return deleteOptionsFrom(
    body.length > 0
      ? await decodeOptions(body, request.contentType, 'DeleteOptions')
      : fromQuery(request.query),
  );
}

/** Checks DeleteOptions; throws Invalid (422) for values that break the rules. */
export function deleteOptionsFrom(fields: SentOptions): DeleteOptions {
  const { propagationPolicy, orphanDependents, gracePeriodSeconds, preconditions, dryRun = [] } = fields;
  const errors = [...propagationErrors(propagationPolicy, orphanDependents), ...dryRunErrors(dryRun)];
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors);
  const { kind: _, apiVersion: __, ...sent } = fields;
  return {
    dryRun: dryRun.length > 0,
    propagationPolicy: (propagationPolicy as PropagationPolicy | undefined) || undefined, // Checked above.
    orphanDependents,
    gracePeriodSeconds,
    uid: preconditions?.uid,
    resourceVersion: preconditions?.resourceVersion,
    json: optionsJson('DeleteOptions', sent),
  };
}

function fromQuery(query: URLSearchParams): SentOptions {
  const fields: SentOptions = {};
  const propagationPolicy = query.get('propagationPolicy');
  const orphanDependents = query.get('orphanDependents');
  const gracePeriodSeconds = query.get('gracePeriodSeconds');
  const dryRun = dryRunValues(query);
  if (propagationPolicy) fields.propagationPolicy = propagationPolicy;
  if (orphanDependents !== null)
    fields.orphanDependents = !['', '0', 'f', 'false'].includes(orphanDependents.toLowerCase());
  if (gracePeriodSeconds) fields.gracePeriodSeconds = integerFrom('gracePeriodSeconds', gracePeriodSeconds);
  if (dryRun.length > 0) fields.dryRun = dryRun;
  return fields;
}

function integerFrom(parameter: string, text: string): number | bigint {
  const value = /^[+-]?\d{1,32}$/.test(text) ? numberFromText(text.replace('+', '')) : undefined;
  if (!isInt64(value))
    throw badRequest(`${parameter} ${JSON.stringify(text.slice(0, 64))} is not an integer`);
  return value;
}

function propagationErrors(policy: string | undefined, orphanDependents: boolean | undefined): FieldError[] {
  if (policy === undefined || policy === '') return [];
  if (orphanDependents !== undefined) {
    const detail = 'orphanDependents and propagationPolicy cannot be both set';
    return [invalidField('propagationPolicy', policy, detail)];
  }
  if (policies.includes(policy)) return [];
  return [notSupportedField('propagationPolicy', policy, [...policies, 'nil'])];
}
