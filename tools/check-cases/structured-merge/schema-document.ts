import type { JsonValue } from '@binnacle/api-objects';
import type { TypedSchema } from '@binnacle/server-side-apply';
import {
  type FieldSchema,
  type ListKey,
  type MapSchema,
  type ScalarKind,
  untypedAtomic,
  untypedDeduced,
} from '@binnacle/server-side-apply/testing';

/** A schema as files of cases write it: named types that refer to each other. */
export interface SchemaDocument {
  readonly types: readonly (TypeBody & { readonly name: string })[];
}

/** A type: one written out here, or the name of another, whose relationship may be overridden. */
interface TypeBody {
  readonly namedType?: string;
  readonly elementRelationship?: Relationship;
  readonly scalar?: 'string' | 'numeric' | 'boolean' | 'untyped';
  readonly list?: ListBody;
  readonly map?: MapBody;
}

type Relationship = 'atomic' | 'associative' | 'separable' | 'granular';

interface ListBody {
  readonly elementRelationship?: Relationship;
  readonly elementType: TypeBody;
  readonly keys?: readonly string[];
}

interface MapBody {
  readonly elementRelationship?: Relationship;
  readonly elementType?: TypeBody;
  readonly fields?: readonly {
    readonly name: string;
    readonly type: TypeBody;
    readonly default?: JsonValue;
  }[];
}

/** Finds the schema of a named type. */
export type SchemaOf = (typeName: string) => TypedSchema;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Types that every schema may refer to without declaring them. */
const predeclared: readonly [string, TypedSchema][] = [
  ['__untyped_atomic_', untypedAtomic],
  ['__untyped_deduced_', untypedDeduced],
];

/** Reads a schema document; asking for a type that is not in it throws. */
export function schemasFromDocument(document: SchemaDocument): SchemaOf {
  const bodies = new Map(document.types.map(type => [type.name, type]));
  const built = new Map<string, TypedSchema>(predeclared.filter(([name]) => !bodies.has(name)));

  function bodyNamed(name: string): TypeBody {
    const body = bodies.get(name);
    if (body === undefined) throw new Error(`the schema has no type ${name}`);
    return body;
  }

  function named(name: string): TypedSchema {
    const known = built.get(name);
    if (known !== undefined) return known;
    const schema: Writable<TypedSchema> = {};
    // Types may contain themselves, so the object is known before its content.
    built.set(name, schema);
    return Object.assign(schema, schemaFromContent(bodyNamed(name)));
  }

  function schemaFromType(type: TypeBody): TypedSchema {
    const { namedType, elementRelationship } = type;
    if (namedType !== undefined && elementRelationship === undefined) return named(namedType);
    const body = namedType === undefined ? type : bodyNamed(namedType);
    return schemaFromContent(
      elementRelationship === undefined ? body : overridden(body, elementRelationship),
    );
  }

  function schemaFromContent({ scalar, list, map }: TypeBody): TypedSchema {
    return {
      ...(scalar === undefined ? {} : { scalar: scalarKinds[scalar] }),
      ...(list === undefined ? {} : { list: listFromBody(list) }),
      ...(map === undefined ? {} : { map: mapFromBody(map) }),
    };
  }

  function listFromBody(list: ListBody) {
    const { elementRelationship, elementType, keys = [] } = list;
    const shared = keys.length > 0 ? 'map' : 'set';
    const listType: 'map' | 'set' | 'atomic' = elementRelationship === 'associative' ? shared : 'atomic';
    return { listType, keys: keysFromNames(keys, elementType), element: schemaFromType(elementType) };
  }

  function keysFromNames(keys: readonly string[], element: TypeBody): ListKey[] {
    const fields = (element.namedType === undefined ? element : bodyNamed(element.namedType)).map?.fields;
    return [...keys].sort().map(name => {
      const byDefault = fields?.find(field => field.name === name)?.default;
      return byDefault === undefined ? { name } : { name, default: byDefault };
    });
  }

  function mapFromBody(map: MapBody): MapSchema {
    const { elementRelationship, elementType, fields = [] } = map;
    const declared = fields.map(({ name, type }): [string, FieldSchema] => [
      name,
      { element: `f:${name}`, schema: schemaFromType(type) },
    ]);
    return {
      mapType: elementRelationship === 'atomic' ? 'atomic' : 'granular',
      fields: new Map(declared),
      ...(elementType === undefined ? {} : { values: schemaFromType(elementType) }),
    };
  }

  return named;
}

const scalarKinds: Readonly<Record<NonNullable<TypeBody['scalar']>, ScalarKind>> = {
  string: 'string',
  numeric: 'number',
  boolean: 'boolean',
  untyped: 'any',
};

function overridden({ list, map, scalar }: TypeBody, elementRelationship: Relationship): TypeBody {
  return {
    ...(scalar === undefined ? {} : { scalar }),
    ...(list === undefined ? {} : { list: { ...list, elementRelationship } }),
    ...(map === undefined ? {} : { map: { ...map, elementRelationship } }),
  };
}
