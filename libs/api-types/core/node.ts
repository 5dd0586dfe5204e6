import type { ApiObject } from '@binnacle/api-objects';
import type { KindRules } from '../definitions/definitions.ts';
import { asObject, asText, asTexts } from '../values/json-access.ts';
import { nodeCells, nodeColumns } from './node-printing.ts';
import { nodeErrors, nodeUpdateErrors } from './node-validation.ts';
import { specOf } from './service-facts.ts';

/** The rules of Node objects; a node registers itself with its status. */
export const nodeRules: KindRules = {
  statusAtCreation: true,
  applyDefaults(object) {
    keepPodRangesTogether(object);
    const status = asObject(object['status']);
    if (status && status['allocatable'] === undefined && status['capacity'] !== undefined)
      status['allocatable'] = { ...asObject(status['capacity']) };
  },
  validate: nodeErrors,
  validateUpdate: nodeUpdateErrors,
  selectableFieldNames: ['spec.unschedulable'],
  selectableFields: object => ({
    'spec.unschedulable': String(specOf(object)['unschedulable'] === true),
  }),
  columns: nodeColumns,
  cells: nodeCells,
};

/** podCIDR is the first of podCIDRs; an old client sets only the one. */
function keepPodRangesTogether(object: ApiObject): void {
  const spec = specOf(object);
  const single = asText(spec['podCIDR']);
  const ranges = asTexts(spec['podCIDRs']);
  if (single !== '' && ranges[0] !== single) spec['podCIDRs'] = [single];
  else if (ranges[0] !== undefined) spec['podCIDR'] = ranges[0];
}
