import type { Access, PolicyRule } from '../authorizer.ts';
import { ruleAllows } from '../policy-rule.ts';

/** A rule with its source. */
interface Entry<Source> {
  readonly source: Source;
  readonly rule: PolicyRule;
}

/**
 * Rules indexed by resource and path, so that a look-up tries only the rules that may allow the access. Its size is
 * that of the rules; a change costs time in proportion to the rules that change.
 */
export class RuleIndex<Source> {
  readonly #entries = new Map<Source, Entry<Source>[]>();
  /** By a resource or path as rules write it; all patterns of paths share one bucket. */
  readonly #buckets = new Map<string, Set<Entry<Source>>>();

  /** Replaces the rules of a source. */
  put(source: Source, rules: readonly PolicyRule[]): void {
    this.remove(source);
    const entries = rules.map(rule => ({ source, rule }));
    this.#entries.set(source, entries);
    for (const entry of entries)
      for (const key of keysFromRule(entry.rule))
        this.#buckets.set(key, (this.#buckets.get(key) ?? new Set()).add(entry));
  }

  /** Removes the rules of a source. */
  remove(source: Source): void {
    for (const entry of this.#entries.get(source) ?? [])
      for (const key of keysFromRule(entry.rule)) {
        const bucket = this.#buckets.get(key);
        bucket?.delete(entry);
        if (bucket?.size === 0) this.#buckets.delete(key);
      }
    this.#entries.delete(source);
  }

  /** A source with a rule that allows an access. */
  find(access: Access): Source | undefined {
    for (const key of keysFor(access))
      for (const { source, rule } of this.#buckets.get(key) ?? [])
        if (ruleAllows(rule, access)) return source;
    return undefined;
  }
}

const anyPath = 'path *';

function* keysFromRule({ resources, nonResourceURLs }: PolicyRule): Generator<string> {
  for (const resource of resources) yield `resource ${resource}`;
  for (const pattern of nonResourceURLs) yield pattern.endsWith('*') ? anyPath : `path ${pattern}`;
}

function keysFor(access: Access): string[] {
  if (access.kind === 'path') return [`path ${access.path}`, anyPath];
  const { resource, subresource } = access;
  if (subresource === '') return [`resource ${resource}`, 'resource *'];
  return [`resource ${resource}/${subresource}`, `resource */${subresource}`, 'resource *'];
}
