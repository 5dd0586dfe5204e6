/** The program itself, for its tests; histories of clients, their records and their checks, for the fault suite. */

export { describeVerdict } from './histories/describe-verdict.ts';
export { historyLines } from './histories/records/read-history.ts';
export {
  type EventRecord,
  type FaultRecord,
  type HistoryRecord,
  type ListRecord,
  type ObjectPlace,
  placeKey,
  versionNumber,
  type WriteRecord,
} from './histories/records/records.ts';
export type { CheckName, Violation } from './histories/records/violation.ts';
export {
  type Verdict,
  verifyHistory,
} from './histories/verify-history.ts';
export { runCommandLine } from './run-command-line.ts';
