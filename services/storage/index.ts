export { storageFlags } from './config.ts';
export { type ConversionOptions, convertNames } from './conversion/open-for-conversion.ts';
export { createStorageService } from './storage-service.ts';
