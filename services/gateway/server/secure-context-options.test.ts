import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pemCertificates } from '@binnacle/tls';
import { certificateChain } from './secure-context-options.ts';

/** A server's certificate, the authority that issued it, and the one that issued that. */
const [server = '', between = '', root = ''] = pemCertificates(
  readFileSync(join(import.meta.dirname, 'fixtures/chain.pem')),
);

test('a single certificate is completed with its issuers, in any order of the authorities', () => {
  for (const authorities of [`${between}\n${root}`, `${root}\n${between}\n`, `a word\n${root}\n${between}`])
    assert.deepEqual(pemCertificates(certificateChain(server, authorities)), [server, between, root]);
  assert.deepEqual(pemCertificates(certificateChain(Buffer.from(server), Buffer.from(between))), [
    server,
    between,
  ]);
});

test('certificates that did not issue it are omitted', () => {
  assert.equal(certificateChain(server, root), server);
  assert.equal(certificateChain(server, server), server);
  assert.deepEqual(pemCertificates(certificateChain(between, `${server}\n${root}`)), [between, root]);
  assert.equal(certificateChain(root, `${root}\n${between}`), root);
});

test('an authority with the same name and key identifier that did not sign it is omitted', () => {
  const forged = otherSignature(server);
  assert.equal(certificateChain(forged, between), forged);
});

test('a chain of certificates and unreadable files are used unchanged', () => {
  const text = `${server}\n${root}\n`;
  assert.equal(certificateChain(text, between), text);
  for (const unreadable of ['', 'no certificate', server.replace('MII', 'AAA')])
    assert.equal(certificateChain(unreadable, between), unreadable);
  assert.equal(certificateChain(server, between.replace('MII', 'AAA')), server);
});

/** The certificate with its last byte, which is one of the signature, changed. */
function otherSignature(pem: string): string {
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----`;
}
