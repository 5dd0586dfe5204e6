import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallRequest, webhookDispatchContract } from '@binnacle/proto';
import { connectRpc, createCallContext, implementService, startRpcServer } from '@binnacle/rpc';

const credentials = {
  clientCertificate: Buffer.from('certificate'),
  clientKey: Buffer.from('key'),
  username: 'u',
  password: 'w',
  token: 't',
};
const service = { namespace: 'n', name: 's', path: '/p', port: 8443 };
const common = { caBundle: Buffer.from('ca'), body: Buffer.from('{}'), timeoutSeconds: 3, caller: 'c' };

const requests: readonly CallRequest[] = [
  { ...common, url: 'https://a.example.com/' },
  { ...common, url: '', service, address: { host: '10.0.0.1', port: 8443 }, credentials },
];

test('the address of a service and the caller reach the dispatcher in another process', async () => {
  await using stack = new AsyncDisposableStack();
  const seen: CallRequest[] = [];
  const handlers = {
    async call(request: CallRequest) {
      seen.push(request);
      const body = new Uint8Array(0);
      return { failure: 'NONE', failureMessage: '', status: 200, contentType: '', body } as const;
    },
  };
  const services = [implementService(webhookDispatchContract, handlers)];
  const server = stack.use(await startRpcServer({ services, port: 0, insecure: true, drainTimeoutMs: 200 }));
  const addresses = [`127.0.0.1:${server.port}`];
  const client = stack.use(connectRpc(webhookDispatchContract, { addresses, insecure: true }));
  using call = createCallContext({ timeoutMs: 20_000 });
  for (const request of requests) await client.call(request, call);
  assert.deepEqual(seen.map(plain), requests.map(plain));
});

/** Bytes come as views of what was read, and are compared as texts. */
function plain({ credentials: given, caBundle, body, ...rest }: CallRequest): unknown {
  const fields = { ...rest, caBundle: decodeText(caBundle), body: decodeText(body) };
  if (given === undefined) return fields;
  const { clientCertificate, clientKey, ...named } = given;
  return {
    ...fields,
    credentials: { ...named, cert: decodeText(clientCertificate), key: decodeText(clientKey) },
  };
}

function decodeText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
