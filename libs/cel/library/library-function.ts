import type { Frame } from '../frame/frame.ts';
import type { Value } from '../values/value.ts';

/**
 * A function of the library under its name: it looks at what it is given and charges its cost before it works. No argument
 * is an error; what it cannot take it answers with undefined.
 */
export type LibraryFunction = (args: readonly Value[], frame: Frame) => Value | undefined;

/** Functions by name. */
export type FunctionLibrary = Readonly<Record<string, LibraryFunction>>;

/** A text that functions make is at most of this many units. */
export const maxTextLength: number = 2 ** 24;
