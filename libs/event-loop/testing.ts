/** What tests of other packages use of event-loop besides index.ts. */

export { runCounted } from './run-counted.ts';
export { createWorkNotes } from './work-notes.ts';
