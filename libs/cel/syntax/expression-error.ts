import { createSourceText, type SourceText } from './source-text.ts';

/** One error in an expression. */
export interface ExpressionIssue {
  /** Offset in code points. */
  readonly offset: number;
  readonly message: string;
}

/** Error for an expression that cannot be parsed or has type errors. The message shows every issue. */
export class ExpressionError extends Error {
  readonly issues: readonly ExpressionIssue[];

  constructor(text: string, issues: readonly ExpressionIssue[]) {
    const source = createSourceText(text);
    const shown = [...issues].sort((one, other) => one.offset - other.offset);
    super(shown.map(issue => formatIssue(source, issue)).join('\n'));
    this.name = 'ExpressionError';
    this.issues = shown;
  }
}

/** Longer lines, in characters, are not shown in messages. */
const longestShownLine = 2000;

/** Formats `ERROR: <input>:1:5: message`, the line, and a mark below the position. */
function formatIssue(source: SourceText, { offset, message }: ExpressionIssue): string {
  const { line, column, lineText } = source.findPlace(offset);
  const what = `ERROR: <input>:${line}:${column}: ${message}`;
  if (lineText.length > longestShownLine) return what;
  return `${what}\n | ${lineText}\n | ${'.'.repeat(column - 1)}^`;
}
