import { groups } from '@binnacle/api-names';
import {
  causeFromFieldError,
  type FieldError,
  fieldPath,
  forbiddenField,
  type JsonObject,
  notSupportedField,
  requiredField,
  validateFieldManager,
} from '@binnacle/api-objects';
import type { FieldValidation } from '@binnacle/codecs';
import { invalid } from '@binnacle/status-errors';

/** The kinds of options that a write takes from its query. */
export type WriteOptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

/** What a client asked of a write apart from its object (spec 1, "Query parameters"). */
export interface WriteOptions {
  /** Everything happens except the write to the store. */
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  /** The options as JSON for admission. */
  readonly json: string;
}

const fieldValidations: readonly string[] = ['', 'Ignore', 'Strict', 'Warn'];

/** What a client asked of an apply apart from the configuration. */
export interface ApplyOptions extends WriteOptions {
  /** Fields of other managers are taken instead of being a conflict. */
  readonly force: boolean;
  /** The same for a creation, where there is nothing to update. */
  readonly create: WriteOptions;
}

/** Reads the options of a write from its query; throws Invalid (422) naming the parameters that are wrong. */
export function parseWriteOptions(query: URLSearchParams, kind: WriteOptionsKind): WriteOptions {
  const errors =
    kind === 'PatchOptions' && query.has('force')
      ? [forbiddenField('force', 'may not be specified for non-apply patch')]
      : [];
  return checkedOptions(query, kind, errors);
}

/** Reads the options of an apply as `parseWriteOptions` does; it cannot do without a field manager. */
export function parseApplyOptions(query: URLSearchParams): ApplyOptions {
  const manager = query.get('fieldManager') ?? '';
  const errors = manager === '' ? [requiredField('fieldManager', 'is required for apply patch')] : [];
  return {
    ...checkedOptions(query, 'PatchOptions', errors),
    force: isTrue(query.get('force')),
    create: checkedOptions(query, 'CreateOptions', []),
  };
}

/** What is neither 0 nor false says yes, as for the other parameters of that kind. */
function isTrue(parameter: string | null): boolean {
  return parameter !== null && parameter !== '' && parameter !== '0' && parameter.toLowerCase() !== 'false';
}

function checkedOptions(
  query: URLSearchParams,
  kind: WriteOptionsKind,
  ownErrors: readonly FieldError[],
): WriteOptions {
  const dryRun = dryRunValues(query);
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const errors = [
    ...dryRunErrors(dryRun),
    ...ownErrors,
    ...validateFieldManager(fieldManager, fieldPath('fieldManager')),
    ...(fieldValidations.includes(fieldValidation)
      ? []
      : [notSupportedField('fieldValidation', fieldValidation, fieldValidations)]),
  ];
  if (errors.length > 0) throw invalidOptions(kind, errors);
  // A patch is an update to admission.
  const json = optionsJson(kind === 'PatchOptions' ? 'UpdateOptions' : kind, {
    ...(dryRun.length > 0 ? { dryRun: ['All'] } : {}),
    ...(fieldManager === '' ? {} : { fieldManager }),
    ...(fieldValidation === '' ? {} : { fieldValidation }),
  });
  // One of the values above; the empty one stands for the default.
  return { dryRun: dryRun.length > 0, fieldValidation: (fieldValidation || 'Warn') as FieldValidation, json };
}

/** The dryRun values of a query; an empty one asks for a normal request (spec 1, "Dry-run") and does not count. */
export function dryRunValues(query: URLSearchParams): string[] {
  return query.getAll('dryRun').filter(value => value !== '');
}

/** Checks dryRun values: `All` is the only one there is. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every(value => value === 'All') ? [] : [notSupportedField('dryRun', values, ['All'])];
}

/** 422 for options that break their rules. */
export function invalidOptions(kind: string, errors: readonly FieldError[]) {
  return invalid({ group: groups.meta, kind }, '', errors.map(causeFromFieldError));
}

/** The JSON of options as admission and webhooks see them. */
export function optionsJson(kind: string, fields: JsonObject): string {
  return JSON.stringify({ kind, apiVersion: `${groups.meta}/v1`, ...fields });
}
