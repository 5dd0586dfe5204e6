import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { CallContext } from '@binnacle/proto';
import { serviceUnavailable } from '@binnacle/status-errors';
import { StorageError } from '@binnacle/storage-contract';
import { clientErrorFrom } from '../pipeline/map-storage-errors.ts';
import { createExchange } from '../request/exchange.ts';
import type { DiscoveryDocument } from './discovery-documents.ts';
import { serveDocument } from './serve-document.ts';

const path = '/apis/sea.example.com/v1';
const documents = new Map<string, DiscoveryDocument>();
let server: Server;
let isStarted = true;
let catchUp: (call: CallContext) => Promise<void>;
let waits = 0;

before(async () => {
  server = createServer((request, response) => {
    const customDefinitions = {
      start: async () => {},
      isStarted,
      catchUp(call: CallContext) {
        waits++;
        return catchUp(call);
      },
      [Symbol.dispose]() {},
    };
    const services = { documents: () => documents, customDefinitions };
    serveDocument(createExchange(request, response, Date.now), services).catch((error: unknown) => {
      response.statusCode = clientErrorFrom(error).code;
      response.end();
    });
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
after(() => {
  server.close();
  server.closeAllConnections();
});

function addDocument(at: string): void {
  const value = { kind: 'APIResourceList', groupVersion: at };
  documents.set(at, { value, json: Buffer.from(JSON.stringify(value)) });
}

async function requestCode(asked: string): Promise<number> {
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const answer = await fetch(`http://127.0.0.1:${port}${asked}`);
  await answer.arrayBuffer();
  return answer.status;
}

function forget(): void {
  documents.clear();
  isStarted = true;
  waits = 0;
}

test('a type defined before the request is in the document', async () => {
  forget();
  catchUp = async () => addDocument(path);
  assert.equal(await requestCode(path), 200);
});

for (const [what, error] of [
  ['the store is away', new StorageError('unavailable', 'the store is not available')],
  ['no storage pod answers', serviceUnavailable('Storage cannot be reached')],
] as const)
  test(`current documents are served while ${what}`, async () => {
    forget();
    addDocument(path);
    catchUp = () => Promise.reject(error);
    assert.equal(await requestCode(path), 200);
    assert.equal(waits, 1);
  });

test('current documents are served when the wait for definitions times out', async () => {
  forget();
  addDocument(path);
  catchUp = call =>
    new Promise((_, reject) => {
      call.signal.addEventListener('abort', () => reject(serviceUnavailable('too late')));
    });
  assert.equal(await requestCode(path), 200);
});

test('an error that is not a failure of the store is not ignored', async () => {
  forget();
  addDocument(path);
  catchUp = () => Promise.reject(new TypeError('a mistake'));
  assert.equal(await requestCode(path), 500);
});

test('the core group does not wait for definitions, nor does a gateway that has not started', async () => {
  forget();
  addDocument('/api/v1');
  addDocument(path);
  assert.equal(await requestCode('/api/v1'), 200);
  isStarted = false;
  assert.equal(await requestCode(path), 200);
  assert.equal(waits, 0);
});
