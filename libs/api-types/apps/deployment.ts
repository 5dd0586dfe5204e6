import { copyJson, equalJson, type JsonValue, nextGeneration } from '@binnacle/api-objects';
import { gatedPodFields } from '../core/pod/gated-pod-fields.ts';
import { gatedPodRules } from '../core/pod/gated-pod-rules.ts';
import { changedTemplateWarnings, podWarnings } from '../core/pod/pod-warnings.ts';
import { applyPodTemplateDefaults } from '../core/pod-template/pod-template-defaults.ts';
import { containerCells, selectorCell, templateColumns } from '../core/pod-template/pod-template-printing.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { Deployment } from '../generated/apps/v1.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../printing/columns.ts';
import { deploymentErrors, deploymentStatusErrors } from './deployment-validation.ts';
import { selectorChangeErrors } from './workload-validation.ts';

/** The rules of Deployment objects. */
export const deploymentRules: KindRules<Deployment> = {
  generation: true,
  gatedFields: gatedPodFields('spec.template'),
  gatedRules: gatedPodRules('spec.template'),
  applyDefaults: applyDeploymentDefaults,
  resetFields: subresource => (subresource === 'status' ? [['metadata', 'labels']] : []),
  prepareForUpdate,
  validate: deploymentErrors,
  validateUpdate: (object, old, subresource) =>
    subresource === 'status' ? deploymentStatusErrors(object, old) : selectorChangeErrors(object, old),
  warnings: (object, old) =>
    changedTemplateWarnings(object, old, () => podWarnings(object.spec?.template ?? {}, 'spec.template')),
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

function applyDeploymentDefaults(object: Deployment): void {
  const spec = object.spec ?? {};
  applyPodTemplateDefaults(spec.template);
  spec.strategy ??= {};
  const { strategy } = spec;
  if (strategy.type !== 'RollingUpdate') return;
  strategy.rollingUpdate ??= {};
  strategy.rollingUpdate.maxUnavailable ??= '25%';
  strategy.rollingUpdate.maxSurge ??= '25%';
}

/** A change of annotations increments the generation, because annotations are copied to replica sets. */
function prepareForUpdate(object: Deployment, old: Deployment, subresource: string): void {
  const { metadata } = object;
  if (subresource === 'status') {
    if (old.metadata.labels === undefined) delete metadata.labels;
    else metadata.labels = copyJson(old.metadata.labels);
  } else if (!equalJson(metadata.annotations ?? {}, old.metadata.annotations ?? {})) {
    metadata.generation = nextGeneration(old.metadata.generation);
  }
}

function cells(object: Deployment, now: number): JsonValue[] {
  const spec = object.spec ?? {};
  const status = object.status ?? {};
  return [
    nameCell(object),
    `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    status.updatedReplicas ?? 0,
    status.availableReplicas ?? 0,
    ageCell(object, now),
    ...containerCells(spec.template),
    selectorCell(spec.selector),
  ];
}
