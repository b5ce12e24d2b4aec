import { expect, it } from 'vitest';
import { addFrame, computeAimArea, computeShownArea, noSightings } from './camera.ts';
import type { ScannedCode } from './reader-options.ts';

const vase: ScannedCode = { text: '036000291452', format: 'UPCA' };
const lamp: ScannedCode = { text: '4006381333931', format: 'EAN13' };
const shelf: ScannedCode = { text: 'VA-12', format: 'Code128' };

/** The times of the frames, 100 ms apart, whose code counts. */
function counted(frames: readonly (ScannedCode | null)[], gapMs = 100): number[] {
  let sightings = noSightings;
  return frames.flatMap((code, at) => {
    const seen = addFrame(sightings, code, at * gapMs);
    sightings = seen.sightings;
    return seen.counts ? [at] : [];
  });
}

it('counts a product number at the second frame, and a text at the third', () => {
  expect(counted([vase, vase])).toEqual([1]);
  expect(counted([null, vase, null, null, vase])).toEqual([4]);
  expect(counted([shelf, shelf, shelf])).toEqual([2]);
});

it('counts nothing while frames disagree', () => {
  expect(counted([vase, lamp, vase, lamp])).toEqual([]);
  expect(counted([vase, { ...vase, format: 'EAN13' }])).toEqual([]);
});

it('counts a code once while it is in sight, however long', () => {
  expect(counted(Array(200).fill(vase))).toEqual([1]);
  expect(counted(Array(40).fill([vase, null, null, null, null]).flat())).toEqual([5]);
});

it('counts a code again after it was out of sight for a second', () => {
  const away = Array(10).fill(null);
  expect(counted([vase, vase, ...away, vase, vase])).toEqual([1, 12]);
  expect(counted([vase, vase, ...away.slice(2), vase, vase])).toEqual([1]);
});

it('counts one code after the other without a pause', () => {
  expect(counted([vase, vase, lamp, lamp, vase, vase])).toEqual([1, 3]);
  expect(counted([vase, vase, lamp, lamp, vase, vase], 600)).toEqual([1, 3, 5]);
});

it('shows the middle of a video, cut at its sides', () => {
  expect(computeShownArea({ width: 1920, height: 1080 }, { width: 400, height: 400 })).toEqual({
    ...{ x: 420, y: 0, width: 1080, height: 1080 },
  });
  expect(computeShownArea({ width: 1080, height: 1920 }, { width: 390, height: 390 })).toEqual({
    ...{ x: 0, y: 420, width: 1080, height: 1080 },
  });
});

it('aims at the middle of what is shown', () => {
  expect(computeAimArea({ width: 1920, height: 1080 }, { width: 960, height: 540 })).toEqual({
    ...{ x: 192, y: 351, width: 1536, height: 378 },
  });
  expect(computeAimArea({ width: 1920, height: 1080 }, { width: 400, height: 400 })).toEqual({
    ...{ x: 528, y: 351, width: 864, height: 378 },
  });
});
