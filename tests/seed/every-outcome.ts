import type { Operator } from './operator.ts';

/** More than the store accepts, which no check of ours finds before the call. */
const refusedPrice = '1000000000000000000';

const file = [
  'Handle,Title,Price,SKU,Brand,Option1 Name,Option1 Value',
  'teapot,Teapot that stays as it is,24.00,SEED-OUT-1,Acme,Size,M',
  'kettle,Kettle with a new price,49.00,SEED-OUT-2,Acme,Size,M',
  'pan,Pan whose price comes later,,SEED-OUT-3,Acme,Size,M',
  'lid,Lid without a price,,SEED-OUT-4,Acme,Size,M',
  `ladle,Ladle that the store refuses,${refusedPrice},SEED-OUT-5,Acme,Size,M`,
  '',
].join('\n');

/** Leaves an import behind whose last push has every outcome: unchanged, updated, created, skipped, failed. */
export async function everyOutcome({ importText, push, call }: Operator): Promise<string> {
  const id = await importText(file, 'every-outcome.csv');
  await push(id);
  await call('PATCH', `/api/queue/${id}/rows/2`, { values: { price: `${49 + (Date.now() % 40)}.90` } });
  await call('PATCH', `/api/queue/${id}/rows/3`, { values: { price: '35.00' } });
  await push(id);
  return id;
}
