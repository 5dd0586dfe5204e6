export { storageFlags } from './config.ts';
export { createStorageService } from './storage-service.ts';
