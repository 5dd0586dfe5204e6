export { makeDataFolder } from './backends/embedded/data-folder.ts';
export { storageFlags } from './config.ts';
export { convertNames } from './convert-names.ts';
export { openMaintenance, type StoreMaintenance } from './open-maintenance.ts';
export { createStorageService } from './storage-service.ts';
