/** How types are spread over the partitions of a feed; grows whenever `partitionOf` (libs/storage-contract) changes. */
const layout = 2;

/**
 * The topic that carries the feed of that name. The layout is part of it: publishers and readers of versions with
 * different layouts never share a topic, in which readers would look for a type in the wrong partition.
 */
export function feedTopicOf(name: string): string {
  return `${name}-${layout}`;
}
