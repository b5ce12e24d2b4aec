import { expect, it } from 'vitest';
import { runningStatusOf, stages } from './stages.ts';

it('lists the stages in the order of the pipeline, with the status in which each runs', () => {
  expect(stages.map((stage) => [stage, runningStatusOf(stage)])).toEqual([
    ['parse', 'processing'],
    ['enrich', 'processing'],
    ['push', 'uploading'],
  ]);
});
