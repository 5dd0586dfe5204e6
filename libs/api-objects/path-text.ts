/** Paths are shown up to this length; so long ones lead to no field that a type has. */
const longestPath = 1024;

/** A path of keys and positions as text, for example `spec.ports[0].port`; '' for the root; cut after 1024 characters. */
export function pathText(path: Iterable<string | number>): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step.slice(0, longestPath + 1) : `.${step.slice(0, longestPath)}`;
    // A body has room for many paths through one long key.
    if (text.length > longestPath) return `${text.slice(0, longestPath)}…`;
  }
  return text;
}
