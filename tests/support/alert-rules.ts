import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { AppProcess } from './app-process.ts';
import { until } from './fixture.ts';

/** A rule of infra/monitoring/rules.yml. */
type Rule = { alert: string; expr: string; for?: string };
type Labels = Readonly<Record<string, string>>;
type Sample = { name: string; labels: Labels; value: number };
/** What all targets showed at one moment. */
type Scrape = readonly Sample[];

/** The rules for Prometheus. */
export async function readRules(): Promise<Rule[]> {
  const file = new URL('../../infra/monitoring/rules.yml', import.meta.url);
  const { groups } = parse(await readFile(file, 'utf8')) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** The address of a process that was started with METRICS_PORT=0 and LOG_LEVEL=info. */
export async function metricsAddress(process: AppProcess): Promise<string> {
  let port: number | undefined;
  await until(`${process.name} serves metrics`, () => {
    const lines = process.output().split('\n');
    const line = lines.find((text) => text.includes('"msg":"metrics"'));
    port = line === undefined ? undefined : (JSON.parse(line) as { port: number }).port;
    return port !== undefined;
  });
  return `http://127.0.0.1:${port}`;
}

/** The metrics of a process; none while it is gone. */
export const metricsOf = async (process: AppProcess): Promise<string> => {
  if (!process.isRunning()) return '';
  const response = await fetch(`${await metricsAddress(process)}/metrics`).catch(() => null);
  return response?.ok ? response.text() : '';
};

/**
 * What each expression of the rules finds in scrapes, the newest last: a label for each alert. `rangeMax`: how many
 * scrapes its range has.
 */
const expressions: Readonly<Record<string, (scrapes: readonly Scrape[], rangeMax: number) => string[]>> = {
  'max by (id) (draftshelf_condition) == 1': (scrapes) =>
    newest(scrapes, 'draftshelf_condition').flatMap(({ labels, value }) =>
      value === 1 ? [labels.id ?? ''] : [],
    ),
  'absent(draftshelf_condition)': (scrapes) =>
    newest(scrapes, 'draftshelf_condition').length === 0 ? ['absent'] : [],
  'max by (pool) (draftshelf_db_connections{state="waiting"}) > 0': (scrapes) =>
    newest(scrapes, 'draftshelf_db_connections').flatMap(({ labels, value }) =>
      labels.state === 'waiting' && value > 0 ? [labels.pool ?? ''] : [],
    ),
  'sum by (stage) (rate(draftshelf_chunks_total{outcome=~"failed|dead"}[10m])) > 0.1 * sum by (stage) (rate(draftshelf_chunks_total[10m]))':
    (scrapes) => {
      const grown = increases(scrapes, 'draftshelf_chunks_total');
      const sumOf = (stage: string | undefined, isCounted: (labels: Labels) => boolean) =>
        grown.reduce(
          (sum, { labels, value }) => sum + (labels.stage === stage && isCounted(labels) ? value : 0),
          0,
        );
      const isFailure = ({ outcome }: Labels) => outcome === 'failed' || outcome === 'dead';
      return [...new Set(grown.map(({ labels }) => labels.stage ?? ''))].filter(
        (stage) => sumOf(stage, isFailure) > 0.1 * sumOf(stage, () => true),
      );
    },
  'node_filesystem_avail_bytes / node_filesystem_size_bytes < 0.1 or predict_linear(node_filesystem_avail_bytes[6h], 3 * 86400) < 0':
    (scrapes, rangeMax) => {
      const sizes = newest(scrapes, 'node_filesystem_size_bytes');
      const grown = increases(scrapes, 'node_filesystem_avail_bytes');
      // Three days are twelve ranges of 6 hours.
      const stepsAhead = 12 * rangeMax;
      return newest(scrapes, 'node_filesystem_avail_bytes').flatMap(({ labels, value }) => {
        const isSame = (one: Sample) => one.labels.mountpoint === labels.mountpoint;
        const share = value / (sizes.find(isSame)?.value ?? Number.NaN);
        const perStep = (grown.find(isSame)?.value ?? 0) / Math.max(1, scrapes.length - 1);
        return share < 0.1 || value + perStep * stepsAhead < 0 ? [labels.mountpoint ?? ''] : [];
      });
    },
};

const newest = (scrapes: readonly Scrape[], name: string) =>
  (scrapes.at(-1) ?? []).filter((one) => one.name === name);

/** By how much each series has changed since it was first there, as in `increase`. */
function increases(scrapes: readonly Scrape[], name: string): Sample[] {
  const keyOf = ({ labels }: Sample) => JSON.stringify(labels);
  return newest(scrapes, name).map((last) => {
    const all = scrapes.flat().filter((one) => one.name === name);
    const first = all.find((one) => keyOf(one) === keyOf(last));
    return { ...last, value: last.value - (first?.value ?? last.value) };
  });
}

/**
 * Prometheus on some processes. The times of the rules are counted in evaluations: a range is as long as `rangeMax` of
 * them, and an alert with `for` fires when its expression was true in two of them. `evaluate` scrapes and returns the
 * alerts that fire, each with its label.
 */
export function watchRules(
  rules: readonly Rule[],
  targets: Readonly<Record<string, () => Promise<string>>>,
  rangeMax = 3,
): { evaluate(): Promise<string[]> } {
  const scrapes: Scrape[] = [];
  const pending = new Set<string>();
  return {
    async evaluate() {
      const read = Object.entries(targets).map(async ([instance, scrape]) =>
        readSamples(await scrape(), instance),
      );
      scrapes.push((await Promise.all(read)).flat());
      scrapes.splice(0, scrapes.length - rangeMax);
      return rules.flatMap((rule) => {
        const find = expressions[rule.expr];
        if (!find) throw new Error(`The tests do not know the expression of ${rule.alert}: ${rule.expr}`);
        const found = new Set(find(scrapes, rangeMax).map((label) => `${rule.alert} ${label}`));
        const firing = [...found].filter((one) => rule.for === undefined || pending.has(one));
        for (const one of pending) if (one.startsWith(`${rule.alert} `)) pending.delete(one);
        for (const one of found) pending.add(one);
        return firing;
      });
    },
  };
}

/** The series of a scrape. */
function readSamples(text: string, instance: string): Sample[] {
  return [...text.matchAll(/^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/gim)].map(
    ([, name = '', inner = '', value]) => {
      const labels = [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', of = '']) => [
        key,
        of,
      ]);
      return { name, labels: { ...Object.fromEntries(labels), instance }, value: Number(value) };
    },
  );
}
