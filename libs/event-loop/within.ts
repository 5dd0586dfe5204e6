/**
 * The outcome of some work, or, when it takes longer than so many milliseconds, what `onLate` returns or throws. The work itself
 * is not stopped by this; what becomes of it later is ignored.
 */
export function within<T, Late>(
  work: Promise<T>,
  milliseconds: number,
  onLate: () => Late,
): Promise<T | Late> {
  const { promise, resolve, reject } = Promise.withResolvers<T | Late>();
  const timer = setTimeout(() => {
    try {
      resolve(onLate());
    } catch (error) {
      reject(error);
    }
  }, milliseconds);
  work.finally(() => clearTimeout(timer)).then(resolve, reject);
  return promise;
}
