/** What tests of other packages use of storage besides index.ts. */

export type { LocalStorageService } from './storage-service.ts';
