import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMetrics } from '@binnacle/telemetry';
import { certificateEnd, noteCertificates } from './certificate-metrics.ts';
import { createPki } from './create-pki.ts';

test('the expiry of each certificate is a metric, of a chain the earliest', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-certificates-'));
  try {
    const pki = await createPki(directory, { services: ['gateway'] });
    const [ca, cert] = await Promise.all([
      readFile(pki.caFile),
      readFile(join(pki.serviceDirectory('gateway'), 'tls.crt')),
    ]);
    const [caEnd, certEnd] = [certificateEnd(ca), certificateEnd(cert)];
    assert.ok(caEnd !== undefined && certEnd !== undefined);
    assert.ok(certEnd > Date.now() && certEnd < caEnd);
    assert.equal(certificateEnd(Buffer.concat([ca, cert])), certEnd);
    const metrics = createMetrics();
    noteCertificates(metrics, [
      { name: 'services', pem: cert },
      { name: 'none', pem: undefined },
      { name: 'unreadable', pem: Buffer.from('-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----') },
    ]);
    const note = (pem: Buffer, now: number) =>
      noteCertificates(createMetrics(), [{ name: 'services', pem }], now);
    const longAgo = Date.parse('2020-02-02T00:00:00Z');
    for (const pem of [cert, ca, Buffer.concat([cert, ca])])
      assert.throws(
        () => note(pem, longAgo),
        /^Refusal: the clock of this machine says 2020-02-02T00:00:00.000Z, and the certificate "services" is valid from 20\d\d-.*Z: set the clock$/,
      );
    note(Buffer.from('no certificate'), longAgo);
    const { body } = await metrics.render();
    const lines = body.split('\n').filter(line => line.startsWith('binnacle_certificate_expiry'));
    assert.deepEqual(lines, [
      `binnacle_certificate_expiry_timestamp_seconds{certificate="services"} ${certEnd / 1000}`,
    ]);
  } finally {
    await rm(directory, { recursive: true });
  }
});
