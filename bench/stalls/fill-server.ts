import { extensions, groups } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import { pollUntil } from '@binnacle/backends';
import { type Connection, connect } from '../load/connect.ts';
import type { LoadTarget } from '../load/protocol.ts';
import { custom, definition, json, nestedAlternatives } from './heavy-bodies.ts';
import { ordinaryObjects } from './heavy-requests.ts';

const group = '/apis/stalls.example.com/v1/namespaces/stalls';
const definitions = `/apis/${groups.apiextensions}/v1/customresourcedefinitions`;
const connections = 16;
/** Definitions that are there only to be many. */
const ordinaryDefinitions = 120;

/** Creates the objects that heavy requests need, and definitions that are used, for their metrics. */
export async function fillServer(target: LoadTarget): Promise<void> {
  const connection = connect(target, connections);
  await create(connection, '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'stalls' },
  });
  await defineKinds(connection);
  for (const { path, count, object } of [ordinaryObjects.pods, ordinaryObjects.configMaps]) {
    const prefix = path.endsWith('pods') ? 'pod' : 'object';
    await inParallel(count, number => create(connection, path, object(`${prefix}-${number}`)));
  }
  await inParallel(60, number =>
    create(connection, `${group}/columns`, custom('columns', `c${number}`, { tree: tree(4, 6) })),
  );
  await useDefinitions(connection);
  connection.close();
}

async function defineKinds(connection: Connection): Promise<void> {
  const free: JsonObject = { type: 'object', [extensions.preserveUnknownFields]: true };
  const columns = Array.from({ length: 10 }, (_, i) => ({
    name: `c${i}`,
    type: 'string',
    jsonPath: `..leaf${i % 3}..[*]`,
  }));
  const kinds = [
    definition('columns', free, { additionalPrinterColumns: columns }),
    definition('sets', {
      type: 'object',
      properties: {
        values: { type: 'array', [extensions.listType]: 'set', items: { type: 'string' } },
      },
    }),
    definition('choices', {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'string', ...nestedAlternatives(6, 5) } },
      },
    }),
  ];
  for (const kind of kinds) await create(connection, definitions, kind, [201, 422]);
  await inParallel(ordinaryDefinitions, number =>
    create(connection, definitions, definition(`many${number}`, free)),
  );
}

/** Each definition is used in several ways, every one of which has time series of its own. */
async function useDefinitions(connection: Connection): Promise<void> {
  await pollUntil('the definitions', async () => {
    const codes = await Promise.all([
      status(connection, 'GET', `${group}/many${ordinaryDefinitions - 1}`),
      status(connection, 'GET', `${group}/many0`),
    ]);
    return codes.every(code => code === 200);
  });
  await inParallel(ordinaryDefinitions, async number => {
    const path = `${group}/many${number}`;
    await create(connection, path, custom(`many${number}`, 'a', {}));
    for (const method of ['GET', 'DELETE'])
      for (const at of [path, `${path}/a`, `${path}/b`]) await status(connection, method, at);
  });
}

function tree(width: number, depth: number): JsonObject {
  const entries = Array.from({ length: width }, (_, i) => [
    `leaf${i}`,
    depth === 0 ? 'x' : i === 0 ? tree(width, depth - 1) : tree(2, Math.max(0, depth - 3)),
  ]);
  return Object.fromEntries(entries);
}

/** Does work for so many numbers, some at a time. */
async function inParallel(count: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) await work(number);
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

async function create(
  connection: Connection,
  path: string,
  object: JsonObject,
  accepted: readonly number[] = [201],
): Promise<void> {
  const code = await status(connection, 'POST', path, json(object));
  if (!accepted.includes(code)) throw new Error(`POST ${path} was answered with ${code}`);
}

async function status(connection: Connection, method: string, path: string, body?: Buffer): Promise<number> {
  const response = await connection.request({ method, path, ...(body && { body }) });
  for await (const _ of response);
  return response.statusCode ?? 0;
}
