/** A fault at one place of a text that is being read. */
export class SyntaxIssue extends Error {
  /** An index into the text. */
  readonly index: number;

  constructor(index: number, message: string) {
    super(message);
    this.name = 'SyntaxIssue';
    this.index = index;
  }
}

/** An issue in the words that existing clients look for. */
export function syntaxIssue(index: number, message: string): SyntaxIssue {
  return new SyntaxIssue(index, `Syntax error: ${message}`);
}
