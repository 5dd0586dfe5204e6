import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '@binnacle/backends';
import { type ApiClient, createApiClient, loadClientConfiguration } from '@binnacle/client';
import { type Distributed, publishingStorage, startDistributed } from '@binnacle/compose';
import { booleanFlag, integerFlag, parseFlags } from '@binnacle/flags';

const flags = parseFlags({
  handovers: integerFlag({ description: 'How often the pod that publishes is stopped.', default: 8, min: 1 }),
  rate: integerFlag({ description: 'Writes a second.', default: 50, min: 1 }),
  phases: booleanFlag({ description: 'Prints what the storage pods log meanwhile.', default: false }),
});

/** Milliseconds of writes that are looked at before a stop, and from the stop on. */
const beforeMs = 2_000;
const afterMs = 4_000;

const collection = '/api/v1/namespaces/default/configmaps';

const directory = await mkdtemp(join(tmpdir(), 'binnacle-handovers-'));
try {
  await main();
} finally {
  await rm(directory, { recursive: true, force: true });
}

/** Measures the pause of a watch while the storage pod that publishes stops gracefully and another one takes over. */
async function main(): Promise<void> {
  const dataDirectory = join(directory, 'form');
  await using form = await startDistributed({ dataDirectory, port: await findFreePort() });
  await using client = createApiClient({
    configuration: loadClientConfiguration(form.adminConfiguration),
    userAgent: 'bench',
  });
  const stopping = new AbortController();
  const seen: number[] = [];
  const written: number[] = [];
  const running = [follow(client, seen, stopping.signal), write(client, written, stopping.signal)];
  const silences: number[] = [];
  for (let number = 1; number <= flags.handovers; number++) {
    await pause(beforeMs);
    const name = await publishingStorage(form);
    const stoppedAt = performance.now();
    const wallClock = Date.now();
    const stopped = form.process(name).stop();
    await pause(afterMs);
    const before = longestSilence(seen, stoppedAt - beforeMs, stoppedAt);
    const after = longestSilence(seen, stoppedAt, stoppedAt + afterMs);
    const answers = longestSilence(written, stoppedAt, stoppedAt + afterMs);
    silences.push(after);
    console.log(
      `${name} stops: longest silence ${after.toFixed(0)} ms (undisturbed ${before.toFixed(0)}, of answers ${answers.toFixed(0)})`,
    );
    if (flags.phases) await printPhases(dataDirectory, wallClock);
    await stopped;
    await form.process(name).restart();
    await isReady(form, name);
  }
  stopping.abort();
  await Promise.all(running);
  silences.sort((a, b) => a - b);
  const median = silences[Math.floor(silences.length / 2)] ?? 0;
  console.log(
    `${silences.length} handovers: shortest ${silences[0]?.toFixed(0)}, median ${median.toFixed(0)}, longest ${silences.at(-1)?.toFixed(0)} ms`,
  );
}

/** Creates objects at the rate, whether or not those before were answered; notes when each was. */
async function write(client: ApiClient, written: number[], signal: AbortSignal): Promise<void> {
  const pending = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let number = 0; !signal.aborted; number++) {
    const early = startedAt + (number * 1000) / flags.rate - performance.now();
    if (early > 1) await pause(early);
    const body = { metadata: { name: `handover-${number}` }, data: { text: 'x'.repeat(500) } };
    const one = client
      .request({ method: 'POST', path: collection, body })
      .then(() => void written.push(performance.now()))
      .finally(() => pending.delete(one));
    pending.add(one);
  }
  await Promise.all(pending);
}

/** Notes when each event of one watch comes. */
async function follow(client: ApiClient, seen: number[], signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of client.watch(`${collection}?watch=1&timeoutSeconds=3600`, signal))
      seen.push(performance.now());
    throw new Error('the watch ended');
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}

function longestSilence(times: readonly number[], from: number, to: number): number {
  let longest = 0;
  let last = from;
  for (const time of [...times.filter(each => each > from && each < to), to]) {
    longest = Math.max(longest, time - last);
    last = time;
  }
  return longest;
}

async function isReady(form: Distributed, name: string): Promise<void> {
  const url = `http://127.0.0.1:${form.operationsPort(name)}/readyz`;
  for (;;) {
    const isOk = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isOk) return;
    await pause(100);
  }
}

/** The log lines of both storage pods since a moment, with the milliseconds since then. */
async function printPhases(dataDirectory: string, since: number): Promise<void> {
  const lines: { readonly at: number; readonly text: string }[] = [];
  for (const name of ['storage-1', 'storage-2']) {
    const text = await readFile(join(dataDirectory, 'run', `${name}.log`), 'utf8');
    for (const line of text.split('\n')) {
      const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(line)?.[0];
      const at = time === undefined ? 0 : Date.parse(time) - since;
      if (at > -100 && at < afterMs && time !== undefined) lines.push({ at, text: `${name} ${line}` });
    }
  }
  for (const { at, text } of lines.sort((a, b) => a.at - b.at)) console.log(`  ${at} ms ${text}`);
}
