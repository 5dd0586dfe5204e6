import type { Writable } from 'node:stream';
import type { AuditSink } from './audit-sink.ts';

/** Writes events as lines to a stream that is not the sink's own, such as standard output. */
export function lineStream(stream: Writable): AuditSink {
  // Each write reports its error; but without a listener a pipe that is no longer read would end the process.
  const onError = () => {};
  stream.on('error', onError);
  return {
    write: events =>
      new Promise((resolve, reject) => {
        stream.write(`${events.join('\n')}\n`, error => {
          if (error) reject(error);
          else resolve();
        });
      }),
    async [Symbol.asyncDispose]() {
      stream.off('error', onError);
    },
  };
}
