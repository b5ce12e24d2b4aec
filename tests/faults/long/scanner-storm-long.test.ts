import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../../support/fixture.ts';
import { createRandom, seedOfRun } from '../fault-random.ts';
import { type OwnServices, startOwnServices } from '../own-services.ts';
import { runScannerStorm } from '../scanner-storm.ts';

const sizes = { products: 200, photos: 3, kills: 12 };
const seed = seedOfRun();

let services: OwnServices;
let fixture: Fixture;
beforeAll(async () => {
  services = await startOwnServices();
  fixture = await openFixture(services);
});
afterAll(async () => {
  await fixture?.close();
  await services?.stop();
});

it(`${sizes.products} scanned products are synced exactly once through ${sizes.kills} kills -9`, async () => {
  console.log(`seed ${seed}`);
  expect(await runScannerStorm(fixture, sizes, createRandom(seed))).toEqual([]);
});
