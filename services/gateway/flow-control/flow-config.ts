import type { ApiObject } from '@binnacle/api-objects';
import { mandatoryFlowSchemas, mandatoryPriorityLevels } from '@binnacle/api-types';
import {
  type FlowSchema,
  flowSchemaFrom,
  flowSchemaOfSpec,
  inMatchingOrder,
} from './classification/flow-schema.ts';
import { type LevelConfig, levelConfigFrom, levelConfigOfSpec } from './priority-levels/level-config.ts';

/** The configuration of flow control. */
export interface FlowConfig {
  /** In matching order; their levels need not exist. */
  readonly schemas: readonly FlowSchema[];
  readonly levels: readonly LevelConfig[];
}

/** The configuration that stored objects give, with the mandatory ones that are not among them. */
export function flowConfigFrom(schemas: readonly ApiObject[], levels: readonly ApiObject[]): FlowConfig {
  return {
    schemas: inMatchingOrder(
      withMandatory(schemas.map(flowSchemaFrom), mandatoryFlowSchemas, flowSchemaOfSpec),
    ),
    levels: withMandatory(levels.map(levelConfigFrom), mandatoryPriorityLevels, levelConfigOfSpec),
  };
}

/** Adds the mandatory objects; a mandatory specification replaces another one that is stored. */
function withMandatory<T extends { readonly name: string; readonly uid: string }, Spec>(
  stored: readonly T[],
  mandatory: Readonly<Record<string, Spec>>,
  fromSpec: (name: string, spec: Spec) => T,
): T[] {
  const fixed = Object.entries(mandatory).map(([name, spec]) => {
    const uid = stored.find(other => other.name === name)?.uid ?? '';
    return { ...fromSpec(name, spec), uid };
  });
  return [...fixed, ...stored.filter(({ name }) => !Object.hasOwn(mandatory, name))];
}
