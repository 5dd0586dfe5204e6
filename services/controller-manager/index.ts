export { controllerFlags, controllerManagerFlags } from './config.ts';
export { runControllerManager } from './controller-manager.ts';
export { readAccountFiles } from './service-accounts/read-account-files.ts';
