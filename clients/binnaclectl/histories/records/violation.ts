import type { HistoryRecord } from './records.ts';

/** The checks of a history, in the order in which they run. */
const checkNames = [
  'versions',
  'registers',
  'reads',
  'watches',
  'addresses',
  'quotas',
  'namespaces',
] as const;

/** The name of a check. */
export type CheckName = (typeof checkNames)[number];

/** Something that the server must not have done. */
export interface Violation {
  readonly check: CheckName;
  readonly message: string;
  /** The records that show it, the one that broke the promise last. */
  readonly records: readonly HistoryRecord[];
}
