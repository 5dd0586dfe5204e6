export { backUpStore, type MadeBackup } from './back-up-store.ts';
export { makeDataFolder, usingDataFolder } from './backends/embedded/data-folder.ts';
export { readBackup } from './backup/read-backup.ts';
export { encryptionFlags, encryptionFromFlags, storageFlags } from './config.ts';
export { convertNames } from './convert-names.ts';
export { openMaintenance, type StoreMaintenance } from './open-maintenance.ts';
export { restoreBackup } from './restore-backup.ts';
export { createStorageService } from './storage-service.ts';
