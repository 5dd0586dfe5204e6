/** Servers that tests share while their process runs one file after the other. */

export { endKept, keepBeyondFiles, keptUntilEnd } from './kept-until-end.ts';
