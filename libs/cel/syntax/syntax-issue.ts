/** A syntax error at a position of a text that is being parsed. */
export class SyntaxIssue extends Error {
  /** Index in the text. */
  readonly index: number;

  constructor(index: number, message: string) {
    super(message);
    this.name = 'SyntaxIssue';
    this.index = index;
  }
}

/** Creates an issue with the prefix that existing Kubernetes clients expect. */
export function syntaxIssue(index: number, message: string): SyntaxIssue {
  return new SyntaxIssue(index, `Syntax error: ${message}`);
}
