import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fetchJson } from './fetch-json.ts';
import { documentListener, startLoopbackServer } from './test-drivers/test-issuer.ts';

// A file of its own: the authorities of the host are read once in a process.
test('without an authority file the authorities of the host are trusted, and no others', async () => {
  const [known, foreign] = await startServers();
  await using _known = known;
  await using _foreign = foreign;
  // Where OpenSSL finds the authorities of the host.
  process.env.SSL_CERT_FILE = known.caFile;
  const options = { ca: undefined, signal: new AbortController().signal };
  assert.deepEqual(await fetchJson(new URL(`${known.url}/a`), options), { found: true });
  await assert.rejects(fetchJson(new URL(`${foreign.url}/a`), options), /cannot be fetched/);
});

async function startServers() {
  const [known, foreign] = await Promise.all([startLoopbackServer(), startLoopbackServer()]);
  for (const server of [known, foreign]) server.serve(documentListener({ '/a': { found: true } }));
  return [known, foreign] as const;
}
