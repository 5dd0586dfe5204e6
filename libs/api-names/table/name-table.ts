/** A name in both vocabularies: that of `cluster`, then that of `kubernetes`. */
export type NameRow = readonly [cluster: string, kubernetes: string];

/** Names of one sort by what they are called in the code. */
export type NameTable = Readonly<Record<string, NameRow>>;
