import { startDistributedForm } from './distributed-form.ts';
import type { RunningForm } from './drivers/running-form.ts';
import { registerConformanceTests } from './register-conformance-tests.ts';

// Each test is run on both forms, and over both protocols: the standalone form is asked over HTTP/1.1.
registerConformanceTests('distributed, over HTTP/2', async options =>
  overHttp2(await startDistributedForm(options)),
);

/** The same form, asked over HTTP/2, as are those with other flags. */
function overHttp2(form: RunningForm): RunningForm {
  return {
    ...form,
    protocol: 'h2',
    withFlags: flags => form.withFlags(flags)?.then(overHttp2),
    [Symbol.asyncDispose]: () => form[Symbol.asyncDispose](),
  };
}
