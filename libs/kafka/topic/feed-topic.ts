/** Number of the layout of records; grows whenever `partitionOf` or `encodeFeedRecord` (libs/storage-contract) changes. */
const layout = 3;

/**
 * The topic that carries the feed of that name. The layout is part of it: publishers and readers of versions with
 * different layouts never share a topic, whose records they would misread, or look for in the wrong partition.
 */
export function feedTopicFromName(name: string): string {
  return `${name}-${layout}`;
}
