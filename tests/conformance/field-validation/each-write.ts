import type { Answer, ConformanceServer, Sent } from '../drivers/conformance-server.ts';

/** A write that has unknown fields in it, by every verb and every kind of patch. */
interface Write extends Sent {
  readonly method: string;
  /** Whether it is sent to the collection, with a name of its own. */
  readonly creates?: boolean;
}

const unknown = { bogus: 1, data: { a: '2' } };
/** The warning about the unknown field of `eachWrite`. */
export const unknownWarning = 'unknown field "bogus"';

function createWrites(name: string): Record<string, Write> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...unknown };
  const steps = [
    { op: 'add', path: '/bogus', value: 1 },
    { op: 'add', path: '/data', value: { a: '2' } },
  ];
  return {
    POST: { method: 'POST', creates: true, body: object },
    PUT: { method: 'PUT', body: object },
    'JSON patch': { method: 'PATCH', body: steps, contentType: 'application/json-patch+json' },
    'merge patch': { method: 'PATCH', body: unknown, contentType: 'application/merge-patch+json' },
    'strategic merge patch': {
      method: 'PATCH',
      body: unknown,
      contentType: 'application/strategic-merge-patch+json',
    },
    apply: { method: 'PATCH', body: object, contentType: 'application/apply-patch+yaml' },
  };
}

/** One of the writes, and its answer. */
interface Written {
  /** `POST`, `PUT`, or the kind of the patch. */
  readonly what: string;
  readonly answer: Answer;
  /** The path of its object. */
  readonly path: string;
}

/** Sends every kind of write with unknown fields, each to a config map of its own, and checks each answer. */
export async function eachWrite(
  server: ConformanceServer,
  query: string,
  check: (written: Written) => Promise<void>,
): Promise<void> {
  const collection = `/api/v1/namespaces/${await server.namespace()}/configmaps`;
  for (const [index, what] of Object.keys(createWrites('')).entries()) {
    const name = `a${index}`;
    const { method, creates = false, ...sent } = createWrites(name)[what] as Write; // what is one of its keys
    const path = `${collection}/${name}`;
    const body = { metadata: { name }, data: { a: '1' } };
    if (!creates) await server.expect(201, 'POST', collection, { body });
    const parameters = `fieldManager=tests&${what === 'apply' ? 'force=true&' : ''}${query}`;
    const target = `${creates ? collection : path}?${parameters}`;
    await check({ what, answer: await server.request(method, target, sent), path });
  }
}
