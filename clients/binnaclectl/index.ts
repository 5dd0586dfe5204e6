export { describeVerdict } from './histories/describe-verdict.ts';
export { HistoryFormatError, historyLines, readHistory } from './histories/records/read-history.ts';
export {
  type BookmarkRecord,
  type EventRecord,
  type FaultRecord,
  type HistoryRecord,
  isInCollection,
  type ListRecord,
  type ObjectPlace,
  type ObjectState,
  placeKey,
  type QuotaRecord,
  type ReadRecord,
  type SettledRecord,
  versionNumber,
  type WatchEndRecord,
  type WatchRecord,
  type WriteRecord,
} from './histories/records/records.ts';
export { type CheckName, checkNames, type Violation } from './histories/records/violation.ts';
export {
  type HistoryCounts,
  type Verdict,
  type VerifyOptions,
  verifyHistory,
} from './histories/verify-history.ts';
