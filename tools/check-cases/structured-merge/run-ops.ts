import type { JsonValue } from '@binnacle/api-objects';
import { emptyFieldSet, type FieldSet, type TypedSchema } from '@binnacle/server-side-apply';
import {
  extractItems,
  type FieldManagers,
  faultsText,
  leaves,
  merge,
  mergeConfiguration,
  recordUpdate,
  type Versions,
  validate,
} from '@binnacle/server-side-apply/testing';
import { differsAsSet, mustFail } from '../cases/compare.ts';
import { converterNamed } from './converters.ts';
import { setOfTexts, textsFromSet } from './path-texts.ts';
import type { SchemaNamed } from './typed.ts';

/** One step of a case. */
type Operation =
  | Write
  | { readonly op: 'changeSchema'; readonly schema: string }
  | { readonly op: 'acceptVersions'; readonly versions: readonly string[] };

interface Write {
  readonly op: 'apply' | 'forceApply' | 'extractApply' | 'update';
  readonly manager: string;
  readonly apiVersion: string;
  readonly object: JsonValue;
  readonly conflicts?: readonly { readonly manager: string; readonly path: string }[];
  readonly expectError?: string;
}

/** The state of a case before its first step. */
export interface CaseSetup {
  readonly schema: string;
  /** The root type; `by apiVersion` for the one named like the version. */
  readonly type: string;
  readonly converter?: string;
  /** Paths that no manager has, by version. */
  readonly ignored?: Readonly<Record<string, readonly string[]>>;
  readonly ops: readonly Operation[];
}

/** The state after the last step. */
interface CaseEnd {
  readonly managers: FieldManagers;
  /** The object in a version. */
  objectIn(version: string): JsonValue;
}

/** Runs the steps of a case; throws an error that names the step when one does not do what it should. */
export function runOps(setup: CaseSetup, schemaNamed: SchemaNamed): CaseEnd {
  const run = new CaseRun(setup, schemaNamed);
  for (const [i, operation] of setup.ops.entries()) {
    const problem = run.step(operation);
    if (problem !== undefined) throw new Error(`step ${i}: ${problem}`);
  }
  return run;
}

class CaseRun implements CaseEnd {
  readonly #setup: CaseSetup;
  readonly #schemaNamed: SchemaNamed;
  readonly #versions: Versions;
  readonly #ignored: ReadonlyMap<string, FieldSet>;
  #schema: string;
  #accepted: readonly string[] | undefined;
  #live: JsonValue = null;
  #liveVersion = '';
  managers: FieldManagers = new Map();

  constructor(setup: CaseSetup, schemaNamed: SchemaNamed) {
    this.#setup = setup;
    this.#schemaNamed = schemaNamed;
    this.#schema = setup.schema;
    const ignored = Object.entries(setup.ignored ?? {});
    this.#ignored = new Map(ignored.map(([version, paths]) => [version, setOfTexts(paths)]));
    const converter = converterNamed(setup.converter);
    this.#versions = {
      view: version =>
        converter.knows(version) && this.#accepted?.includes(version) !== false
          ? { schema: this.#schemaIn(version), resetFields: this.#ignored.get(version) }
          : undefined,
      convert: (object, from, to) => converter.convert(object, from, to),
    };
  }

  /** Takes one step; returns the deviation from the expected result. */
  step(operation: Operation): string | undefined {
    switch (operation.op) {
      case 'changeSchema':
        this.#schema = operation.schema;
        return undefined;
      case 'acceptVersions':
        this.#accepted = operation.versions;
        return undefined;
      default:
        return operation.expectError === undefined
          ? this.#write(operation)
          : mustFail(() => this.#write(operation));
    }
  }

  objectIn(version: string): JsonValue {
    if (this.#live === null || version === this.#liveVersion) return this.#live;
    return this.#versions.convert(this.#live, this.#liveVersion, version);
  }

  #schemaIn(version: string): TypedSchema {
    const { type } = this.#setup;
    return this.#schemaNamed(this.#schema)(type === 'by apiVersion' ? version : type);
  }

  #write(write: Write): string | undefined {
    const { apiVersion, manager, object } = write;
    const live = this.objectIn(apiVersion);
    const schema = this.#schemaIn(apiVersion);
    const versions = this.#versions;
    assertValid(object, schema, write.op === 'update');
    if (write.op === 'update') {
      this.managers = recordUpdate({
        live,
        next: object,
        managers: this.managers,
        manager,
        apiVersion,
        versions,
      });
      this.#keep(object, apiVersion);
      return undefined;
    }
    const applied = write.op === 'extractApply' ? this.#withManaged(live, write, schema) : object;
    const force = write.op !== 'apply';
    const result = mergeConfiguration({
      live,
      applied,
      managers: this.managers,
      manager,
      apiVersion,
      versions,
      force,
    });
    const found = [...result.conflicts].flatMap(([manager, set]) =>
      textsFromSet(set).map(path => `${manager} ${path}`),
    );
    if (found.length === 0) {
      this.managers = result.managers;
      this.#keep(result.object, apiVersion);
    }
    const expected = (write.conflicts ?? []).map(({ manager, path }) => `${manager} ${path}`);
    return differsAsSet(found, expected, 'the list of conflicts');
  }

  #keep(object: JsonValue, version: string): void {
    this.#live = object;
    this.#liveVersion = version;
  }

  /** The fields that the manager has already, with the object merged over them. */
  #withManaged(live: JsonValue, { manager, object }: Write, schema: TypedSchema): JsonValue {
    const fields = leaves(this.managers.get(manager)?.fields ?? emptyFieldSet);
    return merge(extractItems(live, fields, { schema }), object, schema);
  }
}

/** Stored objects may hold an element twice, applied ones may not. */
function assertValid(object: JsonValue, schema: TypedSchema, duplicates: boolean): void {
  const faults = validate(object, schema, { duplicates });
  if (faults.length > 0) throw new Error(`the object is refused: ${faultsText(faults)}`);
}
