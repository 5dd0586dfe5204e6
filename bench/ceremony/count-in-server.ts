import { createHook } from 'node:async_hooks';
import type { CountCommand, Counts } from './counts.ts';

/**
 * Loaded into a server (`--import`): counts the promises and timers that are made between the commands `start` and `stop`, which the
 * process that has forked the server sends.
 */
let counts: Counts = { promises: 0, timers: 0 };
const hook = createHook({
  init(_id, type) {
    if (type === 'PROMISE') counts.promises++;
    else if (type === 'Timeout') counts.timers++;
  },
});

process.on('message', (command: CountCommand) => {
  if (command === 'start') {
    counts = { promises: 0, timers: 0 };
    hook.enable();
    process.send?.('started');
  } else {
    hook.disable();
    process.send?.(counts);
  }
});
// It must not keep a server alive that is to stop.
process.channel?.unref();
