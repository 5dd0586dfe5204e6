import type { CachedObject, WatchEncoding } from '../contract/contract.ts';
import { lineEncoding } from './recording-sink.ts';

/** A line encoding whose objects are prepared asynchronously, after the given number of turns of the event loop. */
export function preparedEncoding(countTurns: () => number): WatchEncoding {
  const ready = new WeakSet<Uint8Array>();
  const isReady = ({ stored }: CachedObject) => ready.has(stored);
  const lines = lineEncoding('prepared lines');
  return {
    ...lines,
    event(event) {
      if (!isReady(event.object)) throw new Error(`${event.object.name} is shown before it is ready`);
      return lines.event(event);
    },
    preparation: {
      isReady,
      prepare(objects) {
        const missing = objects.filter(object => !isReady(object));
        if (missing.length === 0) return undefined;
        return (async () => {
          for (let turns = countTurns(); turns > 0; turns--)
            await new Promise(resolve => setImmediate(resolve));
          for (const { stored } of missing) ready.add(stored);
        })();
      },
    },
  };
}
