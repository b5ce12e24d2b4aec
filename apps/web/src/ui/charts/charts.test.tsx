import { createPriceBars, createPriceCounter } from '@draftshelf/domain/reading/price-counts';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Bars, StackedBar } from './bars.tsx';
import { Gauge, LineChart, Timeline } from './spark.tsx';

const million = 1_000_000;

/** Numbers of an attribute or a style in the order of the markup, without their unit. */
const numbersOf = (markup: string, name: string) =>
  Array.from(markup.matchAll(new RegExp(`[ "]${name}[:=]"?(-?[\\d.e+-]+)`, 'g')), ([, number]) =>
    Number(number),
  );

/** The markup of a chart, which has only finite numbers and nothing outside of its width. */
function shown(chart: ReactNode): string {
  const markup = renderToStaticMarkup(chart).replace(/<defs>.*<\/defs>/, '');
  expect(markup).not.toMatch(/NaN|Infinity|undefined/);
  for (const name of ['x', 'x1', 'x2', 'width', 'left']) {
    for (const number of numbersOf(markup, name)) {
      expect(number, name).toBeGreaterThanOrEqual(0);
      expect(number, name).toBeLessThanOrEqual(100);
    }
  }
  return markup;
}

const bars = (counts: readonly number[]) => (
  <Bars
    label="Prices"
    heightPx={50}
    ends={{ words: ['$1', '$9'], places: [0, 0.8] }}
    // Narrow bars have the same name.
    bars={counts.map((count) => ({
      name: '$0.05',
      words: `${count}`,
      parts: [{ kind: 'level', count }],
      value: `${count}`,
    }))}
    marks={[{ place: 0.5, words: 'Median' }]}
    summary="No prices"
    table={{ head: ['From', 'Rows'], rows: counts.map((count) => ['$0.05', `${count}`]) }}
  />
);

test('bars of no value, of one, and of a million', () => {
  const none = shown(bars([]));
  expect(none).toContain('aria-valuetext="Nothing to show"');
  expect(numbersOf(none, 'height')).toEqual([66]);
  expect(numbersOf(shown(bars([0])), 'height')).toEqual([66, 0]);
  expect(numbersOf(shown(bars([1])), 'height')).toEqual([66, 50]);
  // One beside a million is seen, and only the highest carries its value.
  const beside = shown(bars([1, million]));
  expect(numbersOf(beside, 'height')).toEqual([66, 2, 50]);
  expect(numbersOf(beside, 'left')).toEqual([75]);

  const counter = createPriceCounter();
  for (let row = 0; row < million; row += 1) counter.add(1 + (row % 999));
  const prices = createPriceBars(counter.counts(), 20);
  expect(prices.reduce((sum, { count }) => sum + count, 0)).toBe(million);
  const heights = numbersOf(shown(bars(prices.map(({ count }) => count))), 'height').slice(1);
  expect(heights).toHaveLength(20);
  expect(Math.max(...heights)).toBe(50);
});

const stacked = (counts: readonly number[], whole: number) => (
  <StackedBar parts={counts.map((count, at) => ({ kind: `kind-${at}`, count }))} whole={whole} />
);

test('a stack of no value, of one, and of a million', () => {
  expect(shown(stacked([], 0))).toBe('');
  expect(shown(stacked([0], 0))).toBe('');
  expect(numbersOf(shown(stacked([1], 1)), 'width')).toEqual([100]);
  expect(numbersOf(shown(stacked([million - 1, 1], million)), 'width')).toEqual([99.9999, 0.0001]);
  expect(numbersOf(shown(stacked([million, million], million)), 'width')).toEqual([50, 50]);
});

const spark = (values: readonly (number | null)[]) => (
  <LineChart
    label="Rate"
    heightPx={40}
    values={values}
    words={values.map((value) => `${value}`)}
    level={values.length === 0 ? null : 10}
    ends={['9:00', '9:10']}
    summary="Nothing sent"
    table={{ head: ['From', 'Rate'], rows: values.map((value) => ['9:00', `${value}`]) }}
  />
);
const pathOf = (markup: string) => markup.match(/ d="([^"]*)"/)?.[1];

test('a line of no value, of one, and of a million', () => {
  const none = shown(spark([]));
  expect(none).toContain('aria-valuetext="Nothing to show"');
  expect(pathOf(none)).toBe('');
  expect(pathOf(shown(spark([0])))).toBe('M0 100L0 100');
  expect(pathOf(shown(spark([1])))).toMatch(/^M0 [\d.]+L0 [\d.]+$/);
  expect(pathOf(shown(spark([million, null, million])))).toMatch(/^M0 4\.76L0 4\.76M100 4\.76L100 4\.76$/);
});

const gauge = (value: number, max: number) => (
  <Gauge label="Points" value={value} max={max} words="" mark={{ value: 14, words: '' }} />
);

test('a gauge of nothing, of one point, and of a million', () => {
  expect(numbersOf(shown(gauge(0, 0)), 'width')).toEqual([100, 0]);
  expect(numbersOf(shown(gauge(1, 2000)), 'width')).toEqual([100, 0.05]);
  expect(numbersOf(shown(gauge(million, million)), 'width')).toEqual([100, 100]);
  // More than the scale has, or a debt, stays on it.
  expect(numbersOf(shown(gauge(2 * million, million)), 'width')).toEqual([100, 100]);
  expect(numbersOf(shown(gauge(-5, million)), 'width')).toEqual([100, 0]);
});

const timeline = (lengthsMs: readonly number[]) => (
  <Timeline
    label="Timeline"
    spans={lengthsMs.map((lengthMs) => ({ kind: 'read', name: 'Read', when: '9:00', took: '1s', lengthMs }))}
  />
);

test('a timeline of no span, of one, and of a million seconds', () => {
  expect(shown(timeline([]))).not.toContain('<rect');
  expect(numbersOf(shown(timeline([0])), 'width')).toEqual([99.7]);
  const [short = 0, long = 0] = numbersOf(shown(timeline([1, 1000 * million])), 'width');
  // A span of a millisecond is seen, also where two began in the same minute.
  expect(short).toBeGreaterThan(1);
  expect(short + long).toBeLessThan(100);
});
