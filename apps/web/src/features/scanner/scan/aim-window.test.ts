import { expect, it } from 'vitest';
import { aimArea, shownArea } from './aim-window.ts';

it('shows the middle of a video, cut at its sides', () => {
  expect(shownArea({ width: 1920, height: 1080 }, { width: 400, height: 400 })).toEqual({
    ...{ x: 420, y: 0, width: 1080, height: 1080 },
  });
  expect(shownArea({ width: 1080, height: 1920 }, { width: 390, height: 390 })).toEqual({
    ...{ x: 0, y: 420, width: 1080, height: 1080 },
  });
});

it('aims at the middle of what is shown', () => {
  expect(aimArea({ width: 1920, height: 1080 }, { width: 960, height: 540 })).toEqual({
    ...{ x: 192, y: 351, width: 1536, height: 378 },
  });
  expect(aimArea({ width: 1920, height: 1080 }, { width: 400, height: 400 })).toEqual({
    ...{ x: 528, y: 351, width: 864, height: 378 },
  });
});
