/** Runs work under a key after all earlier work under the same key; other keys run independently. */
export type KeyedMutex = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** A mutex per key within this process, for changes in several steps. */
export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<void>>();
  return async (name, work) => {
    const previous = tails.get(name);
    const { promise: own, resolve: end } = Promise.withResolvers<void>();
    tails.set(name, own);
    try {
      await previous;
      return await work();
    } finally {
      if (tails.get(name) === own) tails.delete(name);
      end();
    }
  };
}
