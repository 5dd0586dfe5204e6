import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatApiVersion, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { dumpYaml, loadYaml } from '@kubernetes/client-node';
import { decodeBodyAtOnce } from './decode-body.ts';
import { yamlMediaType } from './media-types.ts';
import { fullObject } from './test-drivers/full-object.ts';
import { bodyDefinitions } from './test-drivers/kinds.ts';

/**
 * Kinds without a class in the library: it follows later releases, finds no class if two groups have a kind of the same name, and
 * takes some options as parameters.
 */
const withoutClass =
  /alpha1 |flowcontrol|v1beta1 CSIStorageCapacity| Event$| TokenRequest$|(?:Create|Patch|Update|Attach|Exec|Forward|Proxy)Options$/;

/**
 * Fields that later releases removed (such as the status of NetworkPolicy), and schema extension keys, which have other names
 * here.
 */
const unknownToLibrary =
  /^NetworkPolicy\.status$|\.resourceClaims\.source$|\.resources\.claims$|\.resizeStatus$|\.x-cluster-[a-z-]+$/;

describe('a fully populated object, read and written by a client library', () => {
  for (const definition of bodyDefinitions()) {
    const name = `${formatApiVersion(definition)} ${definition.kind}`;
    if (withoutClass.test(name)) continue;
    const { kind } = definition;
    const full: JsonObject = {
      kind,
      apiVersion: formatApiVersion(definition),
      ...fullObject(definition.message),
    };
    // The library identifies its classes by the names of the Kubernetes vocabulary.
    const written = { ...full, apiVersion: formatApiVersion(definition).replace('.cluster.io/', '.k8s.io/') };
    const typed: object = loadYaml(JSON.stringify(written));
    it(`${name} is unchanged`, () => {
      assert.match(typed.constructor.name, /V\d/);
      const { object } = decodeBodyAtOnce(Buffer.from(dumpYaml(typed)), yamlMediaType, {
        definition,
        fieldValidation: 'Strict',
      });
      assert.deepEqual(
        lost(full, object, kind).filter(path => !unknownToLibrary.test(path)),
        [],
      );
    });
  }
});

/** Returns the paths of the values of an object that are missing or different in another one, without indexes. */
function lost(value: JsonValue, other: JsonValue | undefined, path: string): string[] {
  if (typeof value !== 'object' || value === null || typeof other !== 'object' || other === null)
    return value === other ? [] : [path];
  const found = Object.entries(value).flatMap(([key, item]) =>
    lost(
      item,
      Reflect.get(other, key) as JsonValue | undefined,
      Array.isArray(value) ? path : `${path}.${key}`,
    ),
  );
  return [...new Set(found)];
}
