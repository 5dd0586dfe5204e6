/** Why a file is opened once more. */
export interface EditReason {
  readonly head: string;
  readonly details: readonly string[];
  /** Whether the version in the file may be sent as it is, by removing the comment. */
  readonly mayBeKept: boolean;
}

const introduction = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`;

/** The comments at the head of a file: how to edit it, and the reasons why it is opened once more. */
export function editHeader(reasons: readonly EditReason[]): string {
  const texts = reasons.map(({ head, details, mayBeKept }) =>
    [
      details.length === 0 ? head : `${head}:`,
      ...details.map(detail => `* ${detail}`),
      ...(mayBeKept ? ['To send the version below as it is, remove this line.'] : []),
      '',
    ]
      .map(line => `# ${line.replaceAll('\n', '\n# ')}`.trimEnd())
      .join('\n'),
  );
  return introduction + texts.map(text => `${text}\n`).join('');
}

/** A file without the comments at its head. */
export function withoutHeader(text: string): string {
  return text.replace(/^(?:#.*(?:\n|$))*/, '');
}
