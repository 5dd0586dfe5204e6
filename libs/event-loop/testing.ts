/** What tests of other packages use of event-loop besides index.ts. */

export { createWorkNotes } from './work-notes.ts';
