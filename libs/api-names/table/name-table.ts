/** A name in both vocabularies. */
export type NameRow = readonly [cluster: string, kubernetes: string];

/** Names of one category by their identifier in the code. */
export type NameTable = Readonly<Record<string, NameRow>>;
