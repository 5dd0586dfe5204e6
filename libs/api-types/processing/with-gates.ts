import type { ApiGateStates, ApiObject } from '@binnacle/api-objects';
import type { ConditionalRules, DisabledFields } from '../definitions/gated-rules.ts';
import type { KindRules } from '../definitions/kind-rules.ts';
import type { ResourceDefinition } from '../definitions/resource-definition.ts';
import { disabledFieldsFrom } from './disabled-fields.ts';

/** The conditions of gated fields and rules. */
export interface RuleConditions {
  readonly gates: ApiGateStates;
  /** Whether containers may be privileged. */
  readonly allowPrivileged: boolean;
}

/** Returns a definition under the given conditions: its rules, and the dropped fields. */
export function withGates(definition: ResourceDefinition, conditions: RuleConditions): ResourceDefinition {
  const { gates, allowPrivileged } = conditions;
  const { gatedFields = [], gatedRules = [] } = definition.rules;
  if (gatedFields.length === 0 && gatedRules.length === 0) return definition;
  const conditional = gatedRules.flatMap(({ gate, on, off }) => {
    const isOn = gate === 'allowPrivileged' ? allowPrivileged : gates.isEnabled(gate);
    return (isOn ? on : off) ?? [];
  });
  const fields = disabledFieldsFrom(
    gatedFields.filter(({ gate }) => gate === undefined || !gates.isEnabled(gate)),
  );
  const disabledFields = conditional.reduce(withFurther, fields);
  return {
    ...definition,
    rules: conditional.reduce(withConditional, definition.rules),
    ...(disabledFields && { disabledFields }),
  };
}

/** Combines disabled fields with a rule that drops further ones. */
function withFurther(
  fields: DisabledFields | undefined,
  { dropFields }: ConditionalRules<ApiObject>,
): DisabledFields | undefined {
  if (dropFields === undefined) return fields;
  return {
    areIn: () => true,
    drop(object, old) {
      fields?.drop(object, old);
      dropFields(object, old);
    },
  };
}

/** Appends conditional rules to the rules of the same names. */
function withConditional(rules: KindRules, further: ConditionalRules<ApiObject>): KindRules {
  const { applyDefaults, prepareForCreate, prepareForUpdate, prepareForEviction } = further;
  const { validateCreate, validateUpdate } = further;
  return {
    ...rules,
    ...(applyDefaults && {
      applyDefaults(object) {
        rules.applyDefaults?.(object);
        applyDefaults(object);
      },
    }),
    ...(prepareForCreate && {
      prepareForCreate(object) {
        rules.prepareForCreate?.(object);
        prepareForCreate(object);
      },
    }),
    ...(prepareForUpdate && {
      prepareForUpdate(object, old, subresource) {
        rules.prepareForUpdate?.(object, old, subresource);
        prepareForUpdate(object, old, subresource);
      },
    }),
    ...(prepareForEviction && {
      prepareForEviction(object, now) {
        rules.prepareForEviction?.(object, now);
        prepareForEviction(object, now);
      },
    }),
    ...(validateCreate && {
      validateCreate: object => [...(rules.validateCreate?.(object) ?? []), ...validateCreate(object)],
    }),
    ...(validateUpdate && {
      validateUpdate: (object, old, subresource) => [
        ...(rules.validateUpdate?.(object, old, subresource) ?? []),
        ...validateUpdate(object, old, subresource),
      ],
    }),
  };
}
