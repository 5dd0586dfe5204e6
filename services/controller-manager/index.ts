export { type ControllerManagerOptions, runControllerManager } from './controller-manager.ts';
