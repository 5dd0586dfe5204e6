export { controllerFlags, controllerManagerFlags } from './config.ts';
export { runControllerManager } from './controller-manager.ts';
