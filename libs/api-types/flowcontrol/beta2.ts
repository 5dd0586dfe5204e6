import { type ApiObject, copyJson, type FieldError, type JsonObject } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/kind-rules.ts';
import { asObject } from '../values/json-access.ts';
import { flowSchemaRules } from './flow-schema.ts';
import { priorityLevelConfigurationRules } from './priority-level-configuration.ts';
import { priorityLevelErrors } from './priority-level-validation.ts';

const sharesNow = 'nominalConcurrencyShares';
const sharesBefore = 'assuredConcurrencyShares';

/** The rules of FlowSchema objects of v1beta2, which only differ from the stored ones in their version. */
export const flowSchemaBeta2Rules: KindRules = flowSchemaRules;

/** The rules of PriorityLevelConfiguration objects of v1beta2, in which shares have another name. */
export const priorityLevelConfigurationBeta2Rules: KindRules = {
  ...priorityLevelConfigurationRules,
  validate: object => priorityLevelErrors(inStoredForm(object)).map(inOwnNames),
  cells: (object, now) => priorityLevelConfigurationRules.cells?.(inStoredForm(object), now) ?? [],
  conversion: {
    toStorage: object => rename(object, sharesBefore, sharesNow),
    fromStorage: object => rename(object, sharesNow, sharesBefore),
  },
};

function inStoredForm(object: ApiObject): ApiObject {
  const copy = copyJson(object as JsonObject) as ApiObject; // The copy of an object is an object.
  rename(copy, sharesBefore, sharesNow);
  return copy;
}

function inOwnNames(error: FieldError): FieldError {
  return { ...error, field: error.field.replace(sharesNow, sharesBefore) };
}

function rename(object: ApiObject, from: string, to: string): void {
  const limited = asObject(asObject(object['spec'])?.['limited']);
  if (limited?.[from] === undefined) return;
  limited[to] = limited[from];
  delete limited[from];
}
