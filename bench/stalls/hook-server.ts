import { readFile } from 'node:fs/promises';
import { createServer, type ServerOptions } from 'node:https';
import { join } from 'node:path';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { isJsonObject, type JsonObject, type JsonValue, readJson } from '@binnacle/api-objects';
import { createPki } from '@binnacle/tls';
import type { RunningHooks } from './heavy-request.ts';

/** Starts webhooks in a thread of their own, with a certificate that lies in a directory. */
export async function startHooks(directory: string): Promise<RunningHooks & AsyncDisposable> {
  const { caFile, serverDirectory } = await createPki(directory, { serverNames: [] });
  const files = ['tls.crt', 'tls.key'].map(file => readFile(join(serverDirectory, file)));
  const [cert, key] = await Promise.all(files);
  const ca = await readFile(caFile);
  const worker = new Worker(new URL(import.meta.url), { workerData: { cert, key } });
  worker.unref();
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return {
    url: `https://127.0.0.1:${port}`,
    caBundle: ca.toString('base64'),
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}

if (parentPort !== null && workerData !== null) serve(workerData as ServerOptions, parentPort); // Given above.

function serve({ cert, key }: ServerOptions, port: NonNullable<typeof parentPort>): void {
  const server = createServer({ cert, key }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', part => parts.push(part));
    request.on('end', () => {
      const review = readJson(Buffer.concat(parts).toString());
      const body = isJsonObject(review) ? { ...review, ...answerTo(pathFromUrl(request.url), review) } : {};
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    port.postMessage(typeof address === 'object' ? address?.port : 0);
  });
}

function answerTo(path: string, review: JsonObject): JsonObject {
  const request = isJsonObject(review['request']) ? review['request'] : {};
  const { uid = null } = request;
  if (path === '/convert') return { response: { uid, ...converted(request) } };
  const operations = path === '/patch' ? operationsFor(request) : [];
  if (operations.length === 0) return { response: { uid, allowed: true } };
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { response: { uid, allowed: true, patchType: 'JSONPatch', patch } };
}

/** The path without the query, which gives the delay of the server. */
function pathFromUrl(url = ''): string {
  return url.split('?', 1)[0] ?? '';
}

function converted({ desiredAPIVersion = '', objects = [] }: JsonObject): JsonObject {
  const given = Array.isArray(objects) ? objects.filter(isJsonObject) : [];
  const convertedObjects = given.map(object => ({ ...object, apiVersion: desiredAPIVersion }));
  return { result: { status: 'Success' }, convertedObjects };
}

const mostOperations = 8_000;

/** Changes many of the values of a config map, or of the items of another object. */
function operationsFor({ object = null }: JsonObject): JsonValue[] {
  if (!isJsonObject(object)) return [];
  const { data, spec } = object;
  if (isJsonObject(data))
    return Object.keys(data)
      .slice(0, mostOperations)
      .map(key => ({ op: 'replace', path: `/data/${key}`, value: 'changed' }));
  const items = isJsonObject(spec) && Array.isArray(spec['items']) ? spec['items'] : [];
  return items
    .slice(0, mostOperations)
    .map((_, i) => ({ op: 'replace', path: `/spec/items/${i}/value`, value: 'changed' }));
}
