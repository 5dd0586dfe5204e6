import type { Writable } from 'node:stream';
import type { AuditSink } from './audit-sink.ts';

/** Writes events as lines to a stream that is not the sink's own, such as standard output. */
export function lineStream(stream: Writable): AuditSink {
  return {
    write: events =>
      new Promise((resolve, reject) => {
        if (stream.destroyed) {
          reject(new Error('the stream of audit events is closed'));
          return;
        }
        // Without a listener the error of a pipe that nobody reads would end the process; the write reports it too.
        const onError = () => {};
        stream.once('error', onError);
        stream.write(`${events.join('\n')}\n`, error => {
          stream.off('error', onError);
          if (error) reject(error);
          else resolve();
        });
      }),
    [Symbol.asyncDispose]: async () => {},
  };
}
