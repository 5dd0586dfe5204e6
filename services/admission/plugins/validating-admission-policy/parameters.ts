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

/** Which object a binding gives to its policy. */
export interface ParameterReference {
  /** '' for objects of cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
}

/** A parameter that is not there: the message says what. */
export class ParameterMissing extends Error {}

/**
 * Finds the object that a binding refers to, in the version that its policy names, with the apiVersion that it names that by and the
 * names that its author knows. Throws ParameterMissing.
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

/** A namespace goes with objects of namespaced kinds, and with no others. */
async function find(
  objects: ParameterOptions['objects'],
  definition: ResourceDefinition,
  { namespace, name }: ParameterReference,
  call: CallContext,
): Promise<SeenObject | undefined> {
  if (definition.namespaced !== (namespace !== '')) return undefined;
  return objects.reader(definition).find(namespace, name, call);
}
