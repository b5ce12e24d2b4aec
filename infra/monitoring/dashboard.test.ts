import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';

const Ref = z.strictObject({ type: z.literal('prometheus'), uid: z.string() });
const gridWidth = 24;
const Count = z.int().min(0);

/** What Grafana's schema requires of a dashboard with time series, and its ranges. */
const Dashboard = z.strictObject({
  title: z.string().min(1),
  uid: z.string().min(8).max(40),
  schemaVersion: Count.max(2 ** 16 - 1),
  version: Count,
  refresh: z.string().regex(/^\d+[smhd]$/),
  time: z.strictObject({ from: z.string().regex(/^now-\d+[mhd]$/), to: z.literal('now') }),
  templating: z.strictObject({
    list: z.array(
      z.strictObject({
        name: z.string().min(1),
        type: z.literal('datasource'),
        query: z.literal('prometheus'),
      }),
    ),
  }),
  panels: z
    .array(
      z.strictObject({
        id: z.int().min(1),
        type: z.literal('timeseries'),
        title: z.string().min(1),
        datasource: Ref,
        gridPos: z.strictObject({
          h: z.int().min(1),
          w: z.int().min(1).max(gridWidth),
          x: Count.max(gridWidth - 1),
          y: Count,
        }),
        fieldConfig: z.strictObject({
          defaults: z.strictObject({ unit: z.string().min(1), min: z.number() }),
          overrides: z.array(z.never()),
        }),
        targets: z
          .array(
            z.strictObject({
              refId: z.string().regex(/^[A-Z]$/),
              expr: z.string().min(1),
              legendFormat: z.string().min(1),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
});

test('the dashboard has the fields that Grafana requires, and its panels lie side by side', async () => {
  const file = await readFile(new URL('dashboard.json', import.meta.url), 'utf8');
  const { panels, templating } = Dashboard.parse(JSON.parse(file));
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const sources = templating.list.map(({ name }) => `\${${name}}`);
  const taken = new Set<string>();
  for (const { title, datasource, gridPos, targets } of panels) {
    expect(sources, title).toContain(datasource.uid);
    expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
    const { x, y, w, h } = gridPos;
    expect(x + w, title).toBeLessThanOrEqual(gridWidth);
    for (let row = y; row < y + h; row += 1) {
      for (let column = x; column < x + w; column += 1) {
        expect(taken, title).not.toContain(`${row} ${column}`);
        taken.add(`${row} ${column}`);
      }
    }
  }
});
