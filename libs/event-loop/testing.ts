/** The event loop for tests of other packages, besides index.ts. */

export { runCounted } from './run-counted.ts';
export { createWorkNotes } from './work-notes.ts';
