/** Maximum length of a path in characters; longer paths do not occur in types. */
const longestPath = 1024;

/** Formats a path of keys and indexes, for example `spec.ports[0].port`; '' for the root; cut after 1,024 characters. */
export function pathText(path: Iterable<string | number>): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step.slice(0, longestPath + 1) : `.${step.slice(0, longestPath)}`;
    // A body can contain many paths through one long key.
    if (text.length > longestPath) return `${text.slice(0, longestPath)}…`;
  }
  return text;
}
