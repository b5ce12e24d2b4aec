/** Runs work under a name after all work that was given under that name before; other names are not waited for. */
export type KeyedMutex = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Turns of this process alone: whoever changes a thing in several steps takes a turn at its name. */
export function createKeyedMutex(): KeyedMutex {
  const lasts = new Map<string, Promise<void>>();
  return async (name, work) => {
    const before = lasts.get(name);
    const { promise: mine, resolve: end } = Promise.withResolvers<void>();
    lasts.set(name, mine);
    try {
      await before;
      return await work();
    } finally {
      if (lasts.get(name) === mine) lasts.delete(name);
      end();
    }
  };
}
