import { type ApiObject, formatApiVersion, type JsonObject, parseApiVersion } from '@binnacle/api-objects';
import type { ResourceDefinition, TypeRegistry } from '@binnacle/api-types';
import type { CallContext } from '@binnacle/proto';
import { type ShownNames, shownObject } from '../../chain/shown-names.ts';
import type { ObjectSource, SeenObject } from '../../sources/objects.ts';
import type { ConvertObjects } from '../webhooks/convert-objects.ts';

/** The kind of the parameters of a policy. */
export interface ParameterKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The reference of a binding to the parameter object of its policy. */
export interface ParameterReference {
  /** '' for objects of cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
}

/** The error for a missing parameter object or kind; the message names it. */
export class ParameterMissing extends Error {}

/**
 * Finds the parameter object of a binding, in the apiVersion that the policy names and in the names of the policy's author. Throws
 * ParameterMissing.
 */
export type FindParameter = (
  kind: ParameterKind,
  reference: ParameterReference,
  asked: { readonly names: ShownNames; readonly call: CallContext },
) => Promise<JsonObject>;

/** Options of the look-up of parameters. */
interface ParameterOptions {
  readonly objects: Pick<ObjectSource, 'reader'>;
  readonly registry: Pick<TypeRegistry, 'kind' | 'canonicalGroup'>;
  readonly convert: ConvertObjects;
}

const parsedSlot = Symbol('parsed parameter');

/** Creates a finder on objects of any type. */
export function createFindParameter({ objects, registry, convert }: ParameterOptions): FindParameter {
  const findDefinition = (apiVersion: string, kind: string): ResourceDefinition | undefined => {
    const { group, version } = parseApiVersion(apiVersion);
    return registry.kind(registry.canonicalGroup(group), version, kind);
  };
  const inVersion = async (
    object: ApiObject,
    definition: ResourceDefinition,
    call: CallContext,
  ): Promise<ApiObject> => {
    if (object.apiVersion === formatApiVersion(definition)) return object;
    const stored = findDefinition(object.apiVersion, object.kind) ?? definition.storage ?? definition;
    const [converted] = await convert([object], { from: stored, to: definition }, call);
    return converted ?? object;
  };
  return async ({ apiVersion, kind }, { namespace, name }, { names, call }) => {
    const definition = findDefinition(apiVersion, kind);
    if (definition === undefined) throw new ParameterMissing(`there is no kind ${kind} in ${apiVersion}`);
    const found = await find(objects, definition, { namespace, name }, call);
    if (found === undefined) throw new ParameterMissing(`${name} not found`);
    const stored = found.derived(parsedSlot, seen => seen.parse());
    const object = await inVersion(stored, definition, call);
    const shown = shownObject(object, definition.rules.aliasNames, names);
    // Objects of the API are JSON.
    return { ...shown, apiVersion } as JsonObject;
  };
}

/** Finds the parameter object; the reference must have a namespace exactly where the kind is namespaced. */
async function find(
  objects: ParameterOptions['objects'],
  definition: ResourceDefinition,
  { namespace, name }: ParameterReference,
  call: CallContext,
): Promise<SeenObject | undefined> {
  if (definition.namespaced !== (namespace !== '')) return undefined;
  return objects.reader(definition).find(namespace, name, call);
}
