import type { Readable } from 'node:stream';
import { connect } from './connect.ts';
import { connectHttp2, type WatchConnections } from './connect-http2.ts';
import type { LoadTarget, WatchLoad } from './protocol.ts';
import type { RequestOutcome } from './send-requests.ts';

/** Watches that go on. */
export interface OpenWatches {
  /** Ends them, and sums up what they received. */
  close(): RequestOutcome;
}

/** Watches that are opened at the same time. */
const openAtOnce = 50;
/** One watcher in so many reads the events; the others count them, so that the load is cheap to make. */
const readEvery = 50;
const progressMs = 50;

/** Opens the watches of a load; resolves when every one was answered. */
export async function openWatches(load: WatchLoad, onProgress: (done: number) => void): Promise<OpenWatches> {
  const connection =
    load.http2Connections === undefined
      ? connectEach(load.target)
      : connectHttp2(load.target, load.http2Connections);
  const responses: Readable[] = [];
  const latencies: number[] = [];
  let bytes = 0;
  let events = 0;
  async function open(index: number): Promise<void> {
    const path = load.paths[index % load.paths.length] ?? '';
    const response = await connection.open(path, index);
    responses.push(response);
    response.on('error', () => {}); // Closed by the bench itself.
    response.on('data', (part: Buffer) => {
      bytes += part.length;
      for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, end + 1)) events++;
      if (index % readEvery === 0) noteLatencies(part, latencies);
    });
  }
  for (let first = 0; first < load.watchers; first += openAtOnce) {
    const count = Math.min(openAtOnce, load.watchers - first);
    await Promise.all(Array.from({ length: count }, (_, offset) => open(first + offset)));
  }
  const timer = setInterval(() => onProgress(events), progressMs);
  return {
    close(): RequestOutcome {
      clearInterval(timer);
      for (const response of responses) response.destroy();
      connection.close();
      return { latencies, bytes, failures: {} };
    },
  };
}

/** A connection for each watch. */
function connectEach(target: LoadTarget): WatchConnections {
  const connection = connect(target, openAtOnce);
  return {
    async open(path) {
      const response = await connection.request({ method: 'GET', path, own: true });
      if (response.statusCode !== 200) throw new Error(`a watch was answered with ${response.statusCode}`);
      return response;
    },
    close: () => connection.close(),
  };
}

function noteLatencies(part: Buffer, latencies: number[]): void {
  const now = performance.timeOrigin + performance.now();
  for (const match of part.toString('latin1').matchAll(/"sent":"([\d.]+)"/g))
    latencies.push(now - Number(match[1]));
}
