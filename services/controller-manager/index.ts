export { controllerFlags, controllerManagerFlags } from './config.ts';
export { type ControllerManagerOptions, runControllerManager } from './controller-manager.ts';
