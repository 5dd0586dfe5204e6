import { GCProfiler, getHeapStatistics } from 'node:v8';

/** Counts the bytes of JavaScript objects that this process allocates from now on. */
export function countAllocations(): () => number {
  const profiler = new GCProfiler();
  profiler.start();
  let used = usedBytes();
  return () => {
    const last = usedBytes();
    let allocated = 0;
    for (const { beforeGC, afterGC } of profiler.stop().statistics) {
      allocated += beforeGC.heapStatistics.usedHeapSize - used;
      used = afterGC.heapStatistics.usedHeapSize;
    }
    return allocated + last - used;
  };
}

function usedBytes(): number {
  return getHeapStatistics().used_heap_size;
}
