/**
 * Returns the outcome of `work`, or after so many milliseconds what `onLate` returns or throws. The work itself is not
 * stopped; its later outcome is ignored.
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
