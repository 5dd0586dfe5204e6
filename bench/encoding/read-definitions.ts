/**
 * A process that reads all definitions once and prints how many milliseconds that took, and how many it was together
 * with the loading of the modules that hold the rules.
 */
const start = performance.now();
const { createTypeRegistry } = await import('@binnacle/api-types');
const loaded = performance.now();
createTypeRegistry();
const end = performance.now();
console.log(`${end - loaded} ${end - start}`);
