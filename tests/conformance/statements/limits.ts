import type { Statement } from '../drivers/conformance-server.ts';

/** The statements of spec 1, "Limits". */
export const limitStatements: readonly Statement[] = [
  { place: '1/Limits/watch history', says: 'The history of watches is kept for 5 minutes by default.' },
  { place: '1/Limits/continue token', says: 'A continue token lives for 5 minutes by default.' },
  { place: '1/Limits/port numbers', says: 'Port numbers are from 1 to 65535.' },
];
