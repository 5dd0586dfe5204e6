/**
 * Writes the fixture of stored objects: starts the standalone form of a checkout of the release before, makes the samples
 * with it, and packs what its store holds then.
 *
 *     node tests/stored-objects/write-fixture.ts CHECKOUT
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readBody } from '../journeys/setup/http-message.ts';
import { packFixture } from './fixture.ts';
import { readSampleRequests, type SampleRequest } from './sample-requests.ts';

const timeoutMs = 60_000;
/** Controllers write what follows from the samples. */
const settleMs = 3_000;
const token = 'fixture';

const [checkout = ''] = process.argv.slice(2);
const directory = await mkdtemp(join(tmpdir(), 'binnacle-fixture-'));
try {
  await runServer(checkout, directory);
  console.log(`${await packFixture(join(directory, 'data'))} bytes`);
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function runServer(from: string, directory: string): Promise<void> {
  const tokens = join(directory, 'tokens.csv');
  await writeFile(tokens, `${token},writer,u-writer,"system:masters"\n`);
  const data = join(directory, 'data');
  const flags = ['--port=0', `--data-dir=${data}`, `--token-auth-file=${tokens}`, '--log-level=error'];
  const child = spawn(process.execPath, [join(from, 'services/standalone/main.ts'), ...flags], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise(resolve => child.on('exit', resolve));
  using agent = Object.assign(new Agent({ keepAlive: true, rejectUnauthorized: false }), {
    [Symbol.dispose]() {
      agent.destroy();
    },
  });
  try {
    const url = await awaitUrl(join(data, 'admin.conf'));
    for (const sample of await readSampleRequests()) await send(url, sample, agent);
    await pause(settleMs);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** The address of the server, from the configuration of its administrator, which it writes when it serves. */
async function awaitUrl(configuration: string): Promise<string> {
  for (const giveUpAt = Date.now() + timeoutMs; Date.now() < giveUpAt; await pause(100)) {
    const text = await readFile(configuration, 'utf8').catch(() => '');
    const [, url] = /server"?: "?(https:[^"\s]+)/.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the server does not start');
}

/** Sends a request; where it cannot be served yet, as the first ones of a namespace or definition, again. */
async function send(url: string, sample: SampleRequest, agent: Agent): Promise<void> {
  const { method, path } = sample;
  for (const giveUpAt = Date.now() + timeoutMs; ; await pause(100)) {
    const { code, text } = await createAnswer(url, sample, agent);
    if (code < 300) return;
    const mayPass = method === 'WAIT' || code === 403 || code >= 500;
    if (!mayPass || Date.now() > giveUpAt) throw new Error(`${method} ${path}: ${code} ${text}`);
  }
}

function createAnswer(
  url: string,
  { method, path, contentType, body }: SampleRequest,
  agent: Agent,
): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'User-Agent': 'sample/1.0',
      ...(body === '' ? {} : { 'Content-Type': contentType }),
    };
    const sent = httpsRequest(url + path, { method: method === 'WAIT' ? 'GET' : method, headers, agent });
    sent.on('error', reject).on('response', message => {
      readBody(message).then(
        bytes => resolve({ code: message.statusCode ?? 0, text: bytes.toString() }),
        reject,
      );
    });
    sent.end(body);
  });
}
