import type { WatchEvent } from '@binnacle/proto';
import type { PartitionRecord } from './partition-chains.ts';

/** Changes that go into one record of the topic: of one partition and type, in the order of the partition. */
interface RecordPack {
  readonly partition: number;
  readonly type: string;
  readonly events: WatchEvent[];
}

/** Bytes of objects from which a pack takes no further change: what a reader unpacks in one go takes about a millisecond. */
const fullBytes = 256 * 1024;

/** Puts changes that follow each other in a partition, and are of one type, into packs. */
export function packsOf(records: readonly PartitionRecord[]): RecordPack[] {
  const packs: RecordPack[] = [];
  let last: RecordPack | undefined;
  let bytes = 0;
  for (const { partition, type, event } of records) {
    if (last === undefined || last.partition !== partition || last.type !== type || bytes >= fullBytes) {
      last = { partition, type, events: [] };
      bytes = 0;
      packs.push(last);
    }
    last.events.push(event);
    bytes += event.value.length + event.previousValue.length;
  }
  return packs;
}
