import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { isTlsFailure, speaksTls } from './tls-failure.ts';

const failures: readonly [name: string, error: unknown, expected: boolean][] = [
  ['a code of OpenSSL', Object.assign(new Error('x'), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }), true],
  ['a code of verification', Object.assign(new Error('x'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }), true],
  ['a name', Object.assign(new Error('x'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), true],
  [
    'the text of a library',
    new Error(
      '14 UNAVAILABLE: No connection established. Last error: Error: unable to verify the first certificate',
    ),
    true,
  ],
  ['an alert', new Error('error:0A000412:SSL routines:ssl3_read_bytes: SSL alert number 42'), true],
  ['nothing listens', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), false],
  ['a cut connection', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), false],
  ['no error', 'SSL alert', false],
];
for (const [name, error, expected] of failures) {
  test(`${name} is ${expected ? 'a' : 'no'} failure of the handshake`, () => {
    assert.equal(isTlsFailure(error), expected);
  });
}

async function speaks(server: Server): Promise<boolean> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  try {
    return await speaksTls({ host: '127.0.0.1', port });
  } finally {
    server.close();
  }
}

test('a server is recognized as speaking TLS without a common authority', async () => {
  assert.equal(await speaks(createTlsServer()), true);
});

test('a server that answers in plaintext, or closes the connection, is not recognized as speaking TLS', async () => {
  assert.equal(await speaks(createServer(socket => socket.end('-ERR unknown command\r\n'))), false);
  assert.equal(await speaks(createServer(socket => socket.destroy())), false);
});
