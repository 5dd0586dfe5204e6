export { controllerFlags } from './config.ts';
export { type ControllerManagerOptions, runControllerManager } from './controller-manager.ts';
