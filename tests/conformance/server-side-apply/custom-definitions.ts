import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@binnacle/api-objects';
import { until } from '../../journeys/api-server.ts';
import type { ConformanceServer } from '../drivers/conformance-server.ts';

/** A kind `Mark` of a group of its own, with a schema that can be changed. */
interface MarkDefinition extends AsyncDisposable {
  readonly group: string;
  /** `<group>/v1`. */
  readonly apiVersion: string;
  /** A mark, or an apply configuration of one. */
  mark(name: string, spec: JsonObject): JsonObject;
  /** Gives `spec` another schema; what is served follows some time later. */
  change(spec: JsonObject): Promise<void>;
}

const definitions = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';

/** Defines marks whose `spec` has this schema, and waits until every gateway serves them. */
export async function defineMarks(server: ConformanceServer, spec: JsonObject): Promise<MarkDefinition> {
  const group = `g${randomBytes(4).toString('hex')}.example.com`;
  const name = `marks.${group}`;
  await server.expect(201, 'POST', definitions, {
    body: {
      apiVersion: 'apiextensions.cluster.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'marks', singular: 'mark', kind: 'Mark', listKind: 'MarkList' },
        versions: [versionWith(spec)],
      },
    },
  });
  for (const gateway of server.gateways.keys())
    await until(`gateway ${gateway} serves ${name}`, async () => {
      const { code } = await server.request('GET', `/apis/${group}/v1/marks`, { gateway });
      return code === 200;
    });
  const apiVersion = `${group}/v1`;
  return {
    group,
    apiVersion,
    mark: (markName, markSpec) => ({
      apiVersion,
      kind: 'Mark',
      metadata: { name: markName },
      spec: markSpec,
    }),
    async change(changed) {
      await server.expect(200, 'PATCH', `${definitions}/${name}`, {
        body: { spec: { versions: [versionWith(changed)] } },
        contentType: 'application/merge-patch+json',
      });
    },
    async [Symbol.asyncDispose]() {
      await server.expect(200, 'DELETE', `${definitions}/${name}`);
    },
  };
}

function versionWith(spec: JsonObject): JsonObject {
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', ...spec } } };
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
}
