/** Names of counters that each process keeps for conditions and metrics. */
export const tallyNames = [
  /** Claims of chunks for which at least two earlier claims never ended, because the workers were killed. */
  'claims-repeated',
  /** Chunks that the queue had lost and the sweep made pending again. */
  'queue-repairs',
  /** Statements that Postgres refused: its disk, memory or connections are used up, or Postgres was stopped. */
  'database-refusals',
  /** Failures and timeouts of the object storage. */
  'storage-errors',
  'store-calls',
  /** Calls that the store throttled. */
  'store-throttled',
  /** Calls that the store refused for a reason that affects all calls, such as the token, the plan or a locked shop. */
  'store-refusals',
  /** Calls that the store answered with another version of its API. */
  'store-versions',
  'http-requests',
  /** Requests answered with a 5xx status. */
  'http-failures',
  /** HTTP reads that were timed, and those of them that took more than a second. */
  'http-timed',
  'http-slow',
] as const;
export type TallyName = (typeof tallyNames)[number];

export type TallyCounts = Partial<Record<TallyName, number>>;

/** Counters of a process. */
export type Tallies = {
  add(name: TallyName, count?: number): void;
  /** Returns the counts since the last call. */
  take(): TallyCounts;
  /** Adds counts back that `take` returned and the caller could not store. */
  giveBack(counts: TallyCounts): void;
  /** Returns the count since the process began. */
  total(name: TallyName): number;
};

/** Returns counters that start at 0. */
export function createTallies(): Tallies {
  const totals = new Map<TallyName, number>();
  let since: TallyCounts = {};
  const addTo = (name: TallyName, count: number) => {
    since[name] = (since[name] ?? 0) + count;
  };
  return {
    add(name, count = 1) {
      totals.set(name, (totals.get(name) ?? 0) + count);
      addTo(name, count);
    },
    take() {
      const taken = since;
      since = {};
      return taken;
    },
    giveBack(counts) {
      for (const name of tallyNames) if (counts[name] !== undefined) addTo(name, counts[name]);
    },
    total: (name) => totals.get(name) ?? 0,
  };
}
