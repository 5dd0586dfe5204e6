import { equalJson, type FieldError, fieldPath, invalidField, type JsonObject } from '@binnacle/api-objects';

const everything = {
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
  ],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

const groupSubject = (name: string) => ({ kind: 'Group', group: { name } });

/** Flow schemas with a fixed spec: for administrators, and for requests that no other schema matches. */
export const mandatoryFlowSchemas: Readonly<Record<string, JsonObject>> = {
  exempt: {
    priorityLevelConfiguration: { name: 'exempt' },
    matchingPrecedence: 1,
    rules: [{ subjects: [groupSubject('system:masters')], ...everything }],
  },
  'catch-all': {
    priorityLevelConfiguration: { name: 'catch-all' },
    matchingPrecedence: 10_000,
    distinguisherMethod: { type: 'ByUser' },
    rules: [
      {
        subjects: [groupSubject('system:unauthenticated'), groupSubject('system:authenticated')],
        ...everything,
      },
    ],
  },
};

/** Priority levels with a fixed spec. */
export const mandatoryPriorityLevels: Readonly<Record<string, JsonObject>> = {
  exempt: { type: 'Exempt' },
  'catch-all': {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: 'Reject' } },
  },
};

/** Validates that an object with a fixed spec has it. */
export function mandatoryErrors(
  name: string,
  spec: JsonObject,
  mandatory: Readonly<Record<string, JsonObject>>,
): FieldError[] {
  const fixed = Object.hasOwn(mandatory, name) ? mandatory[name] : undefined;
  if (fixed === undefined || equalJson(spec, fixed)) return [];
  return [invalidField(fieldPath('spec'), spec, `the specification of ${name} is fixed`)];
}
