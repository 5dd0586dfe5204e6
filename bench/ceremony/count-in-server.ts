import { createHook } from 'node:async_hooks';
import { countAllocations } from './count-allocations.ts';
import type { CountCommand, Counts } from './counts.ts';

/**
 * Loaded into a server: counts the promises and timers that are made, or the bytes that are allocated, between the commands
 * that the process that has forked the server sends.
 */
let counts: Counts = { promises: 0, timers: 0, bytes: 0 };
let countBytes = () => 0;
const hook = createHook({
  init(_id, type) {
    if (type === 'PROMISE') counts.promises++;
    else if (type === 'Timeout') counts.timers++;
  },
});

process.on('message', (command: CountCommand) => {
  if (command === 'stop') {
    hook.disable();
    counts.bytes = countBytes();
    countBytes = () => 0;
    process.send?.(counts);
    return;
  }
  counts = { promises: 0, timers: 0, bytes: 0 };
  if (command === 'count promises') hook.enable();
  else countBytes = countAllocations();
  process.send?.('started');
});
// It must not keep a server alive that is to stop.
process.channel?.unref();
