import asyncHooks, {
  AsyncLocalStorage,
  AsyncResource,
  type AsyncResourceOptions,
  createHook,
  executionAsyncId,
  type HookCallbacks,
} from 'node:async_hooks';

/**
 * Loaded into a process of tests before node:test, which has to know the test that code belongs to: it looks for the
 * test that registers a subtest, and for the one that an uncaught error fails. For that it hooks itself into each promise
 * and each handle of the process, and has the end of each reported by the garbage collector, which takes a tenth of the
 * processor time of tests. Here the running test is kept in the asynchronous context instead, which needs no hook.
 *
 * node:test takes the three functions from the public module when it is loaded, and only then finds them replaced. A
 * version that takes them elsewhere works as it does without this file; a test of the runner says so.
 */
Object.assign(asyncHooks, {
  AsyncResource: class extends AsyncResource {
    constructor(type: string, options?: AsyncResourceOptions) {
      super(type, options);
      for (const init of inits) init(this.asyncId(), type, this.triggerAsyncId(), this);
    }

    override runInAsyncScope<This, Result>(
      run: (this: This, ...args: unknown[]) => Result,
      thisArgument?: This,
      ...args: unknown[]
    ): Result {
      const runWithin = () => runningScope.run(this.asyncId(), () => Reflect.apply(run, thisArgument, args));
      return super.runInAsyncScope(runWithin);
    }
  },
  createHook: ({ init = () => {} }: HookCallbacks) => ({
    enable: () => inits.add(init),
    disable: () => inits.delete(init),
  }),
  executionAsyncId: () => runningScope.getStore() ?? executionAsyncId(),
});
/** The id of the test, suite or hook whose code runs, or has led to the code that does. */
const runningScope = new AsyncLocalStorage<number>();
/** Called with each test, suite and hook that is made. */
const inits = new Set<NonNullable<HookCallbacks['init']>>();

process.getBuiltinModule('node:test');
Object.assign(asyncHooks, { AsyncResource, createHook, executionAsyncId });
