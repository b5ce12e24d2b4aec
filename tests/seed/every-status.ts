import type { Operator } from './operator.ts';

/** Enough rows to pause the import before they are processed. */
const manyRows = 60_000;
/** Enough products to pause their push before it has ended. */
const manyProducts = 400;

/** Leaves imports behind that are ready, cancelled, and paused in either stage. */
export async function everyStatus({ upload, importText, call, reach }: Operator): Promise<void> {
  const act = (id: string, action: string) => call('POST', `/api/queue/${id}/${action}`);
  const processing = await upload(products(manyRows, 'Hook'), 'paused-while-processing.csv');
  await act(processing, 'pause');
  await reach(processing, ['paused']);
  const uploading = await importText(products(manyProducts, 'Shelf'), 'paused-while-uploading.csv');
  await act(uploading, 'push');
  await act(uploading, 'pause');
  await reach(uploading, ['paused']);
  const cancelled = await importText(products(20, 'Basket'), 'cancelled.csv');
  await act(cancelled, 'cancel');
  await importText(products(30, 'Vase'), 'ready-for-shopify.csv');
}

function products(count: number, noun: string): string {
  const lines = Array.from({ length: count }, (_, i) => {
    const image = `https://example.com/${noun}/${i}.jpg`;
    return `${noun} ${i + 1},${(i % 90) + 9}.50,SEED-${noun.toUpperCase()}-${i + 1},Acme,${image}`;
  });
  return ['Title,Price,SKU,Brand,Image', ...lines, ''].join('\n');
}
