import type { KindRules } from '../../definitions/kind-rules.ts';
import type { Node } from '../../generated/core/v1.ts';
import { nodeCells, nodeColumns } from './node-printing.ts';
import { nodeCreateErrors, nodeErrors, nodeUpdateErrors } from './node-validation.ts';

/** The rules of Node objects; a node registers itself including its status. */
export const nodeRules: KindRules<Node> = {
  statusAtCreation: true,
  // These fields configured node agents in older releases; stored objects keep them.
  gatedFields: [{ paths: ['spec.configSource'] }, { paths: ['status.config'] }],
  applyDefaults(object) {
    keepPodRangesTogether(object);
    const status = object.status;
    if (status && status.allocatable === undefined && status.capacity !== undefined)
      status.allocatable = { ...status.capacity };
  },
  validate: nodeErrors,
  validateCreate: nodeCreateErrors,
  validateUpdate: nodeUpdateErrors,
  warnings: ({ spec = {} }) => [
    ...(spec.configSource === undefined ? [] : ['spec.configSource: the feature was removed']),
    ...((spec.externalID ?? '') === '' ? [] : ['spec.externalID: deprecated, and without any use']),
  ],
  selectableFieldNames: ['spec.unschedulable'],
  selectableFields: object => ({
    'spec.unschedulable': String(object.spec?.unschedulable === true),
  }),
  columns: nodeColumns,
  cells: nodeCells,
};

/** Aligns podCIDR, which is the first of podCIDRs; old clients only set podCIDR. */
function keepPodRangesTogether(object: Node): void {
  const spec = object.spec ?? {};
  const single = spec.podCIDR ?? '';
  const ranges = spec.podCIDRs ?? [];
  if (single !== '' && ranges[0] !== single) spec.podCIDRs = [single];
  else if (ranges[0] !== undefined) spec.podCIDR = ranges[0];
}
