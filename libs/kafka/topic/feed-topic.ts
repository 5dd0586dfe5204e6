/** Version of the record layout; incremented whenever `partitionOf` or `encodeFeedRecord` (libs/storage-contract) changes. */
const layout = 3;

/**
 * Returns the topic of a feed. The layout version is part of its name, so that publishers and readers with different
 * layouts never share a topic: they would misread records, or look for them in the wrong partition.
 */
export function feedTopicFromName(name: string): string {
  return `${name}-${layout}`;
}
