import { TemplateError } from '../template-error.ts';
import type { GoValue } from '../values/go-value.ts';
import { mainTemplate } from './nodes.ts';

/** Steps that a run may still take. */
export interface Work {
  stepsLeft: number;
}

/** One run of one template: its variables, and what its messages name. */
export interface Frame {
  /** The text of all templates, for the places in messages. */
  readonly source: string;
  readonly name: string;
  /** How many templates have invoked this one. */
  readonly depth: number;
  /** From the outermost; a later one hides an earlier one of its name. */
  readonly variables: { readonly name: string; value: GoValue }[];
  readonly work: Work;
  readonly allowMissingKeys: boolean;
}

/** A place in a template, and the expression that stands there. */
export interface Place {
  readonly at: number;
  readonly shown: string;
}

/** Counts one step; throws a TemplateError when there are too many. */
export function takeStep(work: Work): void {
  if (--work.stepsLeft < 0) throw new TemplateError('the template needs too many steps');
}

/** The error of a run at a place, in the words of Go: `template: output:1:2: executing "output" at <.a>: …`. */
export function faultAt({ source, name }: Frame, { at, shown }: Place, message: string): TemplateError {
  const before = source.slice(0, at);
  const column = Buffer.byteLength(before.slice(before.lastIndexOf('\n') + 1));
  const line = before.split('\n').length;
  return new TemplateError(
    `template: ${mainTemplate}:${line}:${column}: executing ${JSON.stringify(name)} at <${shown}>: ${message}`,
  );
}
