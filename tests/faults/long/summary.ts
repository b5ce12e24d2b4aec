/** Summary of the long run: how often each fault was injected, the times to recover, and the failures. */
export type Summary = {
  add(backend: string, name: string, restMs: number): void;
  wrong(backend: string, seed: number, words: string): void;
  table(): string;
  failures(): readonly string[];
};

export function createSummary(): Summary {
  const times = new Map<string, number[]>();
  const failures: string[] = [];
  return {
    add(backend, name, restMs) {
      const key = `${backend}  ${name}`;
      times.set(key, [...(times.get(key) ?? []), restMs]);
    },
    wrong(backend, seed, words) {
      failures.push(`${backend}, seed ${seed}: ${words}`);
    },
    table() {
      const width = Math.max(0, ...[...times.keys()].map((key) => key.length));
      const lines = [...times]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, all]) => `${key.padEnd(width)}  ${String(all.length).padStart(4)} times  ${spread(all)}`);
      return [...lines, `${failures.length} rounds failed`, ...failures].join('\n');
    },
    failures: () => failures,
  };
}

/** Median, 95th percentile and maximum. */
export function spread(all: readonly number[]): string {
  const sorted = [...all].sort((a, b) => a - b);
  const at = (share: number) =>
    seconds(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return `p50 ${at(0.5)}  p95 ${at(0.95)}  max ${at(1)}`;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
