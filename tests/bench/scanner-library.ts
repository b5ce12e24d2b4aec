import type { BenchStack } from './bench-stack.ts';
import { median, percentile } from './figures.ts';
import { numbersOf } from './mixed-product-file.ts';

const products = 2_000;
const calls = 200;

/**
 * Fills the scanner's library with products, whose codes no row of the bench's file has, and prints how long a page of
 * it takes and the look-up of a code that it knows.
 */
export async function measureLibrary(stack: BenchStack): Promise<void> {
  await stack.database.pool.query(
    `insert into scanned_products (id, name, description, price, sku, upc, gtin, dimensions, weight, photos)
     select gen_random_uuid(), 'Scanned ' || nth, repeat('Blown by hand. ', 20), '24.99', 'LIBRARY-' || nth,
       '09' || lpad(nth::text, 11, '0'), '009' || lpad(nth::text, 11, '0'),
       '{"length":10,"width":5,"height":3,"unit":"in"}', '{"value":2.5,"unit":"lb"}',
       array['https://images.example/' || nth || '.jpg']
     from generate_series(1, $1::int) nth`,
    [products],
  );
  await measureReplies(stack, (nth) => `LIBRARY-${1 + nth}`);
}

/** Prints how long the replies of a library take that is filled. `codeOf`: codes of its products. */
export async function measureReplies(stack: BenchStack, codeOf: (nth: number) => string): Promise<void> {
  await measure(stack, 'first page of the scanned products', () => ['GET', '/api/scanner/products']);
  await measure(stack, 'look up a code of the library', (nth) => lookUpOf(codeOf(nth)));
}

/** Prints how long the look-up of a code takes that an import waiting to be pushed has, and the library has not. */
export async function measureWaiting(stack: BenchStack, rows: number): Promise<void> {
  const skuOf = (nth: number) => numbersOf(1 + ((nth * 1237) % rows)).sku;
  await measure(stack, 'look up a code of a waiting import', (nth) => lookUpOf(skuOf(nth)));
}

type Call = readonly [method: string, path: string, body?: object];

const lookUpOf = (code: string): Call => ['POST', '/api/scanner/look-up', { code, ask: false }];

async function measure(
  { apiUrl, cookie }: BenchStack,
  name: string,
  of: (nth: number) => Call,
): Promise<void> {
  const tookMs: number[] = [];
  for (let nth = 0; nth < calls; nth += 1) {
    const [method, path, body] = of(nth);
    const headers = { cookie, ...(body ? { 'content-type': 'application/json' } : {}) };
    const begun = performance.now();
    const reply = await fetch(apiUrl + path, { method, headers, body: body ? JSON.stringify(body) : null });
    await reply.arrayBuffer();
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}`);
    tookMs.push(performance.now() - begun);
  }
  console.log(`${name}: median ${median(tookMs).toFixed(1)} ms, p95 ${percentile(tookMs, 95).toFixed(1)} ms`);
}
