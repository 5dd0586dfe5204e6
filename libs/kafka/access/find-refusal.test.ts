import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { backendRefusalIn, type RefusalKind } from '@binnacle/backend-access';
import { namingRefusals } from './find-refusal.ts';

const unreachable = { brokers: ['127.0.0.1:1'], clientId: 'test' };

/** Creates an error like those of kafkajs and Node. */
const errorWith = (fields: object) => Object.assign(new Error('failed'), fields);

const cases: readonly (readonly [what: string, thrown: unknown, kind: RefusalKind | undefined])[] = [
  ['an unknown mechanism', errorWith({ name: 'KafkaJSSASLAuthenticationError' }), 'credentials'],
  ['a refused password', errorWith({ type: 'SASL_AUTHENTICATION_FAILED' }), 'credentials'],
  ['a listener without SASL', errorWith({ type: 'ILLEGAL_SASL_STATE' }), 'credentials'],
  ['a denied topic', errorWith({ type: 'TOPIC_AUTHORIZATION_FAILED' }), 'permission'],
  ['a denied cluster', errorWith({ type: 'CLUSTER_AUTHORIZATION_FAILED' }), 'permission'],
  [
    'a denied creation among several',
    errorWith({ errors: [errorWith({ type: 'TOPIC_AUTHORIZATION_FAILED' })] }),
    'permission',
  ],
  [
    'a failure that retries gave up on',
    errorWith({
      name: 'KafkaJSNumberOfRetriesExceeded',
      cause: errorWith({ code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
    }),
    'tls',
  ],
  ['another name in the certificate', errorWith({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), 'tls'],
  ['a failed handshake', errorWith({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }), 'tls'],
  [
    'a missing client certificate',
    errorWith({
      code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
      message: 'tlsv13 alert certificate required:rec_layer_s3.c:918:SSL alert number 116',
    }),
    'credentials',
  ],
  [
    'a client certificate of a stranger',
    errorWith({
      code: 'EPROTO',
      message: 'ssl/tls alert bad certificate:rec_layer_s3.c:918:SSL alert number 42',
    }),
    'credentials',
  ],
  [
    'a broker that is away',
    errorWith({ name: 'KafkaJSConnectionError', code: 'ECONNREFUSED', broker: '127.0.0.1:1' }),
    undefined,
  ],
  [
    'a broker that went away',
    errorWith({ name: 'KafkaJSConnectionClosedError', broker: '127.0.0.1:1' }),
    undefined,
  ],
  ['a topic that does not exist', errorWith({ type: 'UNKNOWN_TOPIC_OR_PARTITION' }), undefined],
  ['a slow broker', errorWith({ name: 'KafkaJSRequestTimeoutError' }), undefined],
  ['anything else', 'text', undefined],
];

for (const [what, thrown, kind] of cases) {
  test(`${what} is ${kind === undefined ? 'no refusal' : `a refusal of kind ${kind}`}`, async () => {
    const failure: unknown = await namingRefusals(unreachable, () => Promise.reject(thrown)).catch(
      (error: unknown) => error,
    );
    const refusal = backendRefusalIn(failure);
    assert.equal(refusal?.kind, kind);
    assert.equal(refusal === undefined ? failure : refusal.cause, thrown);
  });
}

test('a listener that closes every connection, like a proxy without a broker, is no refusal', async () => {
  const server = createServer(socket => socket.destroy());
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const broker = `127.0.0.1:${address.port}`;
  const closed = errorWith({ name: 'KafkaJSConnectionClosedError', broker });
  const tls = { ca: Buffer.from(''), identity: undefined };
  for (const secured of [undefined, tls]) {
    const connection = { brokers: [broker], clientId: 'test', tls: secured };
    const failure = await namingRefusals(connection, () => Promise.reject(closed)).catch(error => error);
    assert.equal(failure, closed);
  }
  server.close();
});
