export { storageFlags } from './config.ts';
export { conversionFlags, convertNames } from './convert-names.ts';
export { createStorageService } from './storage-service.ts';
