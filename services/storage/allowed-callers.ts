import type { StorageService } from '@binnacle/proto';
import type { AllowedCallers } from '@binnacle/rpc';

/** Who may do what with the state: only gateways write; only storage itself compacts. */
export const allowedCallers: AllowedCallers<StorageService> = {
  gateway: ['get', 'list', 'transact', 'typeRevision', 'changes', 'space'],
  admission: ['get', 'list', 'typeRevision', 'changes'],
  'token-review': ['get'],
};
