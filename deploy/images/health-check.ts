/** Ends with 0 when the address given as the argument answers with a success, and with 1 otherwise. */
async function main(url: string | undefined): Promise<number> {
  if (url === undefined) throw new Error('usage: health-check.ts URL');
  const response = await fetch(url, { signal: AbortSignal.timeout(4_000) });
  return response.ok ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv[2]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
