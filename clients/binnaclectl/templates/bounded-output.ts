import { TemplateError } from './template-error.ts';

/** The longest output of a template for one object or list, in characters. */
export const longestOutput = 64 * 1024 * 1024;

/** The text that a template writes; throws a TemplateError when it becomes too long. */
export class BoundedOutput {
  readonly #longest: number;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(longest: number = longestOutput) {
    this.#longest = longest;
  }

  write(text: string): void {
    this.#length += text.length;
    if (this.#length > this.#longest)
      throw new TemplateError(`the output has more than ${this.#longest} characters`);
    this.#parts.push(text);
  }

  text(): string {
    return this.#parts.join('');
  }
}
