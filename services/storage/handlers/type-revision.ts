import type { StorageService } from '@binnacle/proto';
import { type Revision, type Storage, storageKeyFrom } from '@binnacle/storage-contract';
import { answer } from './answer.ts';

/** `Storage.TypeRevision`: the revision of the last write of a type, or of the store. `onRevision` is called with each revision returned. */
export function typeRevisionHandler(
  storage: Pick<Storage, 'typeRevision'>,
  onRevision: (revision: Revision) => void,
): StorageService['typeRevision'] {
  return ({ typePrefix }, call) =>
    answer(async () => {
      const prefix = typePrefix === '' ? undefined : storageKeyFrom(typePrefix);
      const revision = await storage.typeRevision(prefix, call);
      onRevision(revision);
      return { revision };
    });
}
