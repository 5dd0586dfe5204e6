/**
 * The circles of a directed graph, one for each strongly connected group of more than one node (or of a node
 * that points to itself): a shortest way round, beginning at the group's first node.
 */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const covered = new Set<string>();
  for (const start of edges.keys()) {
    if (covered.has(start)) continue;
    const cycle = shortestWayRound(edges, start);
    if (cycle === undefined) continue;
    for (const node of cycle) covered.add(node);
    cycles.push(cycle);
  }
  return cycles;
}

function shortestWayRound(
  edges: ReadonlyMap<string, readonly string[]>,
  start: string,
): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const next of edges.get(node) ?? []) {
      if (next === start) return wayTo(cameFrom, start, node);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return undefined;
}

function wayTo(cameFrom: ReadonlyMap<string, string>, start: string, end: string): string[] {
  const way = [end];
  for (let node = end; node !== start; ) {
    node = cameFrom.get(node)!; // Every node but the start was reached from another.
    way.unshift(node);
  }
  return way;
}
