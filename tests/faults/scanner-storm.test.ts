import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../support/fixture.ts';
import { createRandom, seedOfRun } from './fault-random.ts';
import { runScannerStorm } from './scanner-storm.ts';

const sizes = { products: 12, photos: 3, kills: 2 };
const seed = seedOfRun();

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture?.close());

it(`${sizes.products} scanned products are synced through a storm, each with its photos, exactly once (seed ${seed})`, async () => {
  expect(await runScannerStorm(fixture, sizes, createRandom(seed))).toEqual([]);
});
