import {
  type ApiObject,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  type JsonObject,
  validateDnsLabel,
  validateLabels,
} from '@binnacle/api-objects';
import { textMap } from '../core/pod-validation.ts';
import { computeAmountErrors } from '../core/resource-amount-validation.ts';
import { tolerationErrors } from '../core/toleration-validation.ts';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asObject, asObjects, asText } from '../values/json-access.ts';
import { isRepeated } from '../values/repeated-values.ts';

/** The rules of RuntimeClass objects: the handler stays as created. */
export const runtimeClassRules: KindRules = {
  unconditionalUpdate: false,
  validate,
  validateUpdate: (object, old) =>
    equalJson(object['handler'] ?? null, old['handler'] ?? null)
      ? []
      : [invalidField('handler', object['handler'] ?? null, 'field is immutable')],
  columns: [nameColumn, column('Handler', 'What runs the containers.'), ageColumn],
  cells: (object, now) => [nameOf(object), asText(object['handler']), ageOf(object, now)],
};

function validate(object: ApiObject): FieldError[] {
  const handler = asText(object['handler']);
  const overhead = asObject(asObject(object['overhead'])?.['podFixed']);
  const scheduling = asObject(object['scheduling']);
  return [
    ...validateDnsLabel(handler).map(message => invalidField('handler', handler, message)),
    ...(overhead ? computeAmountErrors(overhead, fieldPath('overhead', 'podFixed')) : []),
    ...(scheduling ? schedulingErrors(scheduling, fieldPath('scheduling')) : []),
  ];
}

function schedulingErrors(scheduling: JsonObject, path: FieldPath): FieldError[] {
  const tolerations = asObjects(scheduling['tolerations']);
  const texts = tolerations.map(textOf);
  return [
    ...validateLabels(textMap(scheduling['nodeSelector']), path.child('nodeSelector')),
    ...tolerations.flatMap((toleration, index) => {
      const at = path.child('tolerations').index(index);
      return [
        ...tolerationErrors(toleration, at),
        ...(isRepeated(texts, index) ? [invalidField(at, toleration, 'is given twice')] : []),
      ];
    }),
  ];
}

/** The same text for equal tolerations, whatever the order of their members. */
function textOf(toleration: JsonObject): string {
  return JSON.stringify(Object.entries(toleration).sort(([a], [b]) => (a < b ? -1 : 1)));
}
