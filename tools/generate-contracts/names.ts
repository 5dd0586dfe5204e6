/** `WatchEvent` → `watchEvent`. */
export function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** `watch_event.proto` → `watch-event.ts`. */
export function generatedFileName(protoName: string): string {
  return `${protoName.replace(/\.proto$/, '').replaceAll('_', '-')}.ts`;
}

/** The interface that a service gets: `Storage` → `StorageService`, which leaves `Storage` to the domain. */
export function serviceInterfaceName(service: string): string {
  return `${service}Service`;
}

/** A doc comment from the comment of a `.proto` declaration, or from `fallback` where there is none. */
export function docComment(comment: string | null, fallback: string, indent = ''): string {
  const lines = (comment ?? fallback).replaceAll('*/', '* /').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map(line => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}
