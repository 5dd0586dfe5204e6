import type { RunningForm, StartForm } from './running-form.ts';

/** The same form, asked over HTTP/2, as are those with other flags. */
export function overHttp2(start: StartForm): StartForm {
  return async options => askedOverHttp2(await start(options));
}

function askedOverHttp2(form: RunningForm): RunningForm {
  return {
    ...form,
    protocol: 'h2',
    withFlags: flags => form.withFlags(flags)?.then(askedOverHttp2),
    [Symbol.asyncDispose]: () => form[Symbol.asyncDispose](),
  };
}
