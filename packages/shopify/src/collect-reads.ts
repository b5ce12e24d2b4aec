/** Reads values by id for a group of callers. Ids without a value are absent from the result. */
export type BatchedRead<T> = (ids: readonly string[], group?: string) => Promise<Map<string, T>>;

type Asked<T> = {
  ids: readonly string[];
  group: string;
  resolve(found: Map<string, T>): void;
  reject(error: unknown): void;
};

const checkEveryMs = 50;

/**
 * Combines the ids of several callers in one request, which costs the same for one product and for a hundred. The
 * request is sent when it has `idsMax` ids, after `waitMs`, or once the group of a waiting caller is idle. If the
 * request fails, all callers get its error.
 */
export function batchReads<T>(
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  limits: { idsMax: number; waitMs: number; isIdle?: (group: string) => boolean },
): BatchedRead<T> {
  let asked: Asked<T>[] = [];
  let since = 0;
  let timer: NodeJS.Timeout | undefined;

  function isDue(): boolean {
    const ids = asked.reduce((sum, one) => sum + one.ids.length, 0);
    if (ids >= limits.idsMax || performance.now() - since >= limits.waitMs) return true;
    return asked.some(({ group }) => limits.isIdle?.(group));
  }

  function check(): void {
    if (asked.length === 0 || !isDue()) return;
    clearInterval(timer);
    timer = undefined;
    const answered = asked;
    asked = [];
    void answer(answered);
  }

  async function answer(callers: readonly Asked<T>[]): Promise<void> {
    try {
      const found = await read([...new Set(callers.flatMap((one) => one.ids))]);
      for (const { ids, resolve } of callers) {
        resolve(
          new Map(
            ids.flatMap((id) => {
              const value = found.get(id);
              return value === undefined ? [] : [[id, value] as const];
            }),
          ),
        );
      }
    } catch (error) {
      for (const { reject } of callers) reject(error);
    }
  }

  return (ids, group = '') => {
    if (ids.length === 0) return Promise.resolve(new Map());
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, T>>();
    if (asked.length === 0) {
      since = performance.now();
      timer = setInterval(check, Math.min(checkEveryMs, limits.waitMs));
    }
    asked.push({ ids, group, resolve, reject });
    check();
    return promise;
  };
}
