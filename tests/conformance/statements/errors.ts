import type { Statement } from '../drivers/conformance-server.ts';

/** The statements of spec 1, "Errors". */
export const errorStatements: readonly Statement[] = [
  {
    place: '1/Errors/400a',
    says: 'Unknown or duplicate fields under fieldValidation=Strict are answered with 400.',
  },
  {
    place: '1/Errors/400b',
    says: 'A list with a continue token and another version but no match mode is answered with 400.',
  },
  { place: '1/Errors/401a', says: 'Every operation can be answered with 401.' },
  { place: '1/Errors/401b', says: 'An invalid bearer token is rejected.' },
  { place: '1/Errors/403', says: 'A request that authorization denies is answered with 403.' },
  { place: '1/Errors/406', says: 'When no requested media type is served the answer is 406.' },
  { place: '1/Errors/410a', says: 'A watch from a version that has expired is answered with 410.' },
  { place: '1/Errors/410b', says: 'A continue token that has expired is answered with 410.' },
  { place: '1/Errors/410c', says: 'An exact version that is not available is answered with 410.' },
  { place: '1/Errors/410d', says: 'A version beyond the limits of the cache is answered with 410.' },
  {
    place: '1/Errors/504',
    says: 'A version that the store does not reach in reasonable time is answered with 504, perhaps with Retry-After.',
  },
];
