export { storageFlags } from './config.ts';
export { type ConversionOptions, convertNames } from './convert-names.ts';
export { createStorageService } from './storage-service.ts';
