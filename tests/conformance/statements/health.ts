import type { Statement } from '../drivers/conformance-server.ts';

/** The statements of spec 1, "Health endpoints". */
export const healthStatements: readonly Statement[] = [
  { place: '1/Health endpoints/healthz', says: '/healthz, deprecated, still answers.' },
  { place: '1/Health endpoints/livez', says: '/livez tells whether the server is alive.' },
  { place: '1/Health endpoints/readyz', says: '/readyz tells whether the server may get requests.' },
  {
    place: '1/Health endpoints/single checks',
    says: '/livez/{check} and /readyz/{check} are about one check.',
  },
  { place: '1/Health endpoints/status', says: 'Status 200 means healthy, live or ready, whatever the body.' },
  {
    place: '1/Health endpoints/verbose',
    says: 'verbose prints a line for each check, and at the end that the healthz check passed.',
  },
  { place: '1/Health endpoints/exclude', says: 'exclude skips a check and says so.' },
  { place: '1/Health endpoints/combined', says: 'verbose and exclude go together.' },
  { place: '1/Health endpoints/check names', says: 'Checks have the names that the verbose answer prints.' },
  {
    place: '1/Health endpoints/--livez-grace-period',
    says: '--livez-grace-period is the longest time that a start may take.',
  },
  {
    place: '1/Health endpoints/--shutdown-delay-duration',
    says: '--shutdown-delay-duration: the server goes on for that long once /readyz refuses.',
  },
  { place: '1/Health endpoints/metrics', says: '/metrics shows the metrics of the server.' },
];
