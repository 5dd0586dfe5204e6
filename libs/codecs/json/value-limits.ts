/**
 * How many values (members of objects and elements of lists) a body may have, whatever its encoding: so many can be read
 * and checked without holding up other requests. An object that a client read comes back with its managed fields, which
 * may have as many members as the rest of it.
 */
export const bodyValueLimit = 100_000;
