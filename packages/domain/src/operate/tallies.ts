/** Counters of processes, for conditions and metrics. */
export const tallyNames = [
  /** A chunk was claimed again after two or more claims that never ended: their workers were killed. */
  'claims-repeated',
  /** The sweep took a chunk back that the queue had lost. */
  'queue-repairs',
  /** Postgres refused to work: its disk, memory or connections are used up, or it was stopped. */
  'database-refusals',
  /** Object storage failed or did not answer. */
  'storage-errors',
  'store-calls',
  /** Calls that the store throttled. */
  'store-throttled',
  /** Calls that the store refused as it would refuse any: the token, the plan, a locked shop. */
  'store-refusals',
  /** Calls that the store answered with another version of its API. */
  'store-versions',
  'http-requests',
  /** Requests that were answered with 5xx. */
  'http-failures',
  /** Timed reads, and timed reads of more than a second. */
  'http-timed',
  'http-slow',
] as const;
export type TallyName = (typeof tallyNames)[number];

export type Counts = Partial<Record<TallyName, number>>;

/** Counts of a process. */
export type Tallies = {
  add(name: TallyName, count?: number): void;
  /** The counts since the last call. */
  take(): Counts;
  /** Adds counts that were taken and could not be stored. */
  giveBack(counts: Counts): void;
  /** The count since the process began. */
  total(name: TallyName): number;
};

/** Begins to count. */
export function createTallies(): Tallies {
  const totals = new Map<TallyName, number>();
  let since: Counts = {};
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
