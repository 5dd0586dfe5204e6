import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTokenFileSource } from './token-file-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'binnacle-token-'));
after(() => rmSync(folder, { recursive: true }));

test('a token file is read again after a minute, and its last token is used when the file disappears', async () => {
  const path = join(folder, 'token');
  let now = 0;
  const none = {};
  const source = createTokenFileSource({ path, token: 'first', base: () => none, clock: () => now });
  const first = await source.current();
  const steps: readonly [at: number, content: string | undefined, token: string][] = [
    [59_999, 'second\n', 'first'],
    [60_000, 'second\n', 'second'],
    [120_000, 'two\nlines', 'second'],
    [180_000, undefined, 'second'],
    [239_999, 'third', 'second'],
    [240_000, 'third', 'third'],
  ];
  for (const [at, content, token] of steps) {
    rmSync(path, { force: true });
    if (content !== undefined) writeFileSync(path, content);
    now = at;
    assert.equal((await source.current()).authorization, `Bearer ${token}`, `at ${at}`);
  }
  assert.equal(await source.renew(first), true);
  assert.equal(await source.renew(await source.current()), false);
});

test('a client certificate is used together with a token file', async () => {
  const path = join(folder, 'with-certificate');
  writeFileSync(path, 'second');
  let now = 0;
  let base = { clientCertificate: Buffer.from('c'), clientKey: Buffer.from('k') };
  const source = createTokenFileSource({ path, token: 'first', base: () => base, clock: () => now });
  assert.deepEqual(await source.current(), { ...base, authorization: 'Bearer first' });
  now = 60_000;
  const second = await source.current();
  assert.deepEqual(second, { ...base, authorization: 'Bearer second' });
  assert.equal(await source.current(), second);
  base = { clientCertificate: Buffer.from('d'), clientKey: Buffer.from('l') };
  assert.deepEqual(await source.current(), { ...base, authorization: 'Bearer second' });
});
