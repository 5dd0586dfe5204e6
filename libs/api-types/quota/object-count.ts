import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import { onePiece } from './usage.ts';
import type { UsageEvaluator } from './usage-evaluator.ts';

/** The core types that can be counted by their bare name too. */
const bareNames = new Set(['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets']);

/** The fields of a definition that name its type. */
type NamedType = Pick<ResourceDefinition, 'group' | 'resource' | 'storage'>;

/** The name under which the objects of a type are counted: `count/deployments.apps`, `count/pods`. */
function countName(definition: NamedType): string {
  const { group, resource } = definition.storage ?? definition;
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`;
}

/** The evaluator of types whose objects are counted and nothing else; no scope has them. */
export function objectCountEvaluator(definition: NamedType): UsageEvaluator {
  const { group, resource } = definition.storage ?? definition;
  const names = [countName(definition)];
  if (group === '' && bareNames.has(resource)) names.push(resource);
  const usage = new Map(names.map(name => [name, onePiece]));
  return {
    counts: name => usage.has(name),
    usageOf: () => usage,
    isInScope: () => false,
    unsaid: () => '',
    limitsUpdates: false,
  };
}
