import type { Statement } from '../drivers/conformance-server.ts';

/** The statements of spec 1, "Events". */
export const eventsStatements: readonly Statement[] = [
  { place: '1/Events/1a', says: 'A watch reports ADDED, MODIFIED and BOOKMARK events.' },
  { place: '1/Events/1b', says: 'It reports the results of create, delete, apply and update.' },
  {
    place: '1/Events/2a',
    says: 'A deprecated endpoint answers with a Warning header of RFC 7234, section 5.5.',
  },
  {
    place: '1/Events/2b',
    says: 'Its use has the audit annotation cluster.io/deprecated with the value true.',
  },
  {
    place: '1/Events/2c',
    says: 'The gauge apiserver_requested_deprecated_apis is 1 for it, with five labels.',
  },
  { place: '1/Events/2d', says: 'The gauge can be joined to apiserver_request_total.' },
];
