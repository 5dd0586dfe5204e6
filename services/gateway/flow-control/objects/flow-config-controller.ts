import type { FlowControl } from '../flow-control.ts';
import { type DanglingStatus, type DanglingStatusOptions, startDanglingStatus } from './dangling-status.ts';
import { followFlowConfig } from './follow-flow-config.ts';

/** Options of the controller. */
interface FlowConfigControllerOptions extends DanglingStatusOptions {
  /** Undefined: the configuration has no effect, but the condition Dangling is still kept. */
  readonly flowControl: FlowControl | undefined;
}

/** Keeps flow control and the status of FlowSchemas in step with what is stored. */
interface FlowConfigController extends Disposable {
  /** Begins to follow the watch cache, which must be ready. */
  start(): void;
}

/** Creates the controller of one gateway. */
export function createFlowConfigController(options: FlowConfigControllerOptions): FlowConfigController {
  const stops: (() => void)[] = [];
  return {
    start() {
      const status: DanglingStatus = startDanglingStatus(options);
      stops.push(
        followFlowConfig(
          options,
          config => {
            options.flowControl?.configure(config);
            status.check();
          },
          // A client may have taken the condition out.
          status.check,
        ),
        () => status[Symbol.dispose](),
      );
    },
    [Symbol.dispose]() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}
