import { copyJson, type JsonObject } from '@binnacle/api-objects';
import {
  type CustomDefinition,
  createTypeRegistry,
  type DefinitionCondition,
  type DefinitionNames,
  setCondition,
} from '@binnacle/api-types';

/** The used names of a group: those of resources, and those of kinds. */
interface TakenNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** Collects the names of the built-in types of a group and of its other definitions. */
export function takenNames(group: string, others: Iterable<DefinitionNames>): TakenNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  const take = ({ plural, singular, shortNames, kind, listKind }: DefinitionNames): void => {
    for (const name of [plural, singular, ...shortNames]) if (name !== '') resources.add(name);
    for (const name of [kind, listKind]) if (name !== '') kinds.add(name);
  };
  for (const type of createTypeRegistry({ everyVersion: true }).resources)
    if (type.group === group) take({ ...type, plural: type.resource });
  for (const names of others) take(names);
  return { resources, kinds };
}

/**
 * Creates the status of a definition with the decision on its names: unused names are accepted, and when all are, the definition is
 * established permanently. It keeps names that were accepted before. `status` is not changed.
 */
export function statusWithNames(
  status: JsonObject,
  definition: CustomDefinition,
  { taken, now }: { readonly taken: TakenNames; readonly now: number },
): JsonObject {
  const { names, acceptedNames: before, established } = definition;
  const resources = (wanted: string) => isFree(wanted, taken.resources);
  const kinds = (wanted: string) => isFree(wanted, taken.kinds);
  const accepted: JsonObject = {
    plural: resources(names.plural) ? names.plural : before.plural,
    ...textUnlessEmpty('singular', resources(names.singular) ? names.singular : before.singular),
    ...listUnlessEmpty(
      'shortNames',
      names.shortNames.every(resources) ? names.shortNames : before.shortNames,
    ),
    kind: kinds(names.kind) ? names.kind : before.kind,
    ...textUnlessEmpty('listKind', kinds(names.listKind) ? names.listKind : before.listKind),
    ...listUnlessEmpty('categories', names.categories),
  };
  const next = copyJson(status);
  next['acceptedNames'] = accepted;
  const namesAccepted = namesCondition(names, taken);
  setCondition(next, now, namesAccepted);
  if (!established) setCondition(next, now, establishedCondition(namesAccepted.status === 'True'));
  return next;
}

/** Creates the condition about names; of several conflicts it reports the last, as Kubernetes does. */
function namesCondition(names: DefinitionNames, { resources, kinds }: TakenNames): DefinitionCondition {
  const conflicts: (readonly [reason: string, name: string | undefined])[] = [
    ['PluralConflict', firstTaken([names.plural], resources)],
    ['SingularConflict', firstTaken([names.singular], resources)],
    ['ShortNamesConflict', firstTaken(names.shortNames, resources)],
    ['KindConflict', firstTaken([names.kind], kinds)],
    ['ListKindConflict', firstTaken([names.listKind], kinds)],
  ];
  const conflict = conflicts.findLast(([, name]) => name !== undefined);
  if (conflict === undefined)
    return {
      type: 'NamesAccepted',
      status: 'True',
      reason: 'NoConflicts',
      message: 'Nothing else in the group has these names.',
    };
  const [reason, name] = conflict;
  return {
    type: 'NamesAccepted',
    status: 'False',
    reason,
    message: `${JSON.stringify(name)} is already in use`,
  };
}

function establishedCondition(areNamesAccepted: boolean): DefinitionCondition {
  return areNamesAccepted
    ? {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'The names were accepted; the versions are served.',
      }
    : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'Not all names are accepted.' };
}

function firstTaken(names: readonly string[], taken: ReadonlySet<string>): string | undefined {
  return names.find(name => !isFree(name, taken));
}

function isFree(name: string, taken: ReadonlySet<string>): boolean {
  return !taken.has(name);
}

function textUnlessEmpty(key: string, text: string): JsonObject {
  return text === '' ? {} : { [key]: text };
}

function listUnlessEmpty(key: string, list: readonly string[]): JsonObject {
  return list.length === 0 ? {} : { [key]: [...list] };
}
