import {
  duplicateField,
  equalJson,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidField,
  validateDnsLabel,
  validateLabels,
} from '@binnacle/api-objects';
import { labelMapWarnings } from '../core/node/deprecated-labels.ts';
import { tolerationErrors } from '../core/pod/toleration-validation.ts';
import { overheadErrors } from '../core/resource-amounts/resource-amount-validation.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { Toleration } from '../generated/core/v1.ts';
import type { RuntimeClass, Scheduling } from '../generated/node/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { isRepeated } from '../values/repeated-values.ts';

/** The rules of RuntimeClass objects: the handler is immutable. */
export const runtimeClassRules: KindRules<RuntimeClass> = {
  unconditionalUpdate: false,
  validate,
  validateUpdate: (object, old) =>
    equalJson(object.handler ?? null, old.handler ?? null)
      ? []
      : [invalidField('handler', object.handler ?? null, 'field is immutable')],
  warnings: ({ scheduling }) => labelMapWarnings(scheduling?.nodeSelector, 'scheduling.nodeSelector'),
  columns: [nameColumn, column('Handler', 'The handler that runs the containers.'), ageColumn],
  cells: (object, now) => [nameCell(object), object.handler ?? '', ageCell(object, now)],
};

function validate(object: RuntimeClass): FieldError[] {
  const handler = object.handler ?? '';
  const overhead = object.overhead?.podFixed;
  const { scheduling } = object;
  return [
    ...validateDnsLabel(handler).map(message => invalidField('handler', handler, message)),
    ...(overhead ? overheadErrors(overhead, fieldPath('overhead')) : []),
    ...(scheduling ? schedulingErrors(scheduling, fieldPath('scheduling')) : []),
  ];
}

function schedulingErrors(scheduling: Scheduling, path: FieldPath): FieldError[] {
  const tolerations = scheduling.tolerations ?? [];
  const identities = tolerations.map(identityFrom);
  return [
    ...validateLabels(scheduling.nodeSelector ?? {}, path.child('nodeSelector')),
    ...tolerations.flatMap((toleration, index) => {
      const at = path.child('tolerations').index(index);
      return [
        ...tolerationErrors(toleration, at),
        ...(isRepeated(identities, index) ? [duplicateField(at, { ...toleration })] : []),
      ];
    }),
  ];
}

/** Returns the identity of a toleration, without tolerationSeconds. */
function identityFrom({ key, operator, value, effect }: Toleration): string {
  return JSON.stringify([key, operator, value, effect].map(member => member ?? ''));
}
