import { type ApiObject, copyJson, equalJson, type JsonValue } from '@binnacle/api-objects';
import { applyPodTemplateDefaults } from '../core/pod-template-defaults.ts';
import { containerCells, selectorCell, templateColumns } from '../core/pod-template-printing.ts';
import { specOf } from '../core/service-facts.ts';
import type { KindRules } from '../definitions/definitions.ts';
import { ageColumn, ageOf, column, nameColumn, nameOf } from '../printing/columns.ts';
import { asNumber, ensureObject } from '../values/json-access.ts';
import { deploymentErrors, deploymentStatusErrors } from './deployment-validation.ts';
import { observedOf, selectorChangeErrors } from './workload-validation.ts';

/** The rules of Deployment objects. */
export const deploymentRules: KindRules = {
  generation: true,
  applyDefaults: applyDeploymentDefaults,
  prepareForUpdate,
  validate: deploymentErrors,
  validateUpdate: (object, old, subresource) =>
    subresource === 'status' ? deploymentStatusErrors(object, old) : selectorChangeErrors(object, old),
  columns: [
    nameColumn,
    column('Ready', 'How many pods are ready, of how many.'),
    column('Up-to-date', 'How many pods are of the newest template.'),
    column('Available', 'How many pods have been ready for long enough.'),
    ageColumn,
    ...templateColumns,
  ],
  cells,
};

function applyDeploymentDefaults(object: ApiObject): void {
  const spec = specOf(object);
  applyPodTemplateDefaults(spec['template']);
  const strategy = ensureObject(spec, 'strategy');
  if (strategy['type'] !== 'RollingUpdate') return;
  const rollingUpdate = ensureObject(strategy, 'rollingUpdate');
  rollingUpdate['maxUnavailable'] ??= '25%';
  rollingUpdate['maxSurge'] ??= '25%';
}

/** Annotations are handed down to replica sets, so that a change of one counts as a change of the specification. */
function prepareForUpdate(object: ApiObject, old: ApiObject, subresource: string): void {
  const { metadata } = object;
  if (subresource === 'status') {
    if (old.metadata.labels === undefined) delete metadata.labels;
    else metadata.labels = copyJson(old.metadata.labels);
  } else if (!equalJson(metadata.annotations ?? {}, old.metadata.annotations ?? {})) {
    metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
}

function cells(object: ApiObject, now: number): JsonValue[] {
  const spec = specOf(object);
  const status = observedOf(object);
  return [
    nameOf(object),
    `${asNumber(status['readyReplicas'])}/${asNumber(spec['replicas'])}`,
    asNumber(status['updatedReplicas']),
    asNumber(status['availableReplicas']),
    ageOf(object, now),
    ...containerCells(spec['template']),
    selectorCell(spec['selector']),
  ];
}
