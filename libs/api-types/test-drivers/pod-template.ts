/** A pod template that is complete but for what `spec` adds. */
export function podTemplate(
  spec: Record<string, unknown> = {},
  labels: Record<string, string> = { app: 'x' },
) {
  return { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }], ...spec } };
}

/** A selector of the labels that `podTemplate` bears, and such a template. */
export function selectorAndTemplate(spec: Record<string, unknown> = {}) {
  return { selector: { matchLabels: { app: 'x' } }, template: podTemplate(spec) };
}
