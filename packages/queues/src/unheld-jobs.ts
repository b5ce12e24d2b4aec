/** A published chunk that no live connection holds, although its job is active or delayed. */
export type UnheldJob = { id: number; publication: number; claims: number; attempts: number };

/** Given what a sweep saw, returns the jobs that have been unheld for too long. */
export type WatchUnheld = <Job extends UnheldJob>(jobs: readonly Job[]) => Job[];

/**
 * BullMQ compares locks and delays with the time of day: after a clock was set back by an hour, it would return a
 * killed worker's job, or the next attempt, an hour late. `now`: a clock that cannot be set.
 */
export function watchUnheld(msMax: number, now = () => performance.now()): WatchUnheld {
  let since = new Map<string, number>();
  return (jobs) => {
    const seen = new Map<string, number>();
    const tooLong = jobs.filter(({ id, publication, claims, attempts }) => {
      // A claim or an attempt in between makes it another entry.
      const key = `${id}-${publication}-${claims}-${attempts}`;
      const first = since.get(key) ?? now();
      seen.set(key, first);
      return now() - first >= msMax;
    });
    since = seen;
    return tooLong;
  };
}
