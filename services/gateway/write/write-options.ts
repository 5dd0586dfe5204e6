import { groups } from '@binnacle/api-names';
import {
  causeFromFieldError,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidField,
  isInt64,
  type JsonObject,
  notSupportedField,
  numberFromText,
  requiredField,
  validateFieldManager,
} from '@binnacle/api-objects';
import type { DeleteOptions as SentOptions } from '@binnacle/api-types/meta/v1';
import { decodeOptions, type FieldValidation } from '@binnacle/codecs';
import { BoundedMap } from '@binnacle/event-loop';
import { badRequest, invalid } from '@binnacle/status-errors';
import type { ApiRequest } from '../request/api-request.ts';
import type { PropagationPolicy } from './engine/deletion-decision.ts';

/** The kinds of options that a write takes from its query. */
export type WriteOptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/** Options of a write apart from its object (spec 1, "Query parameters"). */
export interface WriteOptions {
  /** Everything happens except the write to the store. */
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** The options as JSON for admission. */
  readonly json: string;
}

const fieldValidations: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];

/** Options of an apply apart from the configuration. */
interface ApplyOptions extends WriteOptions {
  /** Fields of other managers are taken instead of being a conflict. */
  readonly force: boolean;
  /** Returns the same options for a creation, where there is no object to update. */
  create(): WriteOptions;
}

/** Reads the options of a write from its query; throws Invalid (422) naming the parameters that are wrong. */
export function parseWriteOptions(query: URLSearchParams, kind: WriteOptionsKind): WriteOptions {
  const errors =
    kind === 'PatchOptions' && query.has('force')
      ? [forbiddenField('force', 'may not be specified for non-apply patch')]
      : [];
  return checkedOptions(query, kind, errors);
}

/** Reads the options of an apply as `parseWriteOptions` does; a field manager is required. */
export function parseApplyOptions(query: URLSearchParams): ApplyOptions {
  const manager = query.get('fieldManager') ?? '';
  const errors = manager === '' ? [requiredField('fieldManager', 'is required for apply patch')] : [];
  return {
    ...checkedOptions(query, 'PatchOptions', errors),
    force: isTrue(query.get('force')),
    create: () => checkedOptions(query, 'CreateOptions', []),
  };
}

/** Whether a parameter is true: any text but 0 and false is, as for other boolean parameters. */
function isTrue(parameter: string | null): boolean {
  return parameter !== null && parameter !== '' && parameter !== '0' && parameter.toLowerCase() !== 'false';
}

function checkedOptions(
  query: URLSearchParams,
  kind: WriteOptionsKind,
  ownErrors: readonly FieldError[],
): WriteOptions {
  const dryRun = query.size === 0 ? noValues : dryRunValues(query);
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  // Valid parameters contain no line end, so that no others have their key.
  const key = query.size === 0 ? kind : `${kind}\n${fieldValidation}\n${fieldManager}`;
  const isPlain = dryRun.length === 0 && ownErrors.length === 0;
  const known = isPlain ? knownOptions.get(key) : undefined;
  if (known !== undefined) return known;
  const errors = [...dryRunErrors(dryRun), ...ownErrors];
  if (fieldManager !== '') errors.push(...validateFieldManager(fieldManager, fieldPath('fieldManager')));
  if (!fieldValidations.includes(fieldValidation))
    errors.push(notSupportedField('fieldValidation', fieldValidation, fieldValidations));
  if (errors.length > 0) throw invalidOptions(kind, errors);
  const isDryRun = dryRun.length > 0;
  const options = {
    dryRun: isDryRun,
    // One of the values above; the empty one stands for the default.
    fieldValidation: (fieldValidation || 'Warn') as FieldValidation,
    json: createOptionsJson(kind, { isDryRun, fieldManager, fieldValidation }),
  };
  if (isPlain) knownOptions.set(key, options);
  return options;
}

/** Valid options without a dry run, by their kind and parameters: clients send the same ones with all their writes. */
const knownOptions = new BoundedMap<string, WriteOptions>(1000);
const noValues: readonly string[] = [];

interface SentWriteOptions {
  readonly isDryRun: boolean;
  /** '' when it was not sent, as for `fieldValidation`. */
  readonly fieldManager: string;
  readonly fieldValidation: string;
}

function createOptionsJson(
  kind: WriteOptionsKind,
  { isDryRun, fieldManager, fieldValidation }: SentWriteOptions,
): string {
  // A patch is an update to admission.
  return optionsJson(kind === 'PatchOptions' ? 'UpdateOptions' : kind, {
    ...(isDryRun ? { dryRun: ['All'] } : {}),
    ...(fieldManager === '' ? {} : { fieldManager }),
    ...(fieldValidation === '' ? {} : { fieldValidation }),
  });
}

/** The dryRun values of a query without empty ones, which mean a normal request (spec 1, "Dry-run"). */
function dryRunValues(query: URLSearchParams): string[] {
  return query.getAll('dryRun').filter(value => value !== '');
}

/** Checks dryRun values: only `All` is allowed. */
function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every(value => value === 'All') ? [] : [notSupportedField('dryRun', values, ['All'])];
}

/** 422 for options that break their rules. */
function invalidOptions(kind: string, errors: readonly FieldError[]) {
  return invalid({ group: groups.meta, kind }, '', errors.map(causeFromFieldError));
}

/** The JSON of options as admission and webhooks see them. */
function optionsJson(kind: string, fields: JsonObject): string {
  return JSON.stringify({ kind, apiVersion: `${groups.meta}/v1`, ...fields });
}

/** Options of a deletion (spec 1, "Query parameters" and DeleteOptions). */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly propagationPolicy: PropagationPolicy | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly gracePeriodSeconds: number | bigint | undefined;
  /** The identity that the object must have for the deletion to happen. */
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** The options as JSON for admission. */
  readonly json: string;
}

const policies: readonly string[] = ['Orphan', 'Background', 'Foreground'];

/**
 * Reads the options of a deletion from the body, or from the query when there is no body.
 *
 * Throws Invalid (422) for values that break the rules, BadRequest for options that cannot be read.
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
